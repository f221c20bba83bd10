"""Connect Four: drop stones into columns; the first straight line of `run` own stones wins.

Any number of columns and rows, any run length, 2 to 4 players in turn. A win is worth 1 to the
winner and -1 shared among the others; a full board without a line is a draw.

Moves are column numbers from 1. A position is written row by row from the top, with "." for an
empty cell: ``......./......./......./......./...o.../..xx...``; whose turn it is follows from
the number of stones.

Boards with (rows + 1) * columns <= 64 are bitboards: column c, row r (0 = bottom) is bit
``c * (rows + 1) + r``; the extra row on top stays empty, so that lines never wrap around:

     6 13 20 27 34 41 48    always empty
     5 12 19 26 33 40 47
     ...
     0  7 14 21 28 35 42    bottom row

Larger boards keep one cell per point and look only along the lines through the last stone.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ponder.core.draw import STONES, Board, grid_text
from ponder.core.game import Spec, record
from ponder.core.rng import below
from ponder.core.scoring import share_out
from ponder.errors import InputError
from ponder.jit import U, lowest_bit, popcount, take_methods

SYMBOLS = "xoz#"
LARGEST = 1024  # cells


class ConnectFour(NamedTuple):
    """Connect Four on any board: four in a row on 7 columns and 6 rows unless told otherwise."""

    columns: int = 7
    rows: int = 6
    run: int = 4
    players: int = 2

    def problem(self) -> str | None:
        if self.columns < 1 or self.rows < 1 or self.columns * self.rows > LARGEST:
            return f"connect4 needs columns and rows of at least 1, {LARGEST} cells at most"
        if not 2 <= self.players <= 4:
            return f"connect4 is for 2 to 4 players, not {self.players}"
        if self.run < 2:
            return f"run must be at least 2, not {self.run}"
        return None

    def fits_a_word(self) -> bool:
        """Is there a bit for every cell, with a spare row?"""
        return (self.rows + 1) * self.columns <= 64

    def rules(self) -> KeyedRules | FourRules | BitRules | CellRules:
        if not self.fits_a_word():
            return CellRules(*self)
        bottom = sum(1 << c * (self.rows + 1) for c in range(self.columns))
        cells = bottom * ((1 << self.rows) - 1)
        kind: type = FourRules if self.run == 4 else BitRules
        if self.run == 4 and self.players == 2 and (self.rows + 1) * self.columns <= 56:
            kind = KeyedRules
        return kind(*self, U(cells), U(bottom), U((2 << self.rows) - 1))  # type: ignore[no-any-return]

    def spec(self) -> Spec:
        cells = self.columns * self.rows
        if self.fits_a_word():
            layout: dict[str, Any] = {"full": "u8", "stones": ("u8", (self.players,))}
        else:
            layout = {"cells": ("i1", (cells,)), "height": ("i2", (self.columns,))}
        return Spec(
            players=self.players,
            max_actions=self.columns,
            max_length=cells,
            # ply in 4 bytes: as 2 it is read together with its neighbours, and has to wait for them
            state=record(**layout, ply="i4", player="i1", winner="i1"),
        )

    # ------------------------------------------------------------ for people

    def action_name(self, s: Any, a: int) -> str:
        return str(a + 1)

    def stones(self, s: Any) -> list[list[int]]:
        """Rows from the top; in each cell the player, or -1."""
        grid = [[-1] * self.columns for _ in range(self.rows)]
        for c in range(self.columns):
            for r in range(self.rows):
                grid[self.rows - 1 - r][c] = self.stone_at(s, c, r)
        return grid

    def stone_at(self, s: Any, column: int, row: int) -> int:
        """The player whose stone lies there (row 0 = bottom), or -1."""
        if "cells" in s.dtype.names:
            return int(s.cells[column * self.rows + row]) - 1
        bit = column * (self.rows + 1) + row
        return next((p for p in range(self.players) if int(s.stones[p]) >> bit & 1), -1)

    def position_text(self, s: Any) -> str:
        return "/".join(
            "".join("." if p < 0 else SYMBOLS[p] for p in row) for row in self.stones(s)
        )

    def parse_position(self, text: str, s: Any) -> None:
        rows = text.strip().split("/")
        used = SYMBOLS[: self.players]
        if len(rows) != self.rows or any(len(row) != self.columns for row in rows):
            raise InputError(
                f"a position has {self.rows} rows of {self.columns} cells, joined by '/', "
                f"the top row first; cells are . {' '.join(used)}"
            )
        cells = [[row[c] for row in reversed(rows)] for c in range(self.columns)]
        wrong = {cell for column in cells for cell in column} - set("." + used)
        if wrong:
            raise InputError(f"unknown cell {min(wrong)!r}; accepted: . {' '.join(used)}")
        if any(
            ".x" in "".join(c).replace("o", "x").replace("z", "x").replace("#", "x") for c in cells
        ):
            raise InputError(
                "a stone hangs in the air: below every stone must be another or the floor"
            )
        counts = [sum(column.count(symbol) for column in cells) for symbol in used]
        if sorted(counts, reverse=True) != counts or counts[0] - counts[-1] > 1:
            shown = ", ".join(f"{n} {symbol}" for n, symbol in zip(counts, used, strict=True))
            raise InputError(f"players move in turn, {used[0]} first: {shown} cannot be")
        self._set_up(cells, s)

    def _set_up(self, cells: list[list[str]], s: Any) -> None:
        """Fill the record with the given columns (each from the bottom)."""
        s.ply = sum(cell != "." for column in cells for cell in column)
        s.player = s.ply % self.players
        winners = set()
        for c, column in enumerate(cells):
            for r, cell in enumerate(column):
                if cell == ".":
                    continue
                player = SYMBOLS.index(cell)
                if self.fits_a_word():
                    bit = U(1) << U(c * (self.rows + 1) + r)
                    s.full |= bit
                    s.stones[player] |= bit
                else:
                    s.cells[c * self.rows + r] = player + 1
                    s.height[c] = r + 1
        for c, column in enumerate(cells):
            for r, cell in enumerate(column):
                if cell != "." and self._in_run(cells, c, r):
                    winners.add(SYMBOLS.index(cell))
        if winners - {(s.player - 1) % self.players}:
            raise InputError(
                "the game was over before the last stone: only its player can have a line"
            )
        s.winner = winners.pop() if winners else -1

    def _in_run(self, cells: list[list[str]], column: int, row: int) -> bool:
        """Does a line of `run` equal stones begin at this stone?"""
        own = cells[column][row]
        for dc, dr in ((0, 1), (1, 0), (1, 1), (1, -1)):
            line = [(column + i * dc, row + i * dr) for i in range(self.run)]
            if all(
                0 <= c < self.columns and 0 <= r < self.rows and cells[c][r] == own for c, r in line
            ):
                return True
        return False

    def board_text(self, s: Any) -> str:
        rows = [["." if p < 0 else SYMBOLS[p] for p in row] for row in self.stones(s)]
        return grid_text(rows, [""] * self.rows, [str(c + 1) for c in range(self.columns)])

    def board_svg(self, s: Any, last: Any = None, legal: Any = ()) -> str:
        board = Board(self.columns, self.rows, below=[str(c + 1) for c in range(self.columns)])
        grid = self.stones(s)
        tops = [sum(row[c] >= 0 for row in grid) for c in range(self.columns)]
        for r, row in enumerate(grid):
            for c, player in enumerate(row):
                if player >= 0:
                    board.stone(c, r, STONES[player])
        if last is not None:
            board.last(last, self.rows - tops[last])
        return board.legal((c, self.rows - 1 - tops[c]) for c in legal).svg()


class BitRules(NamedTuple):
    """The rules on one 64-bit word per player, and one of all stones (`full`)."""

    columns: int
    rows: int
    run: int
    players: int
    cells: Any
    """All cells, without the row on top."""
    bottom: Any
    """The lowest row."""
    column: Any
    """The first column, with the row on top."""

    def start(self, s):
        s.winner = -1

    def current_player(self, s):
        return s.player

    def legal_actions(self, s, out):
        n = 0
        top = U(1) << U(self.rows - 1)
        for c in range(self.columns):
            if not s.full & top:
                out[n] = c
                n += 1
            top <<= U(self.rows + 1)
        return n

    def random_action(self, s, out, rng):
        while True:  # uniform: every column is equally likely until one has room
            c = below(rng, self.columns)
            if not (s.full >> U(c * (self.rows + 1) + self.rows - 1)) & U(1):
                return c

    def apply_action(self, s, a):
        # Adding 1 at the bottom of a column carries past its stones to the lowest free cell.
        full, player = s.full, s.player
        stone = (full + (U(1) << U(a * (self.rows + 1)))) & ~full
        s.full = full | stone
        own = s.stones[player] | stone
        s.stones[player] = own
        s.ply += 1
        if self.has_run(own):
            s.winner = player
        s.player = player + 1 if player + 1 < self.players else 0

    def has_run(self, b):
        """Do `run` stones of b stand in one line?"""
        for step in (U(1), U(self.rows), U(self.rows + 1), U(self.rows + 2)):
            m = b
            for _ in range(1, self.run):
                m = b & (m >> step)
            if m != U(0):
                return True
        return False

    def is_terminal(self, s):
        return s.winner >= 0 or s.ply == self.columns * self.rows

    def returns(self, s, out):
        share_out(s.winner, self.players, out)

    # ------------------------------------------------------------ hints

    def open_ends(self, b, full):
        """Empty cells that would complete a line of `run` stones of b."""
        ends = U(0)
        for d in (1, self.rows, self.rows + 1, self.rows + 2):
            # The empty cell is the k-th of the line: run - 1 stones on its two sides.
            for k in range(self.run):
                line = ~U(0)
                for i in range(self.run):
                    if i < k:
                        line &= b << U((k - i) * d)
                    elif i > k:
                        line &= b >> U((i - k) * d)
                ends |= line
        return ends & self.cells & ~full

    def evaluate(self, s, out):
        """The share of open ends (not tuned): with equal shares everybody has 0."""
        total = 0.0
        for p in range(self.players):
            out[p] = popcount(self.open_ends(s.stones[p], s.full))
            total += out[p]
        for p in range(self.players):
            others = (total - out[p]) / (self.players - 1)
            out[p] = 0.9 * (out[p] - others) / (total + 2.0)

    def order(self, s, a):
        """Winning, then blocking, then open ends gained; the centre breaks ties."""
        stone = (s.full + (U(1) << U(a * (self.rows + 1)))) & ~s.full
        own = s.stones[s.player]
        centre = 1.0 - abs(2 * a - self.columns + 1) / (2.0 * self.columns)
        if self.has_run(own | stone):
            return 1000.0
        for p in range(self.players):
            if p != s.player and self.has_run(s.stones[p] | stone):
                return 500.0 + centre
        return popcount(self.open_ends(own | stone, s.full | stone)) + centre

    def enough_actions(self, s, out):
        """A win if there is one, else the answer to a threat, else what does not lose at once."""
        if self.players > 2:  # who loses at once may still choose to whom
            return self.legal_actions(s, out)
        free = (s.full + self.bottom) & self.cells  # the lowest free cell of each column
        wins = free & self.open_ends(s.stones[s.player], s.full)
        threats = self.open_ends(s.stones[1 - s.player], s.full)
        good = free & ~(threats >> U(1))  # a stone there would make room for theirs
        must = free & threats
        if must != U(0):
            good &= must
            if must & (must - U(1)) != U(0):  # two threats: nothing helps
                good = U(0)
        if wins != U(0):
            good = wins & (~wins + U(1))
        elif good == U(0):  # everything loses at once, so one of them is enough
            good = free & (~free + U(1))
        if good & (good - U(1)) == U(0):
            out[0] = lowest_bit(good) // (self.rows + 1)
            return 1
        return self.by_promise(s.stones[s.player], s.full, good, out)

    def by_promise(self, own, full, stones, out):
        """Write the columns of `stones`: most open ends first, then near the centre."""
        n = 0
        for c in range(self.columns):
            stone = stones & (self.column << U(c * (self.rows + 1)))
            if stone != U(0):
                merit = popcount(self.open_ends(own | stone, full | stone)) * 4096
                merit += (self.columns - abs(2 * c - self.columns + 1)) * 64
                i = n
                while i > 0 and out[i - 1] < merit:
                    out[i] = out[i - 1]
                    i -= 1
                out[i] = merit + c
                n += 1
        for i in range(n):
            out[i] &= 63
        return n

    def winning_action(self, s, out):
        free = (s.full + self.bottom) & self.cells  # the lowest free cell of each column
        wins = free & self.open_ends(s.stones[s.player], s.full)
        return lowest_bit(wins) // (self.rows + 1) if wins != U(0) else -1

    def noisy_actions(self, s, out):
        """Moves that win, or that stop somebody from winning in the same column."""
        n = 0
        for c in range(self.columns):
            if not (s.full >> U(c * (self.rows + 1) + self.rows - 1)) & U(1):
                stone = (s.full + (U(1) << U(c * (self.rows + 1)))) & ~s.full
                wins = False
                for p in range(self.players):
                    wins = wins or self.has_run(s.stones[p] | stone)
                if wins:
                    out[n] = c
                    n += 1
        return n

    def symmetries(self):
        return 2

    def transform(self, s, k, t):
        """0: the same; 1: left and right exchanged."""
        t.ply, t.player, t.winner = s.ply, s.player, s.winner
        t.full = self.mirrored(s.full) if k else s.full
        for p in range(self.players):
            t.stones[p] = self.mirrored(s.stones[p]) if k else s.stones[p]

    def mirrored(self, b):
        image = U(0)
        height = self.rows + 1
        left = self.column
        for c in range(self.columns):
            shift = (self.columns - 1 - 2 * c) * height
            if shift >= 0:
                image |= (b & left) << U(shift)
            else:
                image |= (b & left) >> U(-shift)
            left <<= U(height)
        return image

    def transform_action(self, a, k):
        return self.columns - 1 - a if k else a


class FourRules(NamedTuple):
    """`BitRules` of the usual four in a row, whose short test compiles into the loop around it."""

    columns: int
    rows: int
    run: int
    players: int
    cells: Any
    bottom: Any
    column: Any

    def has_run(self, b):
        """Pairs of neighbours, then pairs of pairs, in all four directions at once."""
        down, level, rise = U(self.rows), U(self.rows + 1), U(self.rows + 2)
        v, d, h, r = b & (b >> U(1)), b & (b >> down), b & (b >> level), b & (b >> rise)
        lines = (v & (v >> U(2))) | (d & (d >> (down + down)))
        lines |= (h & (h >> (level + level))) | (r & (r >> (rise + rise)))
        return lines != U(0)

    def open_ends(self, b, full):
        """Three stones in line with a gap at any place: pairs first, as above."""
        ends = (b << U(1)) & (b << U(2)) & (b << U(3))
        for d in (U(self.rows), U(self.rows + 1), U(self.rows + 2)):
            d2, d3 = d + d, d + d + d
            pair = (b << d) & (b << d2)
            ends |= pair & ((b << d3) | (b >> d))
            pair = (b >> d) & (b >> d2)
            ends |= pair & ((b >> d3) | (b << d))
        return ends & self.cells & ~full


take_methods(FourRules, BitRules)


class KeyedRules(NamedTuple):
    """`FourRules` of two players on a board that an exact key has room for."""

    columns: int
    rows: int
    run: int
    players: int
    cells: Any
    bottom: Any
    column: Any

    def exact_key(self, s):
        """The mover's stones; above those of every column a bit, so that free cells are told from
        the other player's stones. A mirror image has the same key."""
        key = s.full + self.bottom + s.stones[s.player]
        return min(key, self.mirrored(key))


take_methods(KeyedRules, FourRules)


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
