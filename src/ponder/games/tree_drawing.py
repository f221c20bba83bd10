"""Trees for people: an outline in text, a drawing with triangles, circles and values."""

from __future__ import annotations

import html
from typing import Any

from ponder.core.draw import INK, LAST, LEGAL, LINE, PAPER, STONES, Place, picture, text_svg
from ponder.core.game import CHANCE
from ponder.games.tree_notation import FlatTree

MOST_LINES = 40
"""Of an outline."""
MOST_NODES = 600
"""In a drawing; a larger tree is drawn as its outline."""
WIDE, HIGH, MARGIN, SIZE = 44, 70, 34, 13


def leaf_text(tree: FlatTree, node: int) -> str:
    """The utilities of a leaf; player 0's alone where the other's is its negative."""
    values = [float(u) for u in tree.utilities[node]]
    if len(values) == 1 or (len(values) == 2 and values[0] == -values[1]):
        return f"{values[0]:g}"
    return "(" + ", ".join(f"{u:g}" for u in values) + ")"


def node_text(tree: FlatTree, node: int) -> str:
    if tree.count[node] == 0:
        return leaf_text(tree, node)
    player = int(tree.player[node])
    return "chance" if player == CHANCE else f"player {player}"


def edge_text(tree: FlatTree, node: int) -> str:
    """The name of the edge into a node, with its probability below chance."""
    above = tree.parent[node]
    likely = f" ({tree.chance[node]:.4g})" if tree.player[above] == CHANCE else ""
    return tree.name[node] + likely


def tree_text(tree: FlatTree, current: int) -> str:
    """The way to the current node, and an outline of what lies below it."""
    path = tree.path(current)
    way = " ".join(tree.name[node] for node in path[1:])
    lines = [(f"at {way}: " if way else "at the root: ") + node_text(tree, current)]
    waiting = [(child, 1) for child in reversed(tree.children(current))]
    while waiting and len(lines) < MOST_LINES:
        node, level = waiting.pop()
        lines.append("  " * level + f"{edge_text(tree, node)}: {node_text(tree, node)}")
        waiting += [(child, level + 1) for child in reversed(tree.children(node))]
    return "\n".join(lines + (["  ..."] if waiting else []))


def tree_svg(tree: FlatTree, current: int, last: Any = None, legal: Any = ()) -> str:
    """The whole tree: a triangle points up for player 0 and down for player 1, chance is a circle.

    The way to the current node is drawn thick (its last move in its own colour), the moves
    that are legal there in the colour of legal moves.
    """
    if len(tree.name) > MOST_NODES:
        return text_svg(tree_text(tree, current))
    places, width = _layout(tree)
    way = tree.path(current)
    first = int(tree.first[current])
    open_moves = {first + a for a in legal}
    parts = []
    for node in range(1, len(tree.name)):
        colour, thick = LINE, 1.5
        if node in way:
            colour, thick = (LAST if node == current and last is not None else INK), 4.0
        elif node in open_moves:
            colour, thick = LEGAL, 3.0
        parts.append(_edge(places[tree.parent[node]], places[node], colour, thick))
        parts.append(_edge_label(tree, node, places))
    for node, (x, y) in enumerate(places):
        parts.append(_shape(tree, node, x, y, node == current))
    return picture(width, 2 * MARGIN + HIGH * tree.depth, parts)


def node_place(tree: FlatTree, node: int) -> tuple[Place, ...]:
    """Where a node is on that drawing; nowhere on an outline."""
    if len(tree.name) > MOST_NODES:
        return ()
    return ((*_layout(tree)[0][node], float(SIZE)),)


def _layout(tree: FlatTree) -> tuple[list[tuple[float, float]], float]:
    """Leaves side by side in order; every other node above the middle of its children."""
    widest = max(len(leaf_text(tree, n)) for n in range(len(tree.name)) if not tree.count[n])
    longest = max((len(edge_text(tree, n)) for n in range(1, len(tree.name))), default=0)
    step = max(WIDE, 9 * widest + 16, 6 * longest + 8)
    margin = max(MARGIN, step / 2)
    across = [0.0] * len(tree.name)
    down = [0.0] * len(tree.name)
    leaves = 0
    waiting = [0]
    while waiting:  # depth first, so that leaves come in their order
        node = waiting.pop()
        if node:
            down[node] = down[tree.parent[node]] + HIGH
        if tree.count[node] == 0:
            across[node] = margin + step * leaves
            leaves += 1
        waiting.extend(reversed(tree.children(node)))
    for node in reversed(range(len(tree.name))):  # breadth first: children stand after parents
        below = tree.children(node)
        if below:
            across[node] = (across[below[0]] + across[below[-1]]) / 2
    width = 2 * margin + step * (leaves - 1)
    return [(x, y + MARGIN) for x, y in zip(across, down, strict=True)], width


def _edge(a: tuple[float, float], b: tuple[float, float], colour: str, thick: float) -> str:
    return (
        f'<line x1="{a[0]:g}" y1="{a[1]:g}" x2="{b[0]:g}" y2="{b[1]:g}" '
        f'stroke="{colour}" stroke-width="{thick:g}"/>'
    )


def _edge_label(tree: FlatTree, node: int, places: list[tuple[float, float]]) -> str:
    above, here = places[tree.parent[node]], places[node]
    x, y = (above[0] + 2 * here[0]) / 3 + 4, (above[1] + 2 * here[1]) / 3
    halo = f' stroke="{PAPER}" stroke-width="3" paint-order="stroke"'  # readable across the line
    return _text(x, y - 8, edge_text(tree, node), 10, INK, halo)


def _shape(tree: FlatTree, node: int, x: float, y: float, current: bool) -> str:
    edge, thick = (LAST, 3) if current else (INK, 1)
    style = f'stroke="{edge}" stroke-width="{thick}"'
    if tree.count[node] == 0:
        text = leaf_text(tree, node)
        half = 4.5 * len(text) + 5
        box = (
            f'<rect x="{x - half:g}" y="{y - 11:g}" width="{2 * half:g}" height="22" rx="4" '
            f'fill="{PAPER}" {style}/>'
        )
        return box + _text(x, y, text, 14, INK)
    player = int(tree.player[node])
    if player == CHANCE:
        return f'<circle cx="{x:g}" cy="{y:g}" r="{SIZE}" fill="{PAPER}" {style}/>'
    tip = SIZE if player == 1 else -SIZE
    corners = f"{x - SIZE:g},{y - tip:g} {x + SIZE:g},{y - tip:g} {x:g},{y + tip:g}"
    shape = f'<polygon points="{corners}" fill="{STONES[player % len(STONES)]}" {style}/>'
    label = _text(x, y + tip * -0.35, str(player), 11, PAPER) if player > 1 else ""
    return shape + label


def _text(x: float, y: float, text: str, size: int, colour: str, more: str = "") -> str:
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size}" font-family="sans-serif" fill="{colour}" '
        f'text-anchor="middle" dy="0.35em"{more}>{html.escape(text)}</text>'
    )
