"""Rules of somebody's own, looked after while they search; ours are not, and pay nothing.

A part whose class is not of this package is used through a subclass, in which the methods that can
do harm hold what the written ones (`own_...`) say against the contract of `ponder.mcts.parts`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from ponder.core.compiled import ROUNDING
from ponder.core.game import Spec
from ponder.core.parts import distinguish, is_ours
from ponder.core.registry import part_text
from ponder.errors import GameError
from ponder.jit import kernel
from ponder.mcts.defaults import DEFAULTS

OWN = "own_"


class RuleFault(GameError):
    """A rule breaks its contract during a search: the kind of rule, and what it did."""

    def named(self, engine: Any) -> GameError:
        """The same with the name of the rule."""
        kind, did = self.args
        return GameError(f"{kind}={part_text(getattr(engine, kind))} {did}: see ponder check")


def watched(kind: str, part: Any, spec: Spec) -> Any:
    """The part, and the parts inside it, looked after where they are not of this package."""
    inner = [
        watched(field, value, spec) if field in DEFAULTS else value
        for field, value in zip(part._fields, part, strict=True)
    ]
    cls: Any = type(part)
    if not is_ours(cls) and kind in WATCHES:
        cls = _watched_class(kind, cls, float(spec.lowest), float(spec.highest))
    return cls._make(inner)


@cache
def _watched_class(kind: str, cls: Any, lowest: float, highest: float) -> Any:
    def again(self: Any) -> Any:
        """Pickled as what it was made of: no module has this class."""
        return tuple.__getitem__, ((cls._make(self),), 0)

    names = ("__module__", "__qualname__", "__doc__")
    body: dict[str, Any] = {name: getattr(cls, name) for name in names}
    body |= {"__slots__": (), "__reduce__": again}
    body |= {"LOWEST": lowest - ROUNDING, "HIGHEST": highest + ROUNDING}
    for watch in WATCHES[kind]:
        name = watch.__name__
        body |= {name: watch, OWN + name: getattr(cls, name)}
    made = type(cls.__name__, (cls,), body)
    distinguish(made)
    return made


def estimate(self, game, s, work, rng, longest):  # type: ignore[no-untyped-def]
    """Values outside the range are none, and end the search; a finished game counts as it is."""
    if game.is_terminal(s):
        game.returns(s, work.utilities)
        return True
    for p in range(work.utilities.size):
        work.utilities[p] = np.nan  # the last simulation's
    ended = self.own_estimate(game, s, work, rng, longest)
    for p in range(work.utilities.size):
        if not self.LOWEST <= work.utilities[p] <= self.HIGHEST:
            work.utilities[p] = np.nan
    return ended


def choose(self, game, parts, tree, work, depth, rng):  # type: ignore[no-untyped-def]
    child = self.own_choose(game, parts, tree, work, depth, rng)
    node = work.path[depth]
    first = tree.nodes[node].first
    if child < first or child >= first + tree.nodes[node].count:
        raise RuleFault("select", "chose something that is not a child of the node")
    return child


def score(self, shared, tree, child, visits, inverse, root, mean):  # type: ignore[no-untyped-def]
    found = self.own_score(shared, tree, child, visits, inverse, root, mean)
    if not math.isfinite(found):
        raise RuleFault("select", "gave a child a score that is not a finite number")
    return found


def prepare(self, game, s, tree, node, first, count, work, rng):  # type: ignore[no-untyped-def]
    opened = self.own_prepare(game, s, tree, node, first, count, work, rng)
    if opened < 1 or opened > count:
        raise RuleFault("expand", "opened no child of a node, or more than there are")
    return opened


def update(self, tree, work, depth):  # type: ignore[no-untyped-def]
    before = visits_of(tree, work, depth)
    self.own_update(tree, work, depth)
    # where threads share the tree, the others count theirs meanwhile
    if not tree.mode.in_order() and visits_of(tree, work, depth) != before + depth + 1:
        raise RuleFault("backup", "did not count one visit of every node on the path")


@kernel
def visits_of(tree, work, depth):  # type: ignore[no-untyped-def]
    """Of all nodes on the path together."""
    total = 0
    for d in range(depth + 1):
        total += tree.nodes[work.path[d]].visits
    return total


def worth(self, tree, child, inverse):  # type: ignore[no-untyped-def]
    found = self.own_worth(tree, child, inverse)
    if not math.isfinite(found):
        raise RuleFault("backup", "gave a node a value that is not a finite number")
    return found


WATCHES: dict[str, tuple[Callable[..., Any], ...]] = {
    "select": (choose, score),
    "expand": (prepare,),
    "evaluate": (estimate,),
    "backup": (update, worth),
}
