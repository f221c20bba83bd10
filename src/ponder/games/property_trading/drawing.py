"""Property trading drawn: the squares in a ring, streets with their houses, who is where."""

from __future__ import annotations

import html
import textwrap
from typing import TYPE_CHECKING, Any

from ponder.core.draw import INK, LAST, LEGAL, LINE, PAPER, STONES, picture
from ponder.core.game import rules_of
from ponder.games.property_trading.boards import FERRY, STREET
from ponder.games.property_trading.rules import MANAGE, MORTGAGED
from ponder.games.property_trading.text import what_comes

if TYPE_CHECKING:
    from ponder.games.property_trading.game import PropertyTrading

SIDE, MARGIN = 64, 8
WIDTH_OF_WORDS = 300
GROUPS = {
    "clay": "#a8694a",
    "leaf": "#6f9a5c",
    "amber": "#d6a13c",
    "water": "#5b95b5",
    "rust": "#b4512f",
    "plum": "#7d5a8c",
    "slate": "#66727c",
    "rose": "#c27a8d",
    "ferries": "#40514e",
}


def corner(squares: int, square: int) -> tuple[float, float]:
    """Upper left of a square: clockwise in a ring, from the upper left of the drawing."""
    length = squares // 4
    side, step = divmod(square, length)
    column, row = (
        (step, 0),
        (length, step),
        (length - step, length),
        (0, length - step),
    )[side]
    return MARGIN + SIDE * column, MARGIN + SIDE * row


def board_svg(game: PropertyTrading, s: Any, last: Any, legal: Any, before: Any) -> str:
    """A dot is on squares that may be managed; other actions are nowhere on the board."""
    data = game.data()
    n = len(data.squares)
    parts = []
    for i, one in enumerate(data.squares):
        x, y = corner(n, i)
        parts.append(
            f'<rect x="{x:g}" y="{y:g}" width="{SIDE}" height="{SIDE}" fill="{PAPER}" '
            f'stroke="{LINE}"/>'
        )
        if one.kind in (STREET, FERRY):
            parts.append(
                f'<rect x="{x:g}" y="{y:g}" width="{SIDE}" height="7" fill="{GROUPS[one.group]}"/>'
            )
        words = [*one.name.split(" "), str(one.price) if one.price else ""]
        for line, word in enumerate(words[:4]):
            parts.append(_words(x + SIDE / 2, y + 18 + 10 * line, word, 9))
        if s.owner[i]:
            parts += _holding(int(s.owner[i]) - 1, int(s.houses[i]), x, y)
    for p in range(game.players):
        if not s.out[p]:
            x, y = corner(n, int(s.place[p]))
            parts.append(
                f'<circle cx="{x + 10 + 14 * p:g}" cy="{y + SIDE - 9:g}" r="6" fill="{STONES[p]}" '
                f'stroke="{INK}"/>'
            )
    size = SIDE * (n // 4 + 1) + 2 * MARGIN
    told = _told(game, s, None if last is None else game.action_name(before, last))
    inside = SIDE * (n // 4 - 1) > WIDTH_OF_WORDS  # else below the ring
    left, top = (MARGIN + SIDE + 14, MARGIN + SIDE + 20) if inside else (MARGIN, size + 6)
    for i, (line_of_words, colour) in enumerate(told):
        parts.append(_words(left, top + 20 * i, line_of_words, 13, "start", colour))
    for square in sorted({(a - MANAGE) // 4 for a in legal if MANAGE <= a < MANAGE + 4 * n}):
        x, y = corner(n, square)
        parts.append(f'<circle cx="{x + SIDE - 10:g}" cy="{y + SIDE - 9:g}" r="5" fill="{LEGAL}"/>')
    if inside:
        return picture(size, size, parts)
    return picture(max(size, WIDTH_OF_WORDS + 2 * MARGIN), size + 20 * len(told), parts)


def _holding(owner: int, houses: int, x: float, y: float) -> list[str]:
    """A frame in the owner's colour, dashed where it is mortgaged; a small square for a house."""
    dashes = ' stroke-dasharray="4 4"' if houses == MORTGAGED else ""
    frame = (
        f'<rect x="{x + 2:g}" y="{y + 9:g}" width="{SIDE - 4}" height="{SIDE - 11}" fill="none" '
        f'stroke="{STONES[owner]}" stroke-width="3"{dashes}/>'
    )
    return [frame] + [
        f'<rect x="{x + 5 + 9 * i:g}" y="{y + 1:g}" width="7" height="7" fill="{STONES[2]}" '
        f'stroke="{INK}" stroke-width="0.5"/>'
        for i in range(houses)
    ]


def _told(game: PropertyTrading, s: Any, last: str | None) -> list[tuple[str, str]]:
    """Cash, wealth, the last action and what comes next: lines and their colours."""
    rules, lines = rules_of(game), []
    for p in range(game.players):
        worth = "dropped out" if s.out[p] else f"cash {s.cash[p]}, wealth {rules.wealth(s, p):g}"
        lines.append((f"player {p}: {worth}", STONES[p]))
    if last is not None:
        lines.append((f"last: {last}", LAST))
    return lines + [(line, INK) for line in textwrap.wrap(what_comes(game, s), 42)]


def _words(
    x: float, y: float, text: str, size: int, anchor: str = "middle", colour: str = INK
) -> str:
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size}" font-family="sans-serif" fill="{colour}" '
        f'text-anchor="{anchor}" dy="0.35em">{html.escape(text)}</text>'
    )
