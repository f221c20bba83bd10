"""The star as a picture: holes, pieces, the last move, where pieces may go."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ponder.core.draw import INK, LAST, LEGAL, LINE, PAPER, STONES, picture
from ponder.games.chinese_checkers.star import (
    CORNERS,
    DIRECTIONS,
    PLACES,
    ROW_LENGTHS,
    ROW_NAMES,
    TIPS,
)

COLOURS = (*STONES, "#b03a5b", "#6b6b6b")
ACROSS, DOWN, MARGIN = 17.0, 29.4, 42.0
"""Half the way between neighbours in a row; the way between rows: equilateral triangles."""


def centre(row: float, column: float) -> tuple[float, float]:
    return MARGIN + column * ACROSS, MARGIN + row * DOWN


def star_svg(cells: Sequence[int], last: Any, targets: Iterable[int]) -> str:
    """`last`: the action played last; the hole it left is ringed, a line points its way."""
    parts = [_outline()]

    def disc(hole: int, radius: float, style: str) -> None:
        x, y = centre(*PLACES[hole])
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:g}" {style}/>')

    for row, name in enumerate(ROW_NAMES):
        x, y = centre(row, 11 - ROW_LENGTHS[row])
        parts.append(
            f'<text x="{x:.1f}" y="{y:.1f}" font-size="13" font-family="sans-serif" fill="{INK}" '
            f'text-anchor="middle" dy="0.35em">{name}</text>'
        )
    for hole, cell in enumerate(cells):
        disc(hole, 7 if cell == 0 else 12, _style(cell))
        if cell:
            x, y = centre(*PLACES[hole])
            parts.append(
                f'<text x="{x:.1f}" y="{y:.1f}" font-size="12" font-family="sans-serif" '
                'fill="white" text-anchor="middle" dy="0.35em">'
                f"{cell}</text>"
            )
    if last is not None:
        (x, y), (row, column) = centre(*PLACES[last // 6]), PLACES[last // 6]
        down, right = DIRECTIONS[last % 6]
        x2, y2 = centre(row + 0.6 * down, column + 0.6 * right)
        disc(last // 6, 10, f'fill="none" stroke="{LAST}" stroke-width="3"')
        parts.append(
            f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{LAST}" '
            'stroke-width="3"/>'
        )
    for hole in targets:
        disc(hole, 5, f'fill="{LEGAL}"')
    width, height = centre(len(ROW_NAMES) - 1, 24)
    return picture(round(width + MARGIN), round(height + MARGIN), parts)


def _style(cell: int) -> str:
    if cell == 0:
        return f'fill="white" stroke="{LINE}"'
    return f'fill="{COLOURS[cell - 1]}" stroke="{INK}"'


def _outline() -> str:
    """The star itself: two triangles."""
    shapes = []
    for tips in (CORNERS[3], (1, 3, 5)):
        points = " ".join("{:.1f},{:.1f}".format(*centre(*TIPS[t])) for t in tips)
        shapes.append(
            f'<polygon points="{points}" fill="{PAPER}" stroke="{PAPER}" stroke-width="36" '
            'stroke-linejoin="round"/>'
        )
    return "".join(shapes)
