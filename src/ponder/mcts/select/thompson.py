"""Thompson sampling, and the random numbers it needs."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from ponder.core.rng import uniform
from ponder.jit import inlined, kernel
from ponder.mcts.children import Account, untried


@kernel
def normal(rng):
    """A standard normal number (Box & Muller 1958; the second of the pair is not kept)."""
    radius = math.sqrt(-2.0 * math.log(1.0 - uniform(rng)))
    return radius * math.cos(2.0 * math.pi * uniform(rng))


@kernel
def gamma(rng, shape):
    """A gamma number of scale 1 for shape >= 1 (Marsaglia & Tsang 2000)."""
    d = shape - 1.0 / 3.0
    c = 1.0 / math.sqrt(9.0 * d)
    while True:
        x = normal(rng)
        v = 1.0 + c * x
        if v > 0.0:
            v = v * v * v
            u = 1.0 - uniform(rng)  # in (0, 1]
            if math.log(u) < 0.5 * x * x + d - d * v + d * math.log(v):
                return d * v


@kernel
def beta(rng, a, b):
    """A Beta(a, b) number for a, b >= 1."""
    x = gamma(rng, a)
    return x / (x + gamma(rng, b))


@kernel
@inlined
def belief(parts, tree, child):
    """a and b of the Beta distribution that the child's results have led to."""
    visits = max(tree.nodes[child].visits, 1)
    mean = parts.backup.worth(tree, child, 1.0 / visits)
    share = min(max((mean - tree.lowest) / (tree.highest - tree.lowest), 0.0), 1.0)
    return 1.0 + visits * share, 1.0 + visits * (1.0 - share)


class Thompson(NamedTuple):
    """Thompson sampling (Thompson 1933): each child as often as it is believed to be the best.

        theta ~ Beta(1 + wins, 1 + losses) for every child; the highest theta is chosen

    The belief about a child that won and lost that often, from a uniform prior. Utilities are
    rescaled to [0, 1] by the game's range and count as that share of a win. Untried children
    come first, in random order.
    """

    @inlined
    def choose(self, game, parts, tree, work, depth, rng):
        nodes = tree.nodes
        node = work.path[depth]
        if parts.expand.has_untried(tree, node):
            return untried(parts, tree, node, rng)
        first = nodes[node].first
        pick = first
        best = -1.0
        for child in range(first, first + nodes[node].count):
            if parts.backup.closed(tree, node, child):
                continue
            a, b = belief(parts, tree, child)
            theta = beta(rng, a, b)
            if theta > best:
                best = theta
                pick = child
        return pick

    def explain(self, parts: Any, tree: Any, work: Any, node: int, child: int) -> Account:
        """The belief, its mean and deviation; theta itself is drawn anew for every choice."""
        a, b = belief(parts, tree, child)
        mean = a / (a + b)
        deviation = math.sqrt(mean * (1.0 - mean) / (a + b + 1.0))
        terms = {"a": a, "b": b, "deviation": deviation}
        return Account(terms, mean, "the mean: theta is drawn")
