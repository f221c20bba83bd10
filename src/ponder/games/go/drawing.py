"""A Go board as an SVG picture: lines, star points, stones."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ponder.core.draw import INK, LAST, LEGAL, LINE, Place, picture

GAP = 32
MARGIN = 40
WOOD, BLACK_STONE, WHITE_STONE = "#ead9b0", "#26221d", "#fbf9f4"
DOTS_UP_TO = 13
"""Legal moves are marked on boards up to this size; on larger ones they would hide the board."""


def star_points(rows: int, columns: int) -> list[tuple[int, int]]:
    """The marked points of the usual boards: 4th lines from size 13 on, 3rd lines below."""

    def lines(n: int) -> list[int]:
        if n < 7:
            return []
        edge = 3 if n >= 13 else 2
        middle = [n // 2] if n % 2 and (n >= 17 or n < 13) else []
        return sorted({edge, n - 1 - edge, *middle})

    points = [(r, c) for r in lines(rows) for c in lines(columns)]
    if rows % 2 and columns % 2 and min(rows, columns) >= 7:
        points.append((rows // 2, columns // 2))
    if rows < 13:  # small boards mark the corners and the middle only
        points = [(r, c) for r, c in points if (r == rows // 2) == (c == columns // 2)]
    return sorted(set(points))


def point_place(row: int, column: int, rows: int) -> Place:
    """Where a point is drawn; row 0 is the lowest of so many."""
    return MARGIN + column * GAP, MARGIN + (rows - 1 - row) * GAP, GAP * 0.46


def go_board_svg(grid: list[list[str]], last: Any, legal: Iterable[int]) -> str:
    """The board with its last move and, if it is not too large, its legal moves marked."""
    from ponder.games.go.text import point_name

    rows, columns = len(grid), len(grid[0])
    width, height = 2 * MARGIN + (columns - 1) * GAP, 2 * MARGIN + (rows - 1) * GAP

    def x(column: int) -> float:
        return point_place(0, column, rows)[0]

    def y(row: int) -> float:
        return point_place(row, 0, rows)[1]

    def circle(row: int, column: int, radius: float, style: str) -> str:
        return f'<circle cx="{x(column)}" cy="{y(row)}" r="{radius:g}" {style}/>'

    parts = [f'<rect width="{width}" height="{height}" fill="{WOOD}" stroke="{LINE}"/>']
    ink = f'stroke="{INK}" stroke-width="1"'
    for r in range(rows):
        parts.append(f'<line x1="{x(0)}" y1="{y(r)}" x2="{x(columns - 1)}" y2="{y(r)}" {ink}/>')
    for c in range(columns):
        parts.append(f'<line x1="{x(c)}" y1="{y(0)}" x2="{x(c)}" y2="{y(rows - 1)}" {ink}/>')
    parts += [circle(r, c, 3.5, f'fill="{INK}"') for r, c in star_points(rows, columns)]
    label = f'font-size="12" font-family="sans-serif" fill="{INK}" text-anchor="middle" dy="0.35em"'
    for r in range(rows):
        parts.append(f'<text x="{MARGIN * 0.3:g}" y="{y(r)}" {label}>{r + 1}</text>')
    for c in range(columns):
        letter = point_name(0, c)[0]
        parts.append(f'<text x="{x(c)}" y="{height - MARGIN * 0.3:g}" {label}>{letter}</text>')
    for r, row in enumerate(grid):
        for c, cell in enumerate(row):
            if cell != ".":
                fill = BLACK_STONE if cell == "X" else WHITE_STONE
                parts.append(circle(r, c, GAP * 0.46, f'fill="{fill}" {ink}'))
    if last is not None and last < rows * columns:
        ring = f'fill="none" stroke="{LAST}" stroke-width="3"'
        parts.append(circle(last // columns, last % columns, GAP * 0.22, ring))
    if max(rows, columns) <= DOTS_UP_TO:
        for a in legal:
            if a < rows * columns:
                parts.append(circle(a // columns, a % columns, 3, f'fill="{LEGAL}"'))
    return picture(width, height, parts)
