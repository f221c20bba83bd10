"""Words and colours of an SVG drawing.

Colours stand twice: as attributes, in the light colours, for renderers that know no more; and as
CSS variables (``--ponder-ink`` ...), which follow the reader's light or dark scheme and can be set
by a page around the drawing.
"""

from __future__ import annotations

import html
from typing import NamedTuple

from ponder.show.colours import COLOURS

LINE = 14.0
"""From one line of small text to the next."""
VALUE, SMALL, TITLE = 14.0, 11.0, 16.0
NARROW = " (),.:;|ijl'"
"""Letters half as wide as others."""
BROAD = "+=−<>≤≥∞→%mwMW"
"""Letters half as wide again."""


class Line(NamedTuple):
    """A short line of text beside a node; `under`: which of its pieces is underlined."""

    pieces: tuple[str, ...]
    role: str = "soft"
    size: float = SMALL
    bold: bool = False
    under: int | None = None

    @property
    def width(self) -> float:
        return text_width("".join(self.pieces), self.size, self.bold)


def text_width(words: str, size: float, bold: bool = False) -> float:
    """About as wide as a sans-serif font draws it."""
    letters = len(words) + 0.5 * sum((c in BROAD) - (c in NARROW) for c in words)
    return letters * size * (0.7 if bold else 0.6)


def text(x: float, y: float, line: Line, anchor: str) -> str:
    if line.under is None:
        return written(x, y, "".join(line.pieces), line, anchor)
    # Each piece stands by itself, with a stroke below the one that counts: not every renderer
    # knows where the parts of a text are, or how to underline them.
    made, left = [], x if anchor == "start" else x - line.width / 2
    for i, piece in enumerate(line.pieces):
        wide = text_width(piece, line.size, line.bold)
        if piece == ", ":
            made.append(written(left, y, ",", line, "start"))
        else:
            made.append(written(left + wide / 2, y, piece, line, "middle"))
        if i == line.under:
            made.append(
                f'<line x1="{left:.1f}" y1="{y + 2.5:.1f}" x2="{left + wide:.1f}" '
                f'y2="{y + 2.5:.1f}" {stroke(line.role)} stroke-width="1.4"/>'
            )
        left += wide
    return "".join(made)


def written(x: float, y: float, words: str, line: Line, anchor: str) -> str:
    weight = ' font-weight="bold"' if line.bold else ""
    where = "" if anchor == "start" else f' text-anchor="{anchor}"'
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{line.size:g}"{weight}{where} '
        f"{fill(line.role)}>{html.escape(words)}</text>"
    )


def backing(x: float, y: float, width: float) -> str:
    """Paper behind a line of text, so that no edge runs through it."""
    return (
        f'<rect x="{x - 2:.1f}" y="{y - 10:.1f}" width="{width + 4:.1f}" height="13" '
        f"{fill('paper')}/>"
    )


def fill(role: str) -> str:
    return f'class="f-{role}" fill="{COLOURS[role][0]}"'


def stroke(role: str) -> str:
    return f'class="s-{role}" stroke="{COLOURS[role][0]}"'


def fill_and_stroke(inner: str, ring: str, thick: float, more: str) -> str:
    """Attributes of a shape; an `inner` of no colour leaves it empty."""
    classes = f"f-{inner} s-{ring}" if inner else f"s-{ring}"
    colour = COLOURS[inner][0] if inner else "none"
    return (
        f'class="{classes}" fill="{colour}" stroke="{COLOURS[ring][0]}" '
        f'stroke-width="{thick:g}"{more}'
    )


def element(element: str, attributes: str) -> str:
    return f"{element} {attributes}/>"
