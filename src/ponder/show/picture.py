"""What a drawing of a search tree says, whoever draws it: nodes, edges, values, windows, reasons.

Numbers are texts already. In games of two opposed players every value and every window is player
0's, called MAX, wherever it stands; nothing flips from one level to the next.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from enum import Enum
from typing import Any

INFINITY, MINUS = "∞", "−"


class Form(Enum):
    """How a node looks, and the sign that stands for it in text."""

    MAX = "△"
    MIN = "▽"
    CHANCE = "○"
    LEAF = "□"
    PLAYER = "⬡"
    """One of more than two players: the number is written inside."""


@dataclass
class PictureNode:
    """One node with the edge into it."""

    form: Form
    edge: str = ""
    """The move or outcome that leads here."""
    probability: str = ""
    """Of the outcome, below chance."""
    mark: str = ""
    """Inside the form: the player's number."""
    values: tuple[str, ...] = ()
    """The value; with more than two players, one for each."""
    deciding: int | None = None
    """Which of `values` the player above compares."""
    window: str = ""
    reason: str = ""
    """Why the rest below was cut off."""
    remarks: list[str] = field(default_factory=list)
    """Further short lines: visits, terms of the select rule, bounds."""
    unseen: bool = False
    """The search has not looked at it."""
    open: bool = False
    """Entered and not left yet."""
    cut: bool = False
    """The edge was cut: by a window above, or for good by a select rule."""
    proven: bool = False
    chosen: bool = False
    """The best move of the node above."""
    line: bool = False
    """On the best line from the root."""
    last: bool = False
    """On the path of the last simulation."""
    more: int = 0
    """Nodes right below that the search has seen and the picture does not show."""
    untried: int = 0
    """Moves right below that the search has not looked at, nor the picture shows."""
    share: float | None = None
    """Of all visits, 0 to 1: the size; None where all nodes have the same."""
    tint: float | None = None
    """0 (the worst value for MAX, or for whom it belongs to) to 1 (the best)."""
    children: list[PictureNode] = field(default_factory=list)

    def walk(self) -> Iterator[PictureNode]:
        """This node and all below it, parents first."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(reversed(node.children))

    @property
    def left_out(self) -> str:
        """What is not drawn below, in words."""
        unseen = "untried" if self.share is not None else "not looked at"
        words = [f"{self.more:,} more"] if self.more else []
        words += [f"{self.untried:,} {unseen}"] if self.untried else []
        return ", ".join(words)

    @property
    def value(self) -> str:
        """The value as one text."""
        return self.values[0] if len(self.values) == 1 else f"({', '.join(self.values)})"

    def to_json(self) -> dict[str, Any]:
        """Plain data; what says nothing (no window, not cut ...) is left out."""
        made: dict[str, Any] = {"form": self.form.name.lower()}
        for one in fields(self)[1:-1]:
            value = getattr(self, one.name)
            if value or (value == 0.0 and one.name in ("share", "tint", "deciding")):
                made[one.name] = list(value) if isinstance(value, tuple) else value
        if self.children:
            made["children"] = [child.to_json() for child in self.children]
        return made


@dataclass
class TreePicture:
    """A whole drawing."""

    root: PictureNode
    facts: list[str]
    """Lines about the search, and what is not drawn."""
    title: str = ""
    alone: bool = False
    """Is it a game of one player?"""

    def to_json(self) -> dict[str, Any]:
        """Plain data: title, facts, and the root with its children inside it."""
        return {"title": self.title, "facts": self.facts, "root": self.root.to_json()}


def number_text(value: float) -> str:
    """A number as one writes it by hand: few digits, a real minus, infinity as such."""
    if math.isinf(value):
        return ("+" if value > 0 else MINUS) + INFINITY
    text = f"{value:.3g}" if abs(value) < 1000 else f"{value:.0f}"
    if abs(value) < 1e-9:  # the sliver that a null window is moved by
        text = "0"
    return (text if float(text) else "0").replace("-", MINUS)


def estimate_text(value: float) -> str:
    """A mean of samples: no more digits than it is worth."""
    return number_text(round(value, 2) if abs(value) < 10 else value)


def window_text(alpha: float, beta: float) -> str:
    """A window; one of no width, as null-window searches use, has a small plus at its upper end."""
    if 0 <= beta - alpha < 1e-6 * max(1.0, abs(alpha)):
        low = number_text(alpha)
        return f"[{low}, {low}⁺]"
    return f"[{number_text(alpha)}, {number_text(beta)}]"
