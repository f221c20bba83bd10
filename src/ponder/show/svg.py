"""A picture of a search tree as an SVG document: title, facts, the tree, the legend.

The paper is drawn too, so that the text is legible anywhere.
"""

from __future__ import annotations

import html
import textwrap
from collections.abc import Iterable

from ponder.show.colours import COLOURS
from ponder.show.legend import legend
from ponder.show.picture import TreePicture
from ponder.show.sideways import drawn_sideways
from ponder.show.svg_words import LINE, SMALL, TITLE, Line, fill, text
from ponder.show.upright import drawn_upright

MARGIN = 24.0
WIDEST = 1200.0
"""What is wider from the top down is drawn from left to right."""
FONT = "Helvetica, Arial, 'DejaVu Sans', sans-serif"


def tree_svg(picture: TreePicture) -> str:
    """The whole document."""
    tree = drawn_upright(picture.root)
    if tree.width + 2 * MARGIN > WIDEST:
        tree = min(tree, drawn_sideways(picture.root), key=lambda drawn: drawn.width)
    width = max(tree.width + 2 * MARGIN, 360.0)
    letters = max(20, int((width - 2 * MARGIN) / (TITLE * 0.56)))
    title = textwrap.wrap(picture.title, letters, max_lines=2, placeholder=" …")
    small = max(20, int((width - 2 * MARGIN) / (SMALL * 0.56)))
    facts = [line for fact in picture.facts for line in textwrap.wrap(fact, small)]
    below = filled_lines(legend(picture), small)
    parts: list[str] = []
    y = MARGIN
    for line in title:
        y += TITLE + 3
        parts.append(text(MARGIN, y - 5, Line((line,), "ink", TITLE, bold=True), "start"))
    for line in facts:
        y += LINE
        parts.append(text(MARGIN, y - 3, Line((line,)), "start"))
    top = y + 16
    left = (width - tree.width) / 2
    parts += [f'<g transform="translate({left:.1f} {top:.1f})">', *tree.parts, "</g>"]
    y = top + tree.height + 14
    for line in below:
        y += LINE
        parts.append(text(MARGIN, y, Line((line,)), "start"))
    about = " ".join([*picture.facts, *legend(picture)])
    return document(width, y + MARGIN - 6, picture.title, about, parts)


def filled_lines(entries: list[str], letters: int) -> list[str]:
    """The entries in as few lines as they fit in."""
    lines: list[str] = []
    for piece in (piece for entry in entries for piece in textwrap.wrap(entry, letters)):
        if lines and len(lines[-1]) + len(piece) + 5 <= letters:
            lines[-1] += f"  ·  {piece}"
        else:
            lines.append(piece)
    return lines


def document(width: float, height: float, title: str, about: str, parts: Iterable[str]) -> str:
    """An SVG document on paper, in the colours of all drawings, light and dark."""
    light = "".join(f"--ponder-{role}:{pair[0]};" for role, pair in COLOURS.items())
    dark = "".join(f"--ponder-{role}:{pair[1]};" for role, pair in COLOURS.items())
    rules = "".join(
        f".ponder .f-{role}{{fill:var(--ponder-{role})}}"
        f".ponder .s-{role}{{stroke:var(--ponder-{role})}}"
        for role in COLOURS
    )
    # renderers that do not know @supports skip it all, and keep the attributes
    style = (
        f"@supports (color: var(--a)){{.ponder{{{light}}}"
        f"@media (prefers-color-scheme: dark){{.ponder{{{dark}}}}}{rules}}}"
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="ponder" role="img" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" height="{height:.0f}" '
        f'font-family="{FONT}">'
        f"<title>{html.escape(title)}</title><desc>{html.escape(about)}</desc>"
        f"<style>{style}</style>"
        f'<rect width="100%" height="100%" rx="10" {fill("paper")}/>' + "".join(parts) + "</svg>\n"
    )
