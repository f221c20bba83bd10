"""Edges of an SVG drawing: how a move looks, and what is written on it."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

from ponder.show.picture import PictureNode
from ponder.show.svg_words import stroke

BEST = 5.0
"""How thick the best line is."""


class Stroke(NamedTuple):
    role: str
    thick: float
    dashes: str = ""


GREEN, LAST = Stroke("sage", BEST), Stroke("clay", 2.0)
UNSEEN = Stroke("grey", 1.2, "4 4")


def strokes_of(child: PictureNode) -> list[Stroke]:
    """The edge into a node: lines upon each other."""
    if child.unseen:
        strokes = [UNSEEN]
    elif child.line:
        strokes = [GREEN]
    else:
        strokes = [Stroke("ink", 2.2 if child.chosen and not child.last else 1.0)]
    if child.last:
        strokes = [*with_room(strokes), LAST]
    return strokes


def stem_strokes(node: PictureNode) -> list[Stroke]:
    """What all edges out of a node begin with."""
    alone = len(node.children) == 1 and node.children[0].chosen
    strokes = [Stroke("ink", 2.2 if alone and not node.children[0].last else 1.0)]
    if all(child.unseen for child in node.children):
        strokes = [UNSEEN]
    if any(child.line for child in node.children):
        strokes = [GREEN]
    if any(child.last for child in node.children):
        strokes = [*with_room(strokes), LAST]
    return strokes


def with_room(strokes: list[Stroke]) -> list[Stroke]:
    """The best line as two green edges, between which the last simulation is seen in red: red upon
    green looks brown in a small picture."""
    if strokes == [GREEN]:
        return [Stroke("sage", BEST + 2.0), Stroke("paper", BEST - 1.0)]
    return strokes


def drawn_along(points: list[tuple[float, float]], strokes: Iterable[Stroke]) -> str:
    """A line through all points, for each stroke."""
    where = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    made = []
    for role, thick, dashes in strokes:
        dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
        made.append(
            f'<polyline points="{where}" fill="none" {stroke(role)} stroke-width="{thick:g}" '
            f'stroke-linecap="round" stroke-linejoin="round"{dashed}/>'
        )
    return "".join(made)


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


def edge_text(child: PictureNode) -> str:
    """The move, or the outcome with its probability."""
    if child.edge and child.probability:
        return f"{child.edge}: {child.probability}"
    return child.edge or child.probability
