"""Tic-tac-toe: three in a row. The smallest whole game: read this file first.

Cells are numbered 0 to 8, row by row from the top left, and called a1 (top left) to c3. A
position is written as its three rows, ``xo./.x./...``; whose turn
it is follows from the number of stones.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ponder.core.draw import STONES, Board, Place, grid_text, square_place
from ponder.core.game import Spec, record
from ponder.core.geometry import Geometry
from ponder.core.making import registered
from ponder.core.scoring import share_out
from ponder.errors import InputError, quoted
from ponder.games.tictactoe_rollout import has_line, random_winner
from ponder.jit import U, highest_bit

LINES = (0b111, 0b111000, 0b111000000, 0b1001001, 0b10010010, 0b100100100, 0b100010001, 0b1010100)


@registered
class TicTacToe(NamedTuple):
    """Tic-tac-toe on 3 x 3 cells. x is player 0 and begins."""

    def spec(self) -> Spec:
        return Spec(
            players=2,
            max_actions=9,
            max_length=9,
            # stones: a bit per cell for each player; winner: -1 while there is none
            state=record(stones=("i4", 2), ply="i4", winner="i4"),
            board=Geometry(rows=3, columns=3, codes=3, line=3),
        )

    def start(self, s):
        s.winner = -1

    def current_player(self, s):
        return s.ply & 1

    def legal_actions(self, s, out):
        n = 0
        taken = s.stones[0] | s.stones[1]
        for cell in range(9):
            out[n] = cell  # to be written over if the cell is taken
            n += ~(taken >> cell) & 1
        return n

    def apply_action(self, s, a):
        player = s.ply & 1
        s.stones[player] |= 1 << a
        s.ply += 1
        if has_line(s.stones[player]):
            s.winner = player

    def is_terminal(self, s):
        return s.winner >= 0 or s.ply == 9

    def random_rollout(self, s, out, rng):
        player = s.ply & 1
        own, other = np.int64(s.stones[player]), np.int64(s.stones[1 - player])
        s.winner = random_winner(own, other, np.int64(player), rng)

    def returns(self, s, out):
        share_out(s.winner, 2, out)

    def winning_action(self, s, out):
        own, other = s.stones[s.ply & 1], s.stones[1 - (s.ply & 1)]
        for line in LINES:
            missing = line & ~own
            if missing & other == 0 and missing & (missing - 1) == 0:  # one free cell
                return highest_bit(U(missing))
        return -1

    def cells(self, s, player, out):
        """0 empty, 1 own, 2 the other's."""
        for cell in range(9):
            own, other = (s.stones[player] >> cell) & 1, (s.stones[1 - player] >> cell) & 1
            out[cell] = own + 2 * other

    # Symmetry k: mirror left-right if k & 1, top-bottom if k & 2, swap rows and columns if k & 4.

    def symmetries(self):
        return 8

    def transform(self, s, k, t):
        for player in range(2):
            t.stones[player] = 0
            for cell in range(9):
                if (s.stones[player] >> cell) & 1:
                    t.stones[player] |= 1 << self.transform_action(cell, k)
        t.ply = s.ply
        t.winner = s.winner

    def transform_action(self, a, k):
        row, column = a // 3, a % 3
        if k & 1:
            column = 2 - column
        if k & 2:
            row = 2 - row
        return column * 3 + row if k & 4 else row * 3 + column

    # ------------------------------------------------------------ for people

    def action_name(self, s: Any, a: int) -> str:
        return "abc"[a % 3] + "123"[a // 3]

    def rows(self, s: Any) -> list[str]:
        cells = [
            "x" if s.stones[0] >> c & 1 else "o" if s.stones[1] >> c & 1 else "." for c in range(9)
        ]
        return ["".join(cells[r : r + 3]) for r in (0, 3, 6)]

    def board_text(self, s: Any) -> str:
        return grid_text(self.rows(s), "123", "abc")

    def board_svg(self, s: Any, last: Any = None, legal: Any = ()) -> str:
        board = Board(3, 3, "123", "abc")
        for r, row in enumerate(self.rows(s)):
            for c, cell in enumerate(row):
                if cell != ".":
                    board.glyph(c, r, "×" if cell == "x" else "○", STONES[cell == "o"], 40)
        if last is not None:
            board.last(last % 3, last // 3)
        return board.legal((a % 3, a // 3) for a in legal).svg()

    def action_places(self, s: Any, a: int) -> tuple[Place, ...]:
        return (square_place(a % 3, a // 3),)

    def position_text(self, s: Any) -> str:
        return "/".join(self.rows(s))

    def parse_position(self, text: str, s: Any) -> None:
        cells = text.strip().replace("/", "")
        if (
            len(cells) != 9
            or set(cells) - set("xo.")
            or [len(r) for r in text.strip().split("/")] != [3] * 3
        ):
            raise InputError(
                f"{quoted(text)} is not a position: three rows of x, o and . such as xo./.x./..."
            )
        crosses, noughts = cells.count("x"), cells.count("o")
        if crosses - noughts not in (0, 1):
            raise InputError(
                f"{crosses} x and {noughts} o are impossible: x begins and they take turns"
            )
        for cell, symbol in enumerate(cells):
            if symbol != ".":
                s.stones["xo".index(symbol)] |= 1 << cell
        s.ply = crosses + noughts
        winners = [p for p in (0, 1) if has_line(s.stones[p])]
        if winners and winners != [(s.ply - 1) & 1]:
            raise InputError("only the player who moved last can have a line of three")
        s.winner = winners[0] if winners else -1
