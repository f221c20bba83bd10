"""A picture of a search tree as an SVG document.

Colours stand twice: as attributes, in the light colours, for renderers that know no more; and as
CSS variables (``--ponder-ink`` ...), which follow the reader's light or dark scheme and can be set
by a page around the drawing. The paper is drawn too, so that the text is legible anywhere.
"""

from __future__ import annotations

import html
import math
import textwrap
from collections.abc import Iterable
from typing import NamedTuple

from ponder.show.colours import COLOURS
from ponder.show.layout import Extent, Layout, laid_out
from ponder.show.legend import legend
from ponder.show.picture import Form, PictureNode, TreePicture

MARGIN, BETWEEN = 24.0, 46.0
HALF = 20.0
"""Half the size of a node, where all have the same."""
LINE = 14.0
"""From one line of small text to the next."""
VALUE, SMALL, TITLE = 14.0, 11.0, 16.0
WIDE = 5.0
"""Of the best line."""
DOTS = "⋯"
"""Below a node none of whose children is drawn."""
ALONG = 0.68
"""Where labels stand on an edge, from its upper end."""
NARROW = " (),.:;|ijl'"
"""Letters half as wide as others."""
FONT = "Helvetica, Arial, 'DejaVu Sans', sans-serif"


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


def tree_svg(picture: TreePicture) -> str:
    """The whole document."""
    layout = laid_out(picture.root, extent, BETWEEN)
    width = max(layout.width + 2 * MARGIN, 360.0)
    letters = max(20, int((width - 2 * MARGIN) / (TITLE * 0.56)))
    title = textwrap.wrap(picture.title, letters, max_lines=2, placeholder=" …")
    small = max(20, int((width - 2 * MARGIN) / (SMALL * 0.56)))
    facts = [line for fact in picture.facts for line in textwrap.wrap(fact, small)]
    below = filled_lines(legend(picture.root), small)
    parts: list[str] = []
    y = MARGIN
    for line in title:
        y += TITLE + 3
        parts.append(text(MARGIN, y - 5, Line((line,), "ink", TITLE, bold=True), "start"))
    for line in facts:
        y += LINE
        parts.append(text(MARGIN, y - 3, Line((line,)), "start"))
    top = y + 16
    left = (width - layout.width) / 2
    parts += tree_parts(picture.root, layout, left, top)
    y = top + layout.height + 14
    for line in below:
        y += LINE
        parts.append(text(MARGIN, y, Line((line,)), "start"))
    return document(width, y + MARGIN - 6, picture, parts)


def filled_lines(entries: list[str], letters: int) -> list[str]:
    """The entries in as few lines as they fit in."""
    lines: list[str] = []
    for entry in entries:
        if lines and len(lines[-1]) + len(entry) + 5 <= letters:
            lines[-1] += f"  ·  {entry}"
        else:
            lines.append(entry)
    return lines


def document(width: float, height: float, picture: TreePicture, parts: Iterable[str]) -> str:
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
    about = html.escape(" ".join([*picture.facts, *legend(picture.root)]))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="ponder" role="img" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" height="{height:.0f}" '
        f'font-family="{FONT}">'
        f"<title>{html.escape(picture.title)}</title><desc>{about}</desc>"
        f"<style>{style}</style>"
        f'<rect width="100%" height="100%" rx="10" {fill("paper")}/>' + "".join(parts) + "</svg>\n"
    )


def tree_parts(root: PictureNode, layout: Layout, left: float, top: float) -> list[str]:
    """Edges first, then what lies above them."""
    edges, labels, nodes = [], [], []
    for node in root.walk():
        place = layout.places[id(node)]
        x, y, floor = place.x + left, place.y + top, place.floor + top
        if node.children:
            edges.append(stem(node, x, y + 2 * half(node), floor))
        for child in node.children:
            to = layout.places[id(child)]
            edge = (x, floor, to.x + left, to.y + top)
            edges.append(edge_line(child, *edge))
            labels += edge_label(child, *edge)
        if node.children and node.untried and node.reason:
            edges.append(cut_off(x, floor))
        nodes.append(shape(node, x, y))
        nodes += side_texts(node, x, y)
    return edges + labels + nodes


# ------------------------------------------------------------------ nodes


def half(node: PictureNode) -> float:
    """Half the size of a node: by its visits, where there are such."""
    if node.share is not None:
        return 7.0 + 13.0 * math.sqrt(node.share)
    return 15.0 if node.unseen else HALF


def inside(node: PictureNode) -> str:
    """What is written inside a node."""
    if node.mark:
        return node.mark
    if node.share is not None or len(node.values) != 1 or boxed(node):
        return ""
    room = {Form.LEAF: 6, Form.CHANCE: 5}.get(node.form, 4)
    return node.value if len(node.value) <= room else ""


def boxed(node: PictureNode) -> bool:
    """Are the values of all players written inside, in a wide box?"""
    return node.form is Form.LEAF and len(node.values) > 1 and node.share is None


def box(node: PictureNode) -> float:
    """Half the width of a leaf."""
    if boxed(node):
        return value_line(node).width / 2 + 8
    return max(half(node), text_width(inside(node), VALUE) / 2 + 6)


def lines_of(node: PictureNode) -> list[Line]:
    """What is written beside a node, from the top."""
    lines = []
    if node.values and inside(node) != node.value and not boxed(node):
        lines.append(value_line(node))
    if node.window:
        lines.append(Line((node.window,)))
    if node.reason:
        lines.append(Line((node.reason,), "clay", bold=True))
    tone = "grey" if node.unseen else "soft"
    lines += [Line((remark,), tone) for remark in node.remarks]
    if node.left_out:
        lines.append(Line((node.left_out if node.children else DOTS,), "grey"))
    return lines


def value_line(node: PictureNode) -> Line:
    """The value in bold; of several, the one that decides underlined."""
    if len(node.values) == 1:
        return Line(node.values, "ink", SMALL + 1, bold=True)
    pieces = ["("]
    for value in node.values:
        pieces += [value, ", "]
    pieces[-1] = ")"
    under = None if node.deciding is None else 1 + 2 * node.deciding
    return Line(tuple(pieces), "ink", SMALL + 1, bold=True, under=under)


def extent(node: PictureNode) -> Extent:
    size = half(node)
    wide = box(node) if node.form is Form.LEAF else 1.12 * size
    lines = lines_of(node)
    longest = max((line.width for line in lines), default=0.0)
    edge = (text_width(edge_text(node), SMALL) + 4) / 2 / ALONG  # where it stands, edges are closer
    if node.children:
        right = max(wide + 6 + longest, edge)
        return Extent(max(wide, edge), right, max(2 * size, LINE * len(lines)))
    across = max(wide, longest / 2, edge)
    return Extent(across, across, 2 * size + LINE * len(lines) + 2)


def shape(node: PictureNode, x: float, y: float) -> str:
    """The form of a node, whose top middle is at (x, y), and what is written inside."""
    size = half(node)
    middle = y + size
    ring = "grey" if node.unseen else "clay" if node.last else "ink"
    thick = 2.4 if node.last or node.line else 1.4
    dashes = ' stroke-dasharray="3 3"' if node.unseen or node.open else ""
    outline = _outline(node, x, middle, size)
    parts = [_with(outline, fill_and_stroke("paper", ring, thick, dashes))]
    if node.tint is not None and not node.unseen:
        role = "sage" if node.tint >= 0.5 else "clay"
        parts.append(
            _with(outline, f'{fill(role)} fill-opacity="{abs(node.tint - 0.5) * 1.5:.2f}"')
        )
    if node.proven:
        inner = _outline(node, x, middle, size * 0.62)
        parts.append(_with(inner, fill_and_stroke("", ring, 1.2, "")))
    written = inside(node)
    if written:
        down = {Form.MAX: 0.32, Form.MIN: -0.24}.get(node.form, 0.0) * size
        size_of = VALUE if node.form is Form.LEAF or len(written) < 3 else VALUE - 2
        role = "grey" if node.unseen else "ink"
        line = Line((written,), role, size_of, bold=not node.mark)
        parts.append(text(x, middle + down + 0.35 * size_of, line, "middle"))
    elif boxed(node):
        parts.append(text(x, middle + 0.35 * (SMALL + 1), value_line(node), "middle"))
    return "".join(parts)


def _outline(node: PictureNode, x: float, y: float, size: float) -> str:
    """An element without its colours, around (x, y)."""
    if node.form is Form.CHANCE:
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{size:.1f}"'
    if node.form is Form.LEAF:
        wide = box(node) * (size / half(node))
        return (
            f'<rect x="{x - wide:.1f}" y="{y - size:.1f}" width="{2 * wide:.1f}" '
            f'height="{2 * size:.1f}" rx="3"'
        )
    if node.form is Form.PLAYER:
        corners = [
            (size * math.cos(a * math.pi / 3), size * math.sin(a * math.pi / 3)) for a in range(6)
        ]
    else:
        tip = -size if node.form is Form.MAX else size  # up for MAX, down for MIN
        corners = [(-1.12 * size, -tip), (1.12 * size, -tip), (0.0, tip)]
    points = " ".join(f"{x + dx:.1f},{y + dy:.1f}" for dx, dy in corners)
    return f'<polygon points="{points}" stroke-linejoin="round"'


def side_texts(node: PictureNode, x: float, y: float) -> list[str]:
    """The lines of a node: at its right, or below it where nothing else is."""
    parts = []
    size = half(node)
    for i, line in enumerate(lines_of(node)):
        if node.children:
            at_x, at_y, anchor = x + size + 8, y + 11 + i * LINE, "start"
            parts.append(backing(at_x, at_y, line.width))
        else:
            at_x, at_y, anchor = x, y + 2 * size + 13 + i * LINE, "middle"
        parts.append(text(at_x, at_y, line, anchor))
    return parts


# ------------------------------------------------------------------ edges


def stem(node: PictureNode, x: float, y1: float, y2: float) -> str:
    """From a node down to where its level ends: edges begin there and cross no neighbour's text."""
    if y2 - y1 < 1:
        return ""
    alone = len(node.children) == 1 and node.children[0].chosen
    strokes = [("ink", 2.2 if alone and not node.children[0].last else 1.0)]
    if any(child.line for child in node.children):
        strokes = [("sage", WIDE)]
    if any(child.last for child in node.children):
        strokes.append(("clay", 2.0))
    return "".join(
        f'<line x1="{x:.1f}" y1="{y1 - 0.5:.1f}" x2="{x:.1f}" y2="{y2 + 0.5:.1f}" {stroke(role)} '
        f'stroke-width="{thick:g}" stroke-linecap="round"/>'
        for role, thick in strokes
    )


def cut_off(x: float, y: float) -> str:
    """A short dashed edge with a cut, to what is not drawn."""
    end = (x + 30, y + 20)
    return (
        f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{end[0]:.1f}" y2="{end[1]:.1f}" {stroke("grey")} '
        f'stroke-width="1.2" stroke-dasharray="3 3"/>' + cut_mark(x, y, *end)
    )


def edge_line(child: PictureNode, x1: float, y1: float, x2: float, y2: float) -> str:
    if child.unseen:
        strokes = [("grey", 1.2, ' stroke-dasharray="4 4"')]
    elif child.line:
        strokes = [("sage", WIDE, "")]
    else:
        strokes = [("ink", 2.2 if child.chosen and not child.last else 1.0, "")]
    if child.last:  # above the best line, so that both are seen
        strokes.append(("clay", 2.0, ""))
    lines = [
        f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" '
        f'{stroke(role)} stroke-width="{thick:g}" stroke-linecap="round"{dashes}/>'
        for role, thick, dashes in strokes
    ]
    return "".join(lines) + (cut_mark(x1, y1, x2, y2) if child.cut else "")


def cut_mark(x1: float, y1: float, x2: float, y2: float) -> str:
    """Two short strokes across an edge, as on a blackboard."""
    length = math.hypot(x2 - x1, y2 - y1) or 1.0
    along = ((x2 - x1) / length, (y2 - y1) / length)
    parts = []
    for at in (0.42 * length - 2.5, 0.42 * length + 2.5):
        x, y = x1 + along[0] * at, y1 + along[1] * at
        dx, dy = -along[1] * 6, along[0] * 6
        parts.append(
            f'<line x1="{x - dx:.1f}" y1="{y - dy:.1f}" x2="{x + dx:.1f}" y2="{y + dy:.1f}" '
            f'{stroke("clay")} stroke-width="2.2"/>'
        )
    return "".join(parts)


def edge_label(child: PictureNode, x1: float, y1: float, x2: float, y2: float) -> list[str]:
    """The move, and the probability of an outcome, on the lower half of the edge."""
    label = edge_text(child)
    if not label:
        return []
    x, y = x1 + ALONG * (x2 - x1), y1 + ALONG * (y2 - y1) + 4
    line = Line((label,), "grey" if child.unseen else "ink")
    return [backing(x - line.width / 2, y, line.width), text(x, y, line, "middle")]


def edge_text(child: PictureNode) -> str:
    """The move, or the outcome with its probability."""
    if child.edge and child.probability:
        return f"{child.edge}: {child.probability}"
    return child.edge or child.probability


# ------------------------------------------------------------------ words and colours


def text_width(words: str, size: float, bold: bool = False) -> float:
    """About as wide as a sans-serif font draws it."""
    letters = len(words) - 0.5 * sum(letter in NARROW for letter in words)
    return letters * size * (0.66 if bold else 0.6)


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
        f'{fill("paper")} fill-opacity="0.85"/>'
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


def _with(element: str, attributes: str) -> str:
    return f"{element} {attributes}/>"
