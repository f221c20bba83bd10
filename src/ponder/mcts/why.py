"""Why this child: every term of the select rule at a node, from the same code that selects.

The methods of a rule are plain Python that also compiles; here they run as plain Python, on the
arrays of the search itself.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from ponder.core.parts import canonical
from ponder.core.registry import parse_engine
from ponder.errors import InputError
from ponder.mcts.parts import parts_of
from ponder.mcts.run import new_work


class Reason(NamedTuple):
    """One child, as the select rule sees it."""

    name: str
    visits: int
    value: float | None
    """For the player who chooses; None before the first visit."""
    terms: dict[str, float]
    """The terms of the rule by name; of a rule that draws, its probability."""
    score: float | None
    """Their sum; None for a child that comes first because it is untried."""
    closed: bool
    """Left out: its value is proven and no better than another's."""


def why(tree: Any, node: Any = None) -> list[Reason]:
    """What the select rule makes of each child of `node` (the root), the likeliest choice first."""
    node = tree.root if node is None else node
    if not node.is_expanded or node.is_chance:
        raise InputError("there is nothing to select here: the node has no children of a player")
    position = tree.position
    if not position.rules.compiled:
        raise InputError("reasons are given for compiled games only")
    if tree.parts is None:
        tree.parts = parts_of(canonical(parse_engine(tree.engine)), position)
    parts, game = tree.parts, position.rules.part
    work = new_work(parts, position.rules.spec, position)
    if tree.memory is not None:
        work = work._replace(memory=tree.memory)
    depth, above = node.depth, node
    while above is not None:
        work.path[above.depth] = above.index
        above = above.parent
    work.states[1] = node.position.raw_state[0]
    arrays = tree._store.tree
    return sorted(
        _reasons(game, parts, arrays, work, depth, node),
        key=lambda reason: (reason.closed, -math.inf if reason.score is None else -reason.score),
    )


def _reasons(game: Any, parts: Any, tree: Any, work: Any, depth: int, node: Any) -> list[Reason]:
    select, nodes = parts.select, tree.nodes
    n = int(nodes[node.index].visits)
    drawn = hasattr(select, "weights")
    if drawn:
        select.weights(game, parts, tree, work, depth)
    else:
        shared = select.shared(game, parts, tree, work, depth, n, math.log(n))
    made = []
    for i, child in enumerate(node.children):
        index, visits = child.index, int(nodes[child.index].visits)
        inverse = tree.numbers[visits].inverse if visits < len(tree.numbers) else 1.0 / visits
        root = tree.numbers[visits].root if visits < len(tree.numbers) else math.sqrt(inverse)
        mean = float(parts.backup.worth(tree, index, inverse)) if visits else 0.0
        terms: dict[str, float] = {}
        score: float | None = None
        if drawn:
            terms = {"probability": float(work.scores[i])}
            score = terms["probability"]
        elif visits or not _tries_all_first(select):
            values = select.terms(shared, tree, index, visits, inverse, root, mean)
            names = getattr(select, "TERMS", tuple(f"term {k + 1}" for k in range(len(values))))
            terms = {name: float(v) for name, v in zip(names, values, strict=True)}
            score = sum(terms.values())
        closed = bool(parts.backup.closed(tree, node.index, index))
        made.append(Reason(child.name, visits, mean if visits else None, terms, score, closed))
    return made


def _tries_all_first(select: Any) -> bool:
    """Does the rule visit every child once before it compares them? (The default `choose` does.)"""
    return str(type(select).choose.__qualname__).startswith("_Select.")
