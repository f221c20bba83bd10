"""A guard around a rule: every call, run as plain Python, is held against the contract.

A breach ends the search with `Broken`, before it can do harm.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ponder.check.report import Broken
from ponder.mcts.watched import OWN

SLACK = 1e-9
"""Of the range of utilities: sums and means round."""


def guarded_part(kind: str, part: Any, game: Any, spec: Any) -> Any:
    """The part, with those of its methods that can do harm looked after."""
    cls: Any = type(part)
    body: dict[str, Any] = {"__slots__": ()}
    for name, guard in GUARDS[kind].items():
        written = OWN + name if hasattr(cls, OWN + name) else name
        method = getattr(cls, written, None)
        if method is not None:
            body[written] = guard(method, game, spec)
    return type(cls.__name__, (cls,), body)._make(part)  # type: ignore[attr-defined]


def _whole(value: Any) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def _choose(method: Any, game: Any, spec: Any) -> Callable[..., Any]:
    def choose(self, game, parts, tree, work, depth, rng):
        child = method(self, game, parts, tree, work, depth, rng)
        node = tree.nodes[work.path[depth]]
        first, last = int(node.first), int(node.first) + int(node.count) - 1
        if not _whole(child) or not first <= child <= last:
            raise Broken("child", f"choose gave {child}; the node's children are {first} to {last}")
        return child

    return choose


def _terms(method: Any, game: Any, spec: Any) -> Callable[..., Any]:
    def terms(self, shared, tree, child, visits, inverse, root, mean):
        given = method(self, shared, tree, child, visits, inverse, root, mean)
        if not isinstance(given, tuple):
            raise Broken("score", f"terms gave {given!r}, expected a tuple such as (mean, bonus)")
        for value in given:
            if not math.isfinite(value):
                shown = ", ".join(f"{float(term):g}" for term in given)
                raise Broken("score", f"terms gave ({shown}) for a child with {visits} visits")
        return given

    return terms


def _score(method: Any, game: Any, spec: Any) -> Callable[..., Any]:
    def score(self, shared, tree, child, visits, inverse, root, mean):
        given = method(self, shared, tree, child, visits, inverse, root, mean)
        if not math.isfinite(given):
            raise Broken("score", f"score gave {given!r} for a child with {visits} visits")
        return given

    return score


def _weights(method: Any, game: Any, spec: Any) -> Callable[..., Any]:
    def weights(self, game, parts, tree, work, depth):
        method(self, game, parts, tree, work, depth)
        given = work.scores[: int(tree.nodes[work.path[depth]].count)]
        if not (np.all(given >= 0.0) and abs(given.sum() - 1.0) < SLACK):
            raise Broken("score", f"weights gave {given.tolist()}, which are not probabilities")

    return weights


def _moves(method: Any, game: Any, spec: Any) -> Callable[..., Any]:
    legal = np.zeros(spec.max_actions, np.int32)

    def moves(self, game, s, node, out):
        all_of_them = set(legal[: game.legal_actions(s, legal)].tolist())
        n = method(self, game, s, node, out)
        if not _whole(n) or not 1 <= n <= len(all_of_them):
            raise Broken("moves", f"moves gave {n!r} moves; there are 1 to {len(all_of_them)}")
        given = out[:n].tolist()
        if len(set(given)) < n or not set(given) <= all_of_them:
            raise Broken("moves", f"moves gave {given}, of the legal {sorted(all_of_them)}")
        return n

    return moves


def _prepare(method: Any, game: Any, spec: Any) -> Callable[..., Any]:
    def prepare(self, game, s, tree, node, first, count, work, rng):
        opened = method(self, game, s, tree, node, first, count, work, rng)
        if not _whole(opened) or not 1 <= opened <= count:
            raise Broken("moves", f"prepare opened {opened!r} children, expected 1 to {count}")
        return opened

    return prepare


def _estimate(method: Any, game: Any, spec: Any) -> Callable[..., Any]:
    def estimate(self, game, s, work, rng, longest):
        work.utilities[:] = np.nan
        ended = method(self, game, s, work, rng, longest)
        given = work.utilities.tolist()
        if not all(spec.lowest <= u <= spec.highest for u in given):
            raise Broken(
                "utilities",
                f"estimate wrote {given}, expected one number per player from {spec.lowest:g} to "
                f"{spec.highest:g}",
            )
        if not isinstance(ended, bool | np.bool_):
            raise Broken(
                "estimate", f"estimate gave {ended!r}, expected True, or False for a game too long"
            )
        return ended

    return estimate


def _update(method: Any, game: Any, spec: Any) -> Callable[..., Any]:
    def update(self, tree, work, depth):
        path = work.path[: depth + 1]
        before = tree.nodes.visits.copy()
        before[path] += 1
        method(self, tree, work, depth)
        if not np.array_equal(tree.nodes.visits, before):
            raise Broken(
                "visits", "update has to count one visit of every node on the path, no more"
            )
        slack = SLACK * (spec.highest - spec.lowest)
        for node in path[1:]:
            if tree.nodes[node].player < 0:
                continue  # of the dice: nobody asks what it is worth
            value = self.worth(tree, node, 1.0 / tree.nodes[node].visits)
            if not spec.lowest - slack <= value <= spec.highest + slack:
                raise Broken(
                    "value",
                    f"worth gave {value!r} after {tree.nodes[node].visits} visits; utilities are "
                    f"from {spec.lowest:g} to {spec.highest:g}",
                )

    return update


GUARDS: dict[str, dict[str, Callable[..., Any]]] = {
    "select": {"choose": _choose, "terms": _terms, "score": _score, "weights": _weights},
    "expand": {"moves": _moves, "prepare": _prepare},
    "evaluate": {"estimate": _estimate},
    "backup": {"update": _update},
}
