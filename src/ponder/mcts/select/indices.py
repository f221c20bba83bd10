"""Two more indices of bandit theory: MOSS and KL-UCB."""

from __future__ import annotations

import math
from typing import NamedTuple

from ponder.jit import constants, inlined, kernel


@constants(TERMS=("mean", "exploration"))
class MOSS(NamedTuple):
    """MOSS, "minimax optimal strategy in the stochastic case" (Audibert & Bubeck 2009).

        mean + c * R * sqrt(max(ln(N / (K n)), 0) / n)

    K is the number of children, R the game's range of utilities; N, the paper's number of pulls
    to come, is the number of visits so far, so that the rule needs no plan. A child with more
    than its share N / K of the visits gets no bonus. c = 1 is the paper's. Untried children come
    first, in random order.
    """

    c: float = 1.0

    def problem(self) -> str | None:
        return None if self.c >= 0 else f"c of moss must be 0 or more, not {self.c}"

    @inlined
    def shared(self, game, parts, tree, work, depth, n, log):
        return log - math.log(tree.nodes[work.path[depth]].count)

    @inlined
    def terms(self, shared, tree, child, visits, inverse, root, mean):
        share = max(shared - math.log(max(visits, 1)), 0.0)
        return mean, self.c * (tree.highest - tree.lowest) * math.sqrt(share) * root


@kernel
def divergence(p, q):
    """Kullback-Leibler divergence of a coin with chance q from one with chance p; 0 < q < 1."""
    total = 0.0
    if p > 0.0:
        total += p * math.log(p / q)
    if p < 1.0:
        total += (1.0 - p) * math.log((1.0 - p) / (1.0 - q))
    return total


HALVINGS = 24
"""Of the interval in which the bound lies: to 6e-8 of the range of utilities."""


@kernel
def highest_plausible(p, limit):
    """The largest q in [p, 1] with divergence(p, q) <= limit, by bisection."""
    low = p
    high = 1.0
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        if middle < 1.0 and divergence(p, middle) <= limit:
            low = middle
        else:
            high = middle
    return low


@constants(TERMS=("mean", "exploration"))
class KLUCB(NamedTuple):
    """KL-UCB (Garivier & Cappe 2011): the highest chance of winning that is still plausible.

        the largest q with  n * kl(mean, q) <= ln N + c * ln ln N
        kl(p, q) = p ln(p / q) + (1 - p) ln((1 - p) / (1 - q))

    on utilities rescaled to [0, 1] by the game's range. c = 0 is what the authors use in practice
    (their proof has 3). For wins and losses no rule can do better in the limit (Lai & Robbins);
    the bisection costs two logarithms a step. Untried children come first, in random order.
    """

    c: float = 0.0

    def problem(self) -> str | None:
        return None if self.c >= 0 else f"c of kl_ucb must be 0 or more, not {self.c}"

    @inlined
    def shared(self, game, parts, tree, work, depth, n, log):
        return log + self.c * math.log(max(log, 1.0))

    @inlined
    def terms(self, shared, tree, child, visits, inverse, root, mean):
        width = tree.highest - tree.lowest
        p = min(max((mean - tree.lowest) / width, 0.0), 1.0)
        return mean, width * (highest_plausible(p, shared * inverse) - p)
