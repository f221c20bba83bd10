"""Connect Four: drop stones into columns; the first straight line of `run` own stones wins.

Any number of columns and rows, any run length, 2 to 4 players in turn. A win is worth 1 to the
winner and -1 shared among the others; a full board without a line is a draw.

Moves are column numbers from 1. A position is written row by row from the top, with "." for an
empty cell: ``......./......./......./......./...o.../..xx...``; whose turn it is follows from
the number of stones.

The rules are in `bit_rules`, and for boards too large for a 64-bit word in `cell_rules`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ponder.core.draw import STONES, Board, Place, grid_text, square_place
from ponder.core.game import Spec, record
from ponder.core.geometry import Geometry
from ponder.core.making import registered
from ponder.errors import InputError
from ponder.games.connect4.bit_rules import BitRules, FourRules, KeyedRules, UsualRules
from ponder.games.connect4.cell_rules import CellRules
from ponder.jit import U

SYMBOLS = "xoz#"
LARGEST = 1024  # cells


@registered
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

    def rules(self) -> UsualRules | KeyedRules | FourRules | BitRules | CellRules:
        if self == ConnectFour():
            return UsualRules()
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
            board=Geometry(self.rows, self.columns, codes=2 + self.players, line=self.run),
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
            raise InputError(f"players move in turn, {used[0]} first: {shown} is impossible")
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

    def action_places(self, s: Any, a: int) -> tuple[Place, ...]:
        """The cell that the stone falls into."""
        filled = sum(row[a] >= 0 for row in self.stones(s))
        return (square_place(a, self.rows - 1 - filled),)
