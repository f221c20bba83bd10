"""A tree as an SVG drawing from left to right, a row for each leaf: what is too wide upright."""

from __future__ import annotations

from ponder.show.layout import Drawn, Extent, laid_out
from ponder.show.picture import Form, PictureNode
from ponder.show.svg_edges import Stroke, cut_mark, drawn_along, edge_text, stem_strokes, strokes_of
from ponder.show.svg_nodes import half, lines_of, shape
from ponder.show.svg_words import LINE, SMALL, Line, backing, text, text_width

SMALLER = 0.6
"""Nodes beside those of an upright drawing: values stand beside them, not inside."""
GAP = 5.0
"""Between two rows."""
ELBOW = 14.0
"""From where a level ends to where its edges part."""
APART = 10.0
"""Between two texts of a row."""
CUT_ROOM = 16.0
SHORT = 130.0
"""What fits into one row; more becomes two."""


def drawn_sideways(root: PictureNode) -> Drawn:
    """Edges first, the best line and the last simulation above others; then nodes and texts."""
    labels = [text_width(edge_text(node), SMALL) for node in root.walk()]
    cuts = CUT_ROOM if any(node.cut for node in root.walk()) else 0.0
    # The layout knows a tree from the top down: what is "across" there is "down" here.
    layout = laid_out(root, extent, ELBOW + cuts + max(labels) + 14, GAP)
    edges: list[tuple[bool, bool, str]] = []
    over = []
    for node in root.walk():
        y, x, floor = layout.places[id(node)]
        part = floor + ELBOW
        if node.children:
            stem = drawn_along([(x + whole_width(node), y), (part, y)], stem_strokes(node))
            last = any(child.last for child in node.children)
            edges.append((any(child.line for child in node.children), last, stem))
        for child in node.children:
            to = layout.places[id(child)]
            turns = [(part, y), (part, to.x), (to.y, to.x)]
            edges.append((child.line, child.last, drawn_along(turns, strokes_of(child))))
            if child.cut:
                over.append(cut_mark(part, to.x, part + CUT_ROOM, to.x))
            over += edge_label(child, part + cuts + 7, to.x)
        if node.children and node.untried and node.reason:
            end = layout.places[id(node.children[-1])].x
            over.append(cut_off(part, end))
        wide = half_width(node)
        over.append(shape(node, x + wide, y, SMALLER * half(node), wide, node.mark))
        over += side_texts(node, x + 2 * wide + 6, y)
    ordered = [edge for *_, edge in sorted(edges, key=lambda edge: edge[:2])]
    return Drawn(layout.height, layout.width, ordered + over)


def half_width(node: PictureNode) -> float:
    return SMALLER * half(node) * (1.0 if node.form in (Form.LEAF, Form.CHANCE) else 1.12)


def rows_of(node: PictureNode) -> list[list[Line]]:
    """What is written beside a node: in one row, or in two of about the same width."""
    lines = lines_of(node, node.mark)
    if row_width(lines) <= SHORT:
        return [lines] if lines else []
    splits = ([lines[:i], lines[i:]] for i in range(1, len(lines)))
    return min(splits, key=lambda rows: max(map(row_width, rows)), default=[lines])


def row_width(row: list[Line]) -> float:
    return sum(line.width + APART for line in row)


def whole_width(node: PictureNode) -> float:
    """Of a node with its texts behind it."""
    return 2 * half_width(node) + max((row_width(row) + 4 for row in rows_of(node)), default=0.0)


def extent(node: PictureNode) -> Extent:
    tall = max(SMALLER * half(node), len(rows_of(node)) * LINE / 2) + 1
    return Extent(tall, tall, whole_width(node))


def side_texts(node: PictureNode, left: float, y: float) -> list[str]:
    parts = []
    rows = rows_of(node)
    y += 4 - (len(rows) - 1) * LINE / 2
    for row in rows:
        x = left
        for line in row:
            parts.append(text(x, y, line, "start"))
            x += line.width + APART
        y += LINE
    return parts


def cut_off(x: float, y: float) -> str:
    """Below the last child a dashed end with a cut, to what is not drawn."""
    points = (x, y + 2), (x, y + 14)
    return drawn_along([*points], [Stroke("grey", 1.2, "3 3")]) + cut_mark(*points[0], *points[1])


def edge_label(child: PictureNode, x: float, y: float) -> list[str]:
    label = edge_text(child)
    if not label:
        return []
    line = Line((label,), "grey" if child.unseen else "ink")
    return [backing(x, y + 4, line.width), text(x, y + 4, line, "start")]
