"""A picture of a Monte Carlo search tree: its most visited part."""

from __future__ import annotations

import heapq
import math
from typing import Any

from ponder.core.position import Position
from ponder.errors import InputError
from ponder.mcts.why import Reason, why
from ponder.show.picture import (
    Form,
    PictureNode,
    TreePicture,
    estimate_text,
    number_text,
)
from ponder.show.view import View

MOST_UNTRIED = 4
"""Untried moves of one node drawn one by one; more become one sign."""
MOST_CONTRAST = 4.0
MOST_REASONS = 12
"""Root moves whose terms are written beside them."""
SYMBOLS = {"mean": "μ", "spread": "σ", "floor": "ε", "P": "P"}
"""What the numbers of a formula are called in a drawing."""


def monte_carlo_picture(tree: Any, most: int, last: tuple[str, ...] | None = None) -> TreePicture:
    """Up to `most` visited nodes of a `SearchTree`; `last`: the path of the last simulation."""
    drawing = _TreeDrawing(tree, most, last)
    root = tree.root
    facts = [f"{root.visits:,} simulations" + _worth(drawing.root)]
    terms = {tuple(r.terms) for r in drawing.reasons.values() if r.terms and is_sum(r)}
    if terms == {("probability",)}:
        facts.append("root moves: μ mean, σ spread, ε floor, and how likely each is selected next")
    elif len(terms) == 1:
        facts.append(f"root moves{drawing.whose()}: score = {' + '.join(terms.pop())}")
        # the formulas count the root once more than simulations came to it
        if {r.numbers.get("N") for r in drawing.reasons.values()} == {root.visits + 1}:
            facts[-1] += f", where N = {root.visits + 1:,} (1 for the root)"
    if drawing.hidden:
        facts.append(f"showing the {drawing.drawn:,} most visited nodes of {drawing.visited:,}")
    return TreePicture(drawing.root, facts, alone=drawing.view.players == 1)


def _worth(root: PictureNode) -> str:
    return f", root value {root.value}" if root.values else ""


class _TreeDrawing:
    """Makes the nodes of the picture."""

    def __init__(self, tree: Any, most: int, last: tuple[str, ...] | None) -> None:
        self.tree, self.last = tree, last
        self.view = View.of(tree.position)
        self.chosen = most_visited(tree.root, most)
        self.drawn = len(self.chosen)
        nodes = tree._store.nodes[: tree.size]
        self.visited = int((nodes["visits"] > 0).sum())
        self.hidden = self.visited - self.drawn
        self.bounded = "low" in nodes.dtype.names
        self.room = max(0, most - self.drawn) + MOST_UNTRIED
        self.reasons = self._reasons()
        self.root = self._node(tree.root, ())
        mark_line(self.root)
        more_contrast(self.root)

    def whose(self) -> str:
        """Values are MAX's, reasons those of whoever moves at the root."""
        form, _ = self.view.form(self.tree.position)
        return ", as MIN sees them" if form is Form.MIN else ""

    def _reasons(self) -> dict[str, Reason]:
        """What the select rule makes of the root moves; nothing where it cannot say."""
        root = self.tree.root
        if not root.is_expanded or root.is_chance or len(root.children) > MOST_REASONS:
            return {}
        try:
            return {reason.name: reason for reason in why(self.tree)}
        except InputError:  # the rule gives no reasons
            return {}

    def _node(self, node: Any, path: tuple[str, ...]) -> PictureNode:
        record, position = node._record, node.position
        form, mark = self.view.form(position)
        made = PictureNode(form, path[-1] if path else "", mark=mark)
        made.share = node.visits / max(1, self.tree.root.visits)
        made.last = self.last is not None and path == self.last[: len(path)]
        made.cut = bool(record.cut)
        if node.value is not None:
            self._write_value(made, node)
        made.remarks.append(f"n = {node.visits:,}")
        if len(path) == 1 and path[0] in self.reasons:
            made.remarks += reason_lines(self.reasons[path[0]], made.proven)
        self._children(made, node, path, position)
        return made

    def _write_value(self, made: PictureNode, node: Any) -> None:
        value, owner = float(node.value), node.owner
        shown = self.view.seen(value, owner)
        made.tint = self.view.tint(shown)
        text = estimate_text(shown)
        made.values = (
            text if self.view.opposed or self.view.players == 1 else f"{text} for {owner}",
        )
        if self.bounded:
            low, high = (float(bound[owner]) for bound in (node._record.low, node._record.high))
            made.proven = low == high
            if made.proven:
                made.values = (number_text(self.view.seen(low, owner)),)

    def _children(
        self, made: PictureNode, node: Any, path: tuple[str, ...], position: Position
    ) -> None:
        below = node.children
        if not below:
            return
        if position.is_chance:
            chances = dict(position.chance_outcomes)
            order = {action: i for i, action in enumerate(chances)}
        else:
            order = {action: i for i, action in enumerate(position.legal_actions)}
        untried, hidden = [], 0
        for child in sorted(below, key=lambda c: order.get(c.action, len(order))):
            if child.visits == 0:
                untried.append(child)
            elif child.index not in self.chosen:
                hidden += 1
            else:
                drawn = self._node(child, (*path, child.name))
                if position.is_chance:
                    drawn.probability = number_text(chances[child.action])
                made.children.append(drawn)
        if made.children and not position.is_chance:
            max(made.children, key=lambda child: child.share or 0.0).chosen = True
        made.more = hidden
        if made.children and len(untried) <= min(MOST_UNTRIED, self.room):
            self.room -= len(untried)
            for child in untried:
                form, mark = self.view.form(child.position)
                drawn = PictureNode(form, child.name, mark=mark, unseen=True)
                if position.is_chance:
                    drawn.probability = number_text(chances[child.action])
                made.children.append(drawn)
        else:
            made.untried = len(untried)


def mark_line(root: PictureNode) -> None:
    """The most visited moves from the root on, until dice fall."""
    node: PictureNode | None = root
    while node is not None:
        node = next((child for child in node.children if child.chosen), None)
        if node is not None:
            node.line = True


def more_contrast(root: PictureNode) -> None:
    """Where all values lie near the middle of the game's range: up to four times the colour."""
    tinted = [node for node in root.walk() if node.tint is not None]
    farthest = max((abs(node.tint - 0.5) for node in tinted if node.tint is not None), default=0.0)
    factor = min(MOST_CONTRAST, 0.5 / farthest) if farthest else 1.0
    for node in tinted:
        node.tint = 0.5 + factor * ((node.tint or 0.0) - 0.5)


def most_visited(root: Any, most: int) -> set[int]:
    """The indices of up to `most` visited nodes, parents with their children."""
    chosen: set[int] = set()
    waiting = [(-root.visits, root.index, root)]
    while waiting and len(chosen) < most:
        _, index, node = heapq.heappop(waiting)
        if index in chosen:  # positions may share their children
            continue
        chosen.add(index)
        for child in node.children:
            if child.visits:
                heapq.heappush(waiting, (-child.visits, child.index, child))
    return chosen


def is_sum(reason: Reason) -> bool:
    """Is the score what the terms add up to?"""
    total = sum(reason.terms.values())
    return reason.score is not None and math.isclose(total, reason.score, abs_tol=1e-9)


def reason_lines(reason: Reason, proven: bool) -> list[str]:
    """What the select rule's choice is made of, in one or two short lines."""
    lines = []
    numbers = {k: v for k, v in reason.numbers.items() if k in SYMBOLS and k not in reason.terms}
    if "probability" in reason.terms:
        if numbers:
            lines.append("  ".join(f"{SYMBOLS[k]} {estimate_text(v)}" for k, v in numbers.items()))
        lines.append(f"next with {reason.terms['probability']:.0%}")
    elif reason.terms and not is_sum(reason):
        lines.append("  ".join(f"{k} {estimate_text(v)}" for k, v in reason.terms.items()))
    elif reason.terms and reason.score is not None:
        terms = " + ".join(estimate_text(v) for v in reason.terms.values())
        lines.append(f"{terms} = {estimate_text(reason.score)}".replace("+ −", "− "))
    elif reason.score is not None:
        lines.append(f"score {estimate_text(reason.score)}")
    if reason.remark and not proven:
        lines.append(reason.remark)
    return lines
