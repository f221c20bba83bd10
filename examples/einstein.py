"""EinStein würfelt nicht (Ingo Althöfer, 2004): a race with six stones and a die.

    ponder check examples/einstein.py:Einstein
    ponder play examples/einstein.py:Einstein
    ponder train examples/einstein.py:Einstein --out runs/einstein --minutes 5

A player rolls the die and moves the stone of that number one step towards the other corner:
sideways, along the column, or diagonally. If that stone is gone, the next higher or the next lower
one moves. Whatever stands on the target leaves the board, own stones too. Whoever reaches the other
corner, or takes the last stone of the other player, wins.
"""

from __future__ import annotations

from typing import NamedTuple

from ponder import CHANCE, Geometry, Spec, record

SIZE = 5
CELLS = SIZE * SIZE
STONES = 6
WAYS = 3  # sideways, diagonally, along the column
HOME = (0, 1, 2, 5, 6, 10)  # where player 0 begins, stone by stone; player 1 opposite


class Einstein(NamedTuple):
    """Roll a die, move that stone towards the other corner; capture all, or arrive first."""

    def spec(self):
        return Spec(
            players=2,
            max_actions=2 * WAYS,  # two stones at most; as many as the die has sides
            max_length=2 * 2 * STONES * 2 * (SIZE - 1),  # every move is a step towards a corner
            state=record(
                stones=("i1", CELLS),  # 0: empty, 1 to 6: player 0's, 7 to 12: player 1's
                die="i1",  # 0: to be rolled
                player="i1",
                winner="i1",  # 1 + the player; 0: nobody yet
            ),
            distinct_actions=WAYS * CELLS,
            board=Geometry(SIZE, SIZE, codes=4),
        )

    def start(self, s):
        for i in range(STONES):
            s.stones[HOME[i]] = i + 1
            s.stones[CELLS - 1 - HOME[i]] = STONES + i + 1

    def current_player(self, s):
        return CHANCE if s.die == 0 else s.player

    def chance_outcomes(self, s, out, p):
        for i in range(STONES):
            out[i] = i
            p[i] = 1.0 / STONES
        return STONES

    def number_at(self, s, cell, player):
        """The number of the player's stone there; 0 if there is none."""
        number = s.stones[cell] - STONES * player
        return number if 1 <= number <= STONES else 0

    def may_move(self, s, number, player):
        """Is it the stone of the die, or one of its neighbours if that one is gone?"""
        higher = STONES + 1
        lower = 0
        for cell in range(CELLS):
            n = self.number_at(s, cell, player)
            if n >= s.die:
                higher = min(higher, n)
            if 0 < n <= s.die:
                lower = max(lower, n)
        return number > 0 and (number in (lower, higher))

    def target(self, cell, way, player):
        """Where a step leads; -1 beyond the edge."""
        step = 1 - 2 * player  # player 1 walks the other way
        row = cell // SIZE + (step if way > 0 else 0)
        column = cell % SIZE + (step if way < 2 else 0)
        if not (0 <= row < SIZE and 0 <= column < SIZE):
            return -1
        return row * SIZE + column

    def legal_actions(self, s, out):
        n = 0
        for cell in range(CELLS):
            number = self.number_at(s, cell, s.player)
            if number > 0 and self.may_move(s, number, s.player):
                for way in range(WAYS):
                    if self.target(cell, way, s.player) >= 0:
                        out[n] = cell * WAYS + way
                        n += 1
        return n

    def apply_action(self, s, a):
        if s.die == 0:
            s.die = a + 1
            return
        cell = a // WAYS
        to = self.target(cell, a % WAYS, s.player)
        s.stones[to] = s.stones[cell]
        s.stones[cell] = 0
        left = 0
        for i in range(CELLS):
            left += self.number_at(s, i, 1 - s.player) > 0
        if left == 0 or to == (CELLS - 1) * (1 - s.player):
            s.winner = 1 + s.player
        s.die = 0
        s.player = 1 - s.player

    def is_terminal(self, s):
        return s.winner != 0

    def returns(self, s, out):
        for p in range(2):
            out[p] = 1.0 if s.winner == 1 + p else -1.0

    # for learning: both players see themselves walk from the first cell to the last

    def cells(self, s, player, out):
        for cell in range(CELLS):
            seen = CELLS - 1 - cell if player == 1 else cell
            number = self.number_at(s, cell, player)
            if number > 0:
                out[seen] = 2 if self.may_move(s, number, player) else 1
            else:
                out[seen] = 3 if s.stones[cell] != 0 else 0

    def seen_action(self, a, player):
        return a if player == 0 else (CELLS - 1 - a // WAYS) * WAYS + a % WAYS

    # for people

    def action_name(self, s, a):
        if s.die == 0:
            return str(a + 1)
        cell, to = a // WAYS, self.target(a // WAYS, a % WAYS, s.player)
        return f"{square(cell)}{square(to)}"

    def board_text(self, s):
        shown = [" .", *(f"x{i}" for i in range(1, 7)), *(f"o{i}" for i in range(1, 7))]
        rows = [
            f"{SIZE - r} " + " ".join(shown[s.stones[r * SIZE + c]] for c in range(SIZE))
            for r in range(SIZE)
        ]
        die = f"die: {s.die}" if s.die else "the die is to be rolled"
        return "\n".join([*rows, "   a  b  c  d  e", f"{'xo'[s.player]} to move, {die}"])


def square(cell):
    return f"{'abcde'[cell % SIZE]}{SIZE - cell // SIZE}"
