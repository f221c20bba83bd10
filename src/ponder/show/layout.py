"""Where the nodes of a drawing stand: a tidy tree.

Parents stand in the middle above their children, subtrees as close to each other as their outlines
allow, equal subtrees look equal (Reingold & Tilford 1981, with widths of their own for all nodes).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

GAP = 14.0
"""Between two neighbours."""


class Extent(NamedTuple):
    """Room that a node takes, from its middle."""

    left: float
    right: float
    height: float


class Place(NamedTuple):
    """The middle of a node across, its top down, and where its level ends."""

    x: float
    y: float
    floor: float


class Layout(NamedTuple):
    places: dict[int, Place]
    """By the id of the node."""
    width: float
    height: float


class Drawn(NamedTuple):
    """A whole tree from (0, 0) to (width, height), as elements of a drawing."""

    width: float
    height: float
    parts: list[str]


def laid_out(
    root: Any, extent: Callable[[Any], Extent], between: float, gap: float = GAP
) -> Layout:
    """Places for a node with `children` and all below; `between`: room between two levels."""
    extents: dict[int, Extent] = {}
    levels: list[float] = []
    order: list[tuple[Any, int]] = []
    waiting = [(root, 0)]
    while waiting:
        node, level = waiting.pop()
        order.append((node, level))
        extents[id(node)] = extent(node)
        if level == len(levels):
            levels.append(0.0)
        levels[level] = max(levels[level], extents[id(node)].height)
        waiting.extend((child, level + 1) for child in reversed(node.children))
    offsets: dict[int, float] = {id(root): 0.0}
    outlines: dict[int, list[tuple[float, float]]] = {}
    for node, _ in reversed(order):  # children before parents
        outlines[id(node)] = _placed(node, extents[id(node)], outlines, offsets, gap)
    tops = [0.0]
    for height in levels:
        tops.append(tops[-1] + height + between)
    left = min(low for low, _ in outlines[id(root)])
    right = max(high for _, high in outlines[id(root)])
    places = {id(root): Place(-left, 0.0, levels[0])}
    for node, level in order:
        for child in node.children:
            x = places[id(node)].x + offsets[id(child)]
            below = tops[level + 1]
            places[id(child)] = Place(x, below, below + levels[level + 1])
    return Layout(places, right - left, tops[-1] - between)


def _placed(
    node: Any,
    own: Extent,
    outlines: dict[int, list[tuple[float, float]]],
    offsets: dict[int, float],
    gap: float,
) -> list[tuple[float, float]]:
    """Place the children of a node beside each other; the outline of it all, level by level:
    how far it reaches to the left and to the right of the node."""
    whole: list[tuple[float, float]] = []
    for child in node.children:
        below = outlines.pop(id(child))
        shared = zip(whole, below, strict=False)
        at = max((right + gap - left for (_, right), (left, _) in shared), default=0.0)
        offsets[id(child)] = at
        for level, (left, right) in enumerate(below):
            if level < len(whole):
                whole[level] = (min(whole[level][0], left + at), max(whole[level][1], right + at))
            else:
                whole.append((left + at, right + at))
    if node.children:
        middle = (offsets[id(node.children[0])] + offsets[id(node.children[-1])]) / 2
        for child in node.children:
            offsets[id(child)] -= middle
        whole = [(left - middle, right - middle) for left, right in whole]
    return [(-own.left, own.right), *whole]
