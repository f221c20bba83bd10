"""Nodes of an SVG drawing: their forms, and what is written inside and beside them."""

from __future__ import annotations

import math

from ponder.show.picture import Form, PictureNode
from ponder.show.svg_words import (
    SMALL,
    VALUE,
    Line,
    element,
    fill,
    fill_and_stroke,
    text,
    text_width,
)

HALF = 20.0
"""Half the size of a node, where all have the same."""
STRONGEST = 0.85
"""The colour of the best and of the worst value; none in the middle."""
DOTS = "⋯"
"""Below a node none of whose children is drawn."""


def half(node: PictureNode) -> float:
    """Half the size of a node: by its visits, where there are such."""
    if node.share is not None:
        return 7.0 + 13.0 * math.sqrt(node.share)
    return 15.0 if node.unseen else HALF


def inside(node: PictureNode) -> str:
    """What is written inside a node of that size."""
    if boxed(node):
        return node.value
    if node.mark:
        return node.mark
    if node.share is not None or len(node.values) != 1:
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


def lines_of(node: PictureNode, words: str) -> list[Line]:
    """What is written beside a node that has `words` inside, from the top."""
    lines = []
    if node.values and words != node.value:
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


def shape(node: PictureNode, x: float, y: float, size: float, wide: float, words: str) -> str:
    """The form of a node around (x, y) with `words` inside; `size`: half its height, `wide`: half
    its width, if it is a leaf."""
    ring = "grey" if node.unseen else "clay" if node.last else "ink"
    thick = 2.4 if node.last or node.line else 1.4
    dashes = ' stroke-dasharray="3 3"' if node.unseen or node.open else ""
    outline = _outline(node, x, y, size, wide)
    parts = [element(outline, fill_and_stroke("paper", ring, thick, dashes))]
    if node.tint is not None and not node.unseen:
        role = "sage" if node.tint >= 0.5 else "clay"
        strength = STRONGEST * abs(2.0 * node.tint - 1.0) ** 0.6  # small differences are seen too
        parts.append(element(outline, f'{fill(role)} fill-opacity="{strength:.2f}"'))
    if node.proven:
        inner = _outline(node, x, y, size * 0.62, wide * 0.62)
        parts.append(element(inner, fill_and_stroke("", ring, 1.2, "")))
    if words and words == node.value and len(node.values) > 1:
        parts.append(text(x, y + 0.35 * (SMALL + 1), value_line(node), "middle"))
    elif words:
        down = {Form.MAX: 0.32, Form.MIN: -0.24}.get(node.form, 0.0) * size
        letters = VALUE if node.form is Form.LEAF or len(words) < 3 else VALUE - 2
        letters = min(letters, 1.1 * size)
        role = "grey" if node.unseen else "ink"
        line = Line((words,), role, letters, bold=not node.mark)
        parts.append(text(x, y + down + 0.35 * letters, line, "middle"))
    return "".join(parts)


def _outline(node: PictureNode, x: float, y: float, size: float, wide: float) -> str:
    """An element without its colours, around (x, y)."""
    if node.form is Form.CHANCE:
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{size:.1f}"'
    if node.form is Form.LEAF:
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
