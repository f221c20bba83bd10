"""A tree as an SVG drawing from the top down: a textbook's way, for what fits on a page."""

from __future__ import annotations

from ponder.show.layout import Drawn, Extent, laid_out
from ponder.show.picture import Form, PictureNode
from ponder.show.svg_edges import Stroke, cut_mark, drawn_along, edge_text, stem_strokes, strokes_of
from ponder.show.svg_nodes import box, half, inside, lines_of, shape
from ponder.show.svg_words import LINE, SMALL, Line, backing, text, text_width

BETWEEN = 46.0
"""Room between two levels."""
ALONG = 0.68
"""Where labels stand on an edge, from its upper end ..."""
ASIDE = 16.0
"""... but no farther than this to the side of the node: on a flat edge a label would be above
another one."""


def drawn_upright(root: PictureNode) -> Drawn:
    """Edges first, then what lies above them."""
    layout = laid_out(root, extent, BETWEEN)
    edges, labels, nodes = [], [], []
    for node in root.walk():
        x, y, floor = layout.places[id(node)]
        size = half(node)
        if node.children and floor - y - 2 * size >= 1:
            # down to where the level ends: edges begin there and cross no neighbour's text
            stem = [(x, y + 2 * size - 0.5), (x, floor + 0.5)]
            edges.append(drawn_along(stem, stem_strokes(node)))
        for child in node.children:
            to = layout.places[id(child)]
            edge = (x, floor, to.x, to.y)
            edges.append(drawn_along([edge[:2], edge[2:]], strokes_of(child)))
            if child.cut:
                edges.append(cut_mark(*edge))
            labels += edge_label(child, *edge)
        if node.children and node.untried and node.reason:
            edges.append(cut_off(x, floor))
        nodes.append(shape(node, x, y + size, size, box(node), inside(node)))
        nodes += side_texts(node, x, y)
    return Drawn(layout.width, layout.height, edges + labels + nodes)


def extent(node: PictureNode) -> Extent:
    """The room of a node with its texts: at its right, or below it where nothing else is."""
    size = half(node)
    wide = box(node) if node.form is Form.LEAF else 1.12 * size
    lines = lines_of(node, inside(node))
    longest = max((line.width for line in lines), default=0.0)
    edge = (text_width(edge_text(node), SMALL) + 4) / 2 / ALONG  # where it stands, edges are closer
    if node.children:
        right = max(wide + 6 + longest, edge)
        return Extent(max(wide, edge), right, max(2 * size, LINE * len(lines)))
    across = max(wide, longest / 2, edge)
    return Extent(across, across, 2 * size + LINE * len(lines) + 2)


def side_texts(node: PictureNode, x: float, y: float) -> list[str]:
    """The lines of a node: at its right, or below it where nothing else is."""
    parts = []
    size = half(node)
    for i, line in enumerate(lines_of(node, inside(node))):
        if node.children:
            at_x, at_y, anchor = x + size + 8, y + 11 + i * LINE, "start"
            parts.append(backing(at_x, at_y, line.width))
        else:
            at_x, at_y, anchor = x, y + 2 * size + 13 + i * LINE, "middle"
        parts.append(text(at_x, at_y, line, anchor))
    return parts


def cut_off(x: float, y: float) -> str:
    """A short dashed edge with a cut, to what is not drawn."""
    end = (x + 30, y + 20)
    return drawn_along([(x, y), end], [Stroke("grey", 1.2, "3 3")]) + cut_mark(x, y, *end)


def edge_label(child: PictureNode, x1: float, y1: float, x2: float, y2: float) -> list[str]:
    """The move, and the probability of an outcome, on the lower half of the edge."""
    label = edge_text(child)
    if not label:
        return []
    aside = max(-ASIDE, min(ASIDE, (1 - ALONG) * (x1 - x2)))
    x, y = x2 + aside, y1 + ALONG * (y2 - y1) + 4
    line = Line((label,), "grey" if child.unseen else "ink")
    return [backing(x - line.width / 2, y, line.width), text(x, y, line, "middle")]
