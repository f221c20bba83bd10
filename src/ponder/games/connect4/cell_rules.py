"""The rules of Connect Four on boards too large for a 64-bit word.

One cell per point; a move looks only along the lines through the new stone.
"""

from __future__ import annotations

from typing import NamedTuple

from ponder.core.rng import below
from ponder.core.scoring import share_out


class CellRules(NamedTuple):
    """The rules on one byte per cell: 0 empty, else player + 1; column c, row r is c*rows + r."""

    columns: int
    rows: int
    run: int
    players: int

    def start(self, s):
        s.winner = -1

    def current_player(self, s):
        return s.player

    def legal_actions(self, s, out):
        n = 0
        for c in range(self.columns):
            if s.height[c] < self.rows:
                out[n] = c
                n += 1
        return n

    def random_action(self, s, out, rng):
        while True:
            c = below(rng, self.columns)
            if s.height[c] < self.rows:
                return c

    def apply_action(self, s, a):
        row = s.height[a]
        s.cells[a * self.rows + row] = s.player + 1
        s.height[a] += 1
        s.ply += 1
        if (
            self.line(s, a, row, 0, 1) >= self.run
            or self.line(s, a, row, 1, 0) >= self.run
            or self.line(s, a, row, 1, 1) >= self.run
            or self.line(s, a, row, 1, -1) >= self.run
        ):
            s.winner = s.player
        s.player = s.player + 1 if s.player + 1 < self.players else 0

    def line(self, s, column, row, dc, dr):
        """Length of the line of equal stones through a stone."""
        own = s.cells[column * self.rows + row]
        length = 1
        for sign in (1, -1):
            c, r = column + sign * dc, row + sign * dr
            while (
                0 <= c < self.columns and 0 <= r < self.rows and s.cells[c * self.rows + r] == own
            ):
                length += 1
                c += sign * dc
                r += sign * dr
        return length

    def is_terminal(self, s):
        return s.winner >= 0 or s.ply == self.columns * self.rows

    def returns(self, s, out):
        share_out(s.winner, self.players, out)

    def cells(self, s, player, out):
        """0 in the air, 1 to be filled next, 2 own, 3 the next player's ... Row 0 is the lowest."""
        for c in range(self.columns):
            for r in range(self.rows):
                code = 1 if r == s.height[c] else 0
                if r < s.height[c]:
                    owner = s.cells[c * self.rows + r] - 1
                    code = 2 + (owner - player + self.players) % self.players
                out[r * self.columns + c] = code
