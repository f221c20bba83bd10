"""Breakthrough (Troyka 2000): the first pawn on the far row wins.

A pawn goes one step forward, straight or diagonally, onto an empty cell; it captures diagonally
only. A player whose pawns are all taken has lost. There are no draws, and whoever is to move
always can: one of the two diagonal steps of his foremost pawn is free or a capture.

Black (``b``, player 0) begins on the top rows and moves down; White (``w``, player 1) moves up.
Cells are called a1 (bottom left) to h8. A move is written as its two cells, ``b7c6``, a capture
with a star, ``b7c6*`` (the star may be left out). A position is its rows from the top, then who
moves: ``bbb/.../www b``.

The record has one 64-bit word per player, cell (row r from the top, column c) is bit
``r * columns + c``. Action ``3 * cell + d`` moves the pawn on that cell one row forward and
d - 1 columns to the right.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import numpy as np

from ponder.core.draw import STONES, Board, Place, column_letters, grid_text, square_place
from ponder.core.game import Spec, Term, record
from ponder.core.geometry import Geometry
from ponder.core.making import registered
from ponder.core.rng import below
from ponder.core.scoring import share_out
from ponder.errors import InputError
from ponder.jit import U, kernel, lowest_bit, popcount

SYMBOLS = "bw"
CELLS = 64
LETTERS = column_letters(CELLS // 3)
ROWS_FOR_TWO = 6
"""From so many rows on each player has two rows of pawns, unless told otherwise."""


@registered
class Breakthrough(NamedTuple):
    """Breakthrough on any board of up to 64 cells.

    `pawn_rows`: how many rows of pawns each player begins with; 0 means the usual number, two on
    boards of six rows or more, else one.
    """

    columns: int = 8
    rows: int = 8
    pawn_rows: int = 0

    def problem(self) -> str | None:
        if self.columns < 2 or self.rows < 3 or self.columns * self.rows > CELLS:
            return f"breakthrough needs 2 or more columns, 3 or more rows and at most {CELLS} cells"
        if not 0 <= 2 * self.pawn_rows <= self.rows:
            return (
                f"pawn_rows must be 0 (the usual number) to {self.rows // 2} on {self.rows} rows, "
                f"not {self.pawn_rows}"
            )
        return None

    @property
    def filled(self) -> int:
        """Rows of pawns at the start."""
        return self.pawn_rows or (2 if self.rows >= ROWS_FOR_TWO else 1)

    def rules(self) -> BreakthroughRules:
        first = sum(1 << (r * self.columns) for r in range(self.rows))
        return BreakthroughRules(
            self.columns, self.rows, self.filled, U(first), U(first << (self.columns - 1))
        )

    def spec(self) -> Spec:
        pawns = self.columns * self.filled
        steps = sum(self.rows - 1 - r for r in range(self.filled))
        return Spec(
            players=2,
            max_actions=3 * pawns,
            max_length=2 * self.columns * steps,
            distinct_actions=3 * self.columns * self.rows,
            state=record(pawns=("u8", 2), player="i1", winner="i1"),
            board=Geometry(self.rows, self.columns, codes=3),
        )

    # ------------------------------------------------------------ for people

    def cell_name(self, cell: int) -> str:
        row, column = divmod(cell, self.columns)
        return LETTERS[column] + str(self.rows - row)

    def target(self, player: int, a: int) -> int:
        """The cell a pawn of `player` comes to."""
        return a // 3 + (self.columns if player == 0 else -self.columns) + a % 3 - 1

    def action_name(self, s: Any, a: int) -> str:
        to = self.target(s.player, a)
        takes = int(s.pawns[1 - s.player]) >> to & 1
        return self.cell_name(a // 3) + self.cell_name(to) + "*" * takes

    def parse_action(self, s: Any, text: str) -> int | None:
        """Also b7-c6, b7xc6, and captures without the star."""
        found = re.fullmatch(r"([a-z]\d+)[-x]?([a-z]\d+)\*?", text.strip().lower())
        if not found:
            return None
        for a in range(3 * self.columns * self.rows):
            names = self.cell_name(a // 3), self.cell_name(self.target(s.player, a))
            if names == (found[1], found[2]):
                return a
        return None

    def grid(self, s: Any) -> list[str]:
        black, white = (int(pawns) for pawns in s.pawns)
        cells = ["b" if black >> i & 1 else "w" if white >> i & 1 else "."
                 for i in range(self.columns * self.rows)]  # fmt: skip
        return ["".join(cells[i : i + self.columns]) for i in range(0, len(cells), self.columns)]

    def position_text(self, s: Any) -> str:
        return "/".join(self.grid(s)) + " " + SYMBOLS[s.player]

    def parse_position(self, text: str, s: Any) -> None:
        parts = text.split()
        rows = parts[0].split("/") if parts else []
        if len(parts) != 2 or parts[1] not in SYMBOLS:
            raise InputError(
                "a position is its rows joined by '/', then a blank and who moves: b or w"
            )
        if len(rows) != self.rows or any(len(row) != self.columns for row in rows):
            raise InputError(
                f"a position has {self.rows} rows of {self.columns} cells, joined by '/', the top "
                "row first; cells are . b w"
            )
        cells = "".join(rows)
        wrong = set(cells) - set("." + SYMBOLS)
        if wrong:
            raise InputError(f"unknown cell {min(wrong)!r}; accepted: . b w")
        most = self.columns * self.filled
        for symbol in SYMBOLS:
            if cells.count(symbol) > most:
                raise InputError(
                    f"{cells.count(symbol)} {symbol} are impossible: each player begins with {most}"
                )
        mover = SYMBOLS.index(parts[1])
        for player, symbol in enumerate(SYMBOLS):
            s.pawns[player] = U(sum(1 << i for i, cell in enumerate(cells) if cell == symbol))
        s.player = mover
        won = ["b" in rows[-1] or "w" not in cells, "w" in rows[0] or "b" not in cells]
        if won[mover]:
            raise InputError(
                f"{SYMBOLS[mover]} has won already, so {SYMBOLS[1 - mover]} cannot have moved last"
            )
        s.winner = 1 - mover if won[1 - mover] else -1

    def board_text(self, s: Any) -> str:
        left = [str(self.rows - r) for r in range(self.rows)]
        board = grid_text(self.grid(s), left, column_letters(self.columns))
        return board if s.winner >= 0 else board + f"   {SYMBOLS[s.player]} moves"

    def board_svg(self, s: Any, last: Any = None, legal: Any = ()) -> str:
        left = [str(self.rows - r) for r in range(self.rows)]
        board = Board(self.columns, self.rows, left, column_letters(self.columns), checkered=True)
        for r, row in enumerate(self.grid(s)):
            for c, cell in enumerate(row):
                if cell != ".":
                    board.stone(c, r, STONES[SYMBOLS.index(cell)])
        if last is not None:
            for at in (last // 3, self.target(1 - s.player, last)):
                board.last(at % self.columns, at // self.columns)
        targets = {self.target(s.player, a) for a in legal}
        return board.legal((t % self.columns, t // self.columns) for t in sorted(targets)).svg()

    def action_places(self, s: Any, a: int) -> tuple[Place, ...]:
        cells = (a // 3, self.target(s.player, a))
        return tuple(square_place(at % self.columns, at // self.columns) for at in cells)


class BreakthroughRules(NamedTuple):
    """The rules. `left` and `right`: the cells of the first and of the last column."""

    columns: int
    rows: int
    filled: int
    left: Any
    right: Any

    def start(self, s):
        for i in range(self.columns * self.filled):
            s.pawns[0] |= U(1) << U(i)
            s.pawns[1] |= U(1) << U(self.columns * self.rows - 1 - i)
        s.winner = -1

    def current_player(self, s):
        return s.player

    def movers(self, s, d, into):
        """The pawns of the player to move that can step in direction d onto a cell of `into`."""
        own = s.pawns[s.player]
        if s.player == 0:  # down: bits rise
            if d == 0:
                return own & (into >> U(self.columns - 1)) & ~self.left
            if d == 1:
                return own & (into >> U(self.columns))
            return own & (into >> U(self.columns + 1)) & ~self.right
        if d == 0:
            return own & (into << U(self.columns + 1)) & ~self.left
        if d == 1:
            return own & (into << U(self.columns))
        return own & (into << U(self.columns - 1)) & ~self.right

    def open_to(self, s, d):
        """The cells that a step in direction d may end on: captures are diagonal only."""
        free = ~(s.pawns[0] | s.pawns[1])
        if d != 1:
            free |= s.pawns[1 - s.player]
        if self.columns * self.rows < CELLS:
            free &= (U(1) << U(self.columns * self.rows)) - U(1)
        return free

    def legal_actions(self, s, out):
        n = 0
        for d in range(3):
            n = list_moves(self.movers(s, d, self.open_to(s, d)), d, out, n)
        return n

    def random_action(self, s, out, rng):
        left = self.movers(s, 0, self.open_to(s, 0))
        straight = self.movers(s, 1, self.open_to(s, 1))
        right = self.movers(s, 2, self.open_to(s, 2))
        lefts, straights = popcount(left), popcount(straight)
        k = below(rng, lefts + straights + popcount(right))
        if k < lefts:
            return 3 * nth_bit(left, k)
        k -= lefts
        if k < straights:
            return 3 * nth_bit(straight, k) + 1
        return 3 * nth_bit(right, k - straights) + 2

    def apply_action(self, s, a):
        player = s.player
        cell = a // 3
        forward = self.columns if player == 0 else -self.columns
        to = cell + forward + a - 3 * cell - 1
        s.pawns[player] ^= (U(1) << U(cell)) | (U(1) << U(to))
        s.pawns[1 - player] &= ~(U(1) << U(to))
        home = to >= self.columns * (self.rows - 1) if player == 0 else to < self.columns
        if home or s.pawns[1 - player] == U(0):
            s.winner = player
        s.player = 1 - player

    def is_terminal(self, s):
        return s.winner >= 0

    def returns(self, s, out):
        share_out(s.winner, 2, out)

    # ------------------------------------------------------------ hooks

    def row_of(self, s, player, steps):
        """The pawns of `player` that have come `steps` rows forward from his own edge."""
        row = steps if player == 0 else self.rows - 1 - steps
        cells = (U(1) << U(self.columns)) - U(1)
        return s.pawns[player] & (cells << U(row * self.columns))

    def evaluate(self, s, out):
        """Pawns and how far they have come, squashed; exact where a pawn can step home at once.

        Each pawn counts 1 + 2 (steps / (rows - 1))^2, half a pawn goes to the player to move;
        v = d / (2 + |d|). A foremost pawn can always move, so that one on the last row but one
        wins for the player to move.
        """
        if s.winner >= 0:
            share_out(s.winner, 2, out)
            return
        if self.row_of(s, s.player, self.rows - 2) != U(0):
            share_out(s.player, 2, out)
            return
        d = 0.5 if s.player == 0 else -0.5
        for steps in range(self.rows - 1):
            share = steps / (self.rows - 1)
            worth = 1.0 + 2.0 * share * share
            d += worth * popcount(self.row_of(s, 0, steps))
            d -= worth * popcount(self.row_of(s, 1, steps))
        v = d / (2.0 + abs(d))
        out[0] = v
        out[1] = -v

    def evaluate_terms(self, s: Any, player: int) -> list[Term]:
        if s.winner >= 0 or self.row_of(s, s.player, self.rows - 2) != U(0):
            return []  # the result is known
        pawns, progress = 0, 0.0
        for steps in range(self.rows - 1):
            ahead = popcount(self.row_of(s, player, steps))
            ahead -= popcount(self.row_of(s, 1 - player, steps))
            pawns += ahead
            progress += ahead * (steps / (self.rows - 1)) ** 2
        return [
            Term("pawns", pawns, 1.0),
            Term("progress: squares of the share of the way", progress, 2.0),
            Term("the move", 1 if player == s.player else -1, 0.5),
        ]

    def squash(self, s: Any, player: int, score: float) -> float:
        return score / (2.0 + abs(score))

    def winning_action(self, s, out):
        """A step home, or the capture of the last pawn."""
        home = (U(1) << U(self.columns)) - U(1)
        if s.player == 0:
            home <<= U(self.columns * (self.rows - 1))
        other = s.pawns[1 - s.player]
        for d in range(3):
            into = self.open_to(s, d) & home
            if d != 1 and other & (other - U(1)) == U(0):
                into |= other
            pawns = self.movers(s, d, into)
            if pawns != U(0):
                return 3 * lowest_bit(pawns) + d
        return -1

    def noisy_actions(self, s, out):
        """Captures, and steps onto the last two rows."""
        width = self.columns * 2
        late = (U(1) << U(width)) - U(1)
        if s.player == 0:
            late <<= U(self.columns * self.rows - width)
        n = 0
        for d in range(3):
            wanted = late if d == 1 else late | s.pawns[1 - s.player]
            n = list_moves(self.movers(s, d, self.open_to(s, d) & wanted), d, out, n)
        return n

    def order(self, s, a):
        """Steps home, then captures (of far-advanced pawns first), then the foremost pawns."""
        cell = a // 3
        row = cell // self.columns
        forward = 1 if s.player == 0 else -1
        to = cell + forward * self.columns + a - 3 * cell - 1
        steps = row + 1 if s.player == 0 else self.rows - row
        score = steps
        if steps == self.rows - 1:
            score += 4 * self.rows
        if (s.pawns[1 - s.player] >> U(to)) & U(1):
            score += 3 * self.rows - 2 * steps  # the taken pawn has come rows - 1 - steps rows
        return score

    # Both players see their own pawns move down: for the second the board is turned by half.

    def cells(self, s, player, out):
        """0 empty, 1 own, 2 the other's."""
        last = self.columns * self.rows - 1
        for cell in range(last + 1):
            at = U(cell if player == 0 else last - cell)
            mine, theirs = (s.pawns[player] >> at) & U(1), (s.pawns[1 - player] >> at) & U(1)
            out[cell] = np.int64(mine) + 2 * np.int64(theirs)

    def seen_action(self, a, player):
        return a if player == 0 else 3 * self.columns * self.rows - 1 - a

    def symmetries(self):
        return 2

    def transform(self, s, k, t):
        """Symmetry 1: left and right change places."""
        for player in range(2):
            image = U(0)
            pawns = s.pawns[player]
            while pawns:
                cell = lowest_bit(pawns)
                pawns &= pawns - U(1)
                image |= U(1) << U(self.mirrored(cell) if k == 1 else cell)
            t.pawns[player] = image
        t.player = s.player
        t.winner = s.winner

    def mirrored(self, cell):
        column = cell % self.columns
        return cell - column + self.columns - 1 - column

    def transform_action(self, a, k):
        if k == 0:
            return a
        return 3 * self.mirrored(a // 3) + 2 - a % 3


@kernel
def list_moves(pawns, d, out, n):
    """Append the step in direction d of each pawn; the new length."""
    while pawns:
        out[n] = 3 * lowest_bit(pawns) + d
        pawns &= pawns - U(1)
        n += 1
    return n


@kernel
def nth_bit(x, n):
    """The index of the n-th set bit (0 = the lowest)."""
    for _ in range(n):
        x &= x - U(1)
    return np.int64(lowest_bit(x))
