"""Drawing boards: text grids with coordinates, and SVG pictures, the same look for every game."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence

# Colours that stay apart for colour-blind people, on light and dark pages.
PAPER, LINE, INK = "#f3ede1", "#b8ab92", "#2f2a24"
STONES = ("#2f5d8a", "#d9822b", "#4f8f5b", "#8a4f8f")
LAST, LEGAL = "#c2452d", "#7d8f69"
SQUARE = 48
LABELS, NO_LABELS = 24, 8
"""Room around a board, with labels and without."""

Place = tuple[float, float, float]
"""Where something is on a drawing: the middle of a circle, x and y, and its radius."""


def column_letters(n: int) -> list[str]:
    """a, b, ... z, aa, ab ..."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    return [letters[i] if i < 26 else letters[i // 26 - 1] + letters[i % 26] for i in range(n)]


def grid_text(rows: Sequence[Sequence[str]], left: Sequence[str], below: Sequence[str]) -> str:
    """A board of one-character cells with labels at the left of each row and below each column."""
    margin = max((len(label) for label in left), default=0)
    width = max([len(b) for b in below] + [1])
    lines = [
        label.rjust(margin) + " " + " ".join(cell.rjust(width) for cell in row)
        for label, row in zip(left, rows, strict=True)
    ]
    lines.append(" " * margin + " " + " ".join(b.rjust(width) for b in below))
    return "\n".join(line.rstrip() if not line.strip() else line for line in lines)


class Board:
    """An SVG board of squares; row 0 is drawn at the top. Chain the calls, then `svg()`."""

    def __init__(
        self,
        columns: int,
        rows: int,
        left: Sequence[str] = (),
        below: Sequence[str] = (),
        checkered: bool = False,
    ) -> None:
        self.columns, self.rows = columns, rows
        self.margin: int = LABELS if left or below else NO_LABELS
        self.parts: list[str] = []
        for r in range(rows):
            for c in range(columns):
                shade = "#e3d8c2" if checkered and (r + c) % 2 else PAPER
                x, y = self._corner(c, r)
                self.parts.append(
                    f'<rect x="{x}" y="{y}" width="{SQUARE}" height="{SQUARE}" '
                    f'fill="{shade}" stroke="{LINE}"/>'
                )
        for r, label in enumerate(left):
            self._label(self.margin / 2, self._corner(0, r)[1] + SQUARE / 2, label)
        for c, label in enumerate(below):
            bottom = self.margin + rows * SQUARE
            self._label(self._corner(c, 0)[0] + SQUARE / 2, bottom + self.margin / 2, label)

    def _corner(self, column: int, row: int) -> tuple[int, int]:
        return self.margin + column * SQUARE, self.margin + row * SQUARE

    def _label(self, x: float, y: float, text: str) -> None:
        self.parts.append(
            f'<text x="{x:g}" y="{y:g}" font-size="13" font-family="sans-serif" fill="{INK}" '
            f'text-anchor="middle" dy="0.35em">{html.escape(text)}</text>'
        )

    def stone(self, column: int, row: int, colour: str, radius: float = 0.4) -> Board:
        x, y = self._corner(column, row)
        self.parts.append(
            f'<circle cx="{x + SQUARE / 2:g}" cy="{y + SQUARE / 2:g}" r="{SQUARE * radius:g}" '
            f'fill="{colour}" stroke="{INK}" stroke-width="1"/>'
        )
        return self

    def fill(self, column: int, row: int, colour: str) -> Board:
        """Paint the whole square: a wall, say."""
        x, y = self._corner(column, row)
        self.parts.append(
            f'<rect x="{x}" y="{y}" width="{SQUARE}" height="{SQUARE}" fill="{colour}"/>'
        )
        return self

    def glyph(self, column: int, row: int, text: str, colour: str = INK, size: int = 30) -> Board:
        x, y = self._corner(column, row)
        self.parts.append(
            f'<text x="{x + SQUARE / 2:g}" y="{y + SQUARE / 2:g}" font-size="{size}" '
            f'font-family="sans-serif" fill="{colour}" text-anchor="middle" '
            f'dy="0.35em">{html.escape(text)}</text>'
        )
        return self

    def last(self, column: int, row: int) -> Board:
        """Mark the last move: a ring inside the square."""
        x, y = self._corner(column, row)
        self.parts.append(
            f'<rect x="{x + 3}" y="{y + 3}" width="{SQUARE - 6}" height="{SQUARE - 6}" '
            f'fill="none" stroke="{LAST}" stroke-width="3"/>'
        )
        return self

    def legal(self, squares: Iterable[tuple[int, int]]) -> Board:
        """Mark legal moves: a dot each."""
        for column, row in squares:
            x, y = self._corner(column, row)
            self.parts.append(
                f'<circle cx="{x + SQUARE / 2:g}" cy="{y + SQUARE / 2:g}" r="5" fill="{LEGAL}"/>'
            )
        return self

    def svg(self) -> str:
        width = self.columns * SQUARE + 2 * self.margin
        height = self.rows * SQUARE + 2 * self.margin
        return picture(width, height, self.parts)


def square_place(column: int, row: int, margin: int = LABELS) -> Place:
    """The place of a square of a `Board`, with labels unless the margin is another one."""
    return margin + (column + 0.5) * SQUARE, margin + (row + 0.5) * SQUARE, 0.4 * SQUARE


def picture(width: float, height: float, parts: Iterable[str]) -> str:
    """A whole SVG document."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
        f'width="{width:g}" height="{height:g}">' + "".join(parts) + "</svg>"
    )


def text_svg(text: str) -> str:
    """Text as a picture, for games without a drawing of their own."""
    lines = text.splitlines() or [""]
    width = 16 + 9 * max(len(line) for line in lines)
    parts = [
        f'<text x="8" y="{22 + 18 * i}" font-size="15" font-family="monospace" fill="{INK}" '
        f'xml:space="preserve">{html.escape(line)}</text>'
        for i, line in enumerate(lines)
    ]
    return picture(width, 18 * len(lines) + 16, parts)
