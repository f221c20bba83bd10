"""Falling blocks: pieces of four squares are dropped, complete rows vanish and score a point each.

One player against chance. Chance draws one of the seven pieces, each as likely as the others; the
player chooses how it is turned and the column of its leftmost square, and it falls straight down
until it rests on the floor or on what lies there. Complete rows vanish, and what is above them
moves down. The game ends after `pieces` pieces, or when a piece is drawn that fits nowhere: it must
come to rest with all of it on the board.

A placement is written with the column and the quarter turns clockwise, ``d1``; a piece by the
letter it looks like. A position is the rows of the pile from the top (``-`` for none), the lines so
far, and the piece to be placed, left out while chance is to draw:
``..#./###. lines 2 piece T``. How many pieces were placed follows from the cells and the lines.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from ponder.core.draw import INK, LAST, LEGAL, LINE, PAPER, STONES, Place, column_letters, picture
from ponder.core.game import Spec, record, rules_of
from ponder.core.making import registered
from ponder.errors import InputError, quoted
from ponder.games.falling_blocks.rules import FallingBlocksRules
from ponder.games.falling_blocks.shapes import FIRST_PLACEMENT, PIECES, WAYS, tables

LARGEST_SIZES, MOST_PIECES = (16, 40), 1_000_000
CELL, MARGIN, SHAPE = 24, 34, 7
"""In the drawing: the side of a cell, the room around the board, a square of the small shapes."""


@registered
class FallingBlocks(NamedTuple):
    """Drop the seven pieces of four squares; a point for each complete row."""

    columns: int = 10
    rows: int = 20
    pieces: int = 100
    """After so many the game is over."""

    def problem(self) -> str | None:
        widest, highest = LARGEST_SIZES
        if not (4 <= self.columns <= widest and 4 <= self.rows <= highest):
            return (
                f"falling_blocks needs 4 to {widest} columns and 4 to {highest} rows, not "
                f"{self.columns} and {self.rows}"
            )
        if not 1 <= self.pieces <= MOST_PIECES:
            return f"falling_blocks has 1 to {MOST_PIECES} pieces, not {self.pieces}"
        return None

    def most_lines(self) -> int:
        """All cells of all pieces, laid without a gap."""
        return 4 * self.pieces // self.columns

    def rules(self) -> FallingBlocksRules:
        return FallingBlocksRules(
            *tables(self.columns), self.columns, self.rows, self.pieces, self.most_lines()
        )

    def spec(self) -> Spec:
        return Spec(
            players=1,
            max_actions=max(7, 4 * self.columns - 6),  # of T, J and L, which turn four ways
            max_length=2 * self.pieces,
            # row: from the bottom, a bit for each filled cell; heights: of the columns; piece:
            # 1 + the one to be placed, 0 while chance is to draw
            state=record(
                row=("i4", self.rows),
                placed="i4",
                lines="i4",
                heights=("i1", self.columns),
                piece="i1",
            ),
            distinct_actions=FIRST_PLACEMENT + len(WAYS) * self.columns,
            lowest=0.0,
            highest=float(max(1, self.most_lines())),
            zero_sum=False,
        )

    # ------------------------------------------------------------ for people

    def way_and_column(self, a: int) -> tuple[int, int]:
        return divmod(int(a) - FIRST_PLACEMENT, self.columns)

    def action_name(self, s: Any, a: int) -> str:
        if a < FIRST_PLACEMENT:
            return PIECES[a]
        way, column = self.way_and_column(a)
        return f"{column_letters(self.columns)[column]}{WAYS[way].turns}"

    def pile(self, s: Any) -> list[str]:
        """All rows from the top, "#" for a filled cell."""
        return [
            "".join("#" if int(row) >> c & 1 else "." for c in range(self.columns))
            for row in reversed(s.row)
        ]

    def board_text(self, s: Any) -> str:
        rows = ["|" + " ".join(row) + "|" for row in self.pile(s)]
        rows.append(" " + " ".join(column_letters(self.columns)))
        lines = f"{s.lines} lines, {s.placed} of {self.pieces} pieces placed"
        if s.piece:
            turned = [way for way in WAYS if way.piece == s.piece - 1]
            tall = max(len(way.rows) for way in turned)
            shown = [[""] * (tall - len(way.rows)) + list(way.rows) for way in turned]
            rows += [
                "  ".join(
                    row.replace(".", " ").ljust(way.width)
                    for row, way in zip(line, turned, strict=True)
                ).rstrip()
                for line in zip(*shown, strict=True)
            ]
            rows.append("  ".join(str(way.turns).ljust(way.width) for way in turned).rstrip())
            lines += f", {PIECES[s.piece - 1]} to be placed"
        return "\n".join([*rows, lines])

    def position_text(self, s: Any) -> str:
        pile = "/".join(row for row in self.pile(s) if "#" in row) or "-"
        piece = f" piece {PIECES[s.piece - 1]}" if s.piece else ""
        return f"{pile} lines {s.lines}{piece}"

    def parse_position(self, text: str, s: Any) -> None:
        found = re.fullmatch(
            rf"([-.#/]+) lines ([0-9]{{1,9}})(?: piece ([{PIECES}]))?", text.strip()
        )
        if not found:
            raise InputError(
                f"{quoted(text)} is not a position of falling_blocks, such as "
                "..#./###. lines 2 piece T (rows from the top or -, lines, the piece to be placed)"
            )
        pile = [] if found[1] == "-" else found[1].split("/")
        if any(len(row) != self.columns or "-" in row for row in pile) or len(pile) > self.rows:
            raise InputError(
                f"a pile has up to {self.rows} rows of {self.columns} cells, # or ., or is -"
            )
        if any("#" not in row or "." not in row for row in pile):
            raise InputError("a row of the pile is neither empty nor complete")
        lines = int(found[2])
        filled = sum(row.count("#") for row in pile)
        placed, rest = divmod(filled + lines * self.columns, 4)
        if rest:
            raise InputError(
                f"{filled} filled cells and {lines} lines of {self.columns} are not made of whole "
                "pieces of 4"
            )
        if placed > self.pieces or (placed == self.pieces and found[3]):
            raise InputError(
                f"{placed} pieces lie there{' and one is to be placed' if found[3] else ''}; the "
                f"game has {self.pieces}"
            )
        for r, row in enumerate(reversed(pile)):
            s.row[r] = sum(1 << c for c, mark in enumerate(row) if mark == "#")
        s.lines, s.placed = lines, placed
        s.piece = 1 + PIECES.index(found[3]) if found[3] else 0
        rules_of(self).measure(s)

    # ------------------------------------------------------------ the drawing

    def board_svg(self, s: Any, last: Any = None, legal: Any = (), before: Any = None) -> str:
        """The pile; above it a line for each way to turn the piece, with a dot over the column of
        its leftmost square where it may be dropped."""
        top, width, height = self._measures()
        parts = [
            f'<rect x="{MARGIN}" y="{top}" width="{self.columns * CELL}" '
            f'height="{self.rows * CELL}" fill="{PAPER}" stroke="{LINE}"/>'
        ]
        newest = self._newest(s, last, before)
        for r in range(self.rows):
            for c in range(self.columns):
                if int(s.row[r]) >> c & 1:
                    x, y = MARGIN + c * CELL, top + (self.rows - 1 - r) * CELL
                    edge = LAST if (c, r) in newest else PAPER
                    parts.append(
                        f'<rect x="{x + 1}" y="{y + 1}" width="{CELL - 2}" height="{CELL - 2}" '
                        f'rx="3" fill="{STONES[0]}" stroke="{edge}" stroke-width="2"/>'
                    )
        for c, letter in enumerate(column_letters(self.columns)):
            parts.append(_words(MARGIN + (c + 0.5) * CELL, height - 34, letter, "middle"))
        if s.piece:
            turned = [way for way in WAYS if way.piece == s.piece - 1]
            for way in turned:
                for c, r in way.squares:
                    x = 4 + c * SHAPE
                    y = 6 + way.turns * MARGIN + (len(way.rows) - 1 - r) * SHAPE
                    parts.append(
                        f'<rect x="{x}" y="{y}" width="{SHAPE - 1}" height="{SHAPE - 1}" '
                        f'fill="{STONES[1]}"/>'
                    )
            for dot_x, dot_y, _ in (self.action_places(s, a)[0] for a in legal):
                parts.append(f'<circle cx="{dot_x:g}" cy="{dot_y:g}" r="5" fill="{LEGAL}"/>')
        parts.append(_words(8, height - 12, f"lines {s.lines}   pieces {s.placed}/{self.pieces}"))
        return picture(width, height, parts)

    def _measures(self) -> tuple[int, int, int]:
        """Where the board begins, and the size of the drawing."""
        top = 4 * MARGIN
        return top, self.columns * CELL + 2 * MARGIN, top + self.rows * CELL + 46

    def _newest(self, s: Any, last: Any, before: Any) -> set[tuple[int, int]]:
        """Where the squares of the piece just placed are now: (column, row)."""
        if last is None or before is None or last < FIRST_PLACEMENT:
            return set()
        way, column = self.way_and_column(last)
        bottom = int(rules_of(self).landing(before, way, column))
        squares = {(column + c, bottom + r) for c, r in WAYS[way].squares}
        full = {
            r
            for r in range(bottom, bottom + len(WAYS[way].rows))
            if int(before.row[r]) | sum(1 << c for c, at in squares if at == r)
            == (1 << self.columns) - 1
        }
        return {(c, r - sum(gone < r for gone in full)) for c, r in squares if r not in full}

    def action_places(self, s: Any, a: int) -> tuple[Place, ...]:
        """A placement is in the line of its rotation, over the column of its leftmost square."""
        if a < FIRST_PLACEMENT:
            return ()
        way, column = self.way_and_column(a)
        x, y = MARGIN + (column + 0.5) * CELL, (WAYS[way].turns + 0.5) * MARGIN
        return ((x, y, 0.45 * CELL),)


def _words(x: float, y: float, text: str, anchor: str = "start") -> str:
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="13" font-family="sans-serif" fill="{INK}" '
        f'text-anchor="{anchor}" dy="0.35em">{text}</text>'
    )
