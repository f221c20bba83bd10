"""Upper confidence bounds: the mean and a bonus for what was tried little; and no bound at all."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from ponder.core.making import registered
from ponder.core.plain_graph import MAX_LENGTH
from ponder.core.position import Position
from ponder.jit import constants, inlined, kernel
from ponder.mcts.tree import half_range

if TYPE_CHECKING:
    from ponder.mcts.engine import MCTS


@registered
@constants(TERMS=("mean", "exploration"))
class UCB1(NamedTuple):
    """UCB1 (Auer et al. 2002) applied to trees (UCT: Kocsis & Szepesvari 2006).

        mean + c * h * sqrt(ln N / n)        N visits of the parent, n of the child

    N of the root is one more than its simulations. h is half the range of utilities that the game
    declares, 1 for wins and losses of +1 and -1: so one c means the same in every game. 2 * sqrt(2)
    is Auer's; the default, 2.0, is OpenSpiel's (not tuned). A game that declares far more than it
    ever pays (2048) wants a smaller c, or `UCB1Spread`. Untried children come first, in random
    order.
    """

    c: float = 2.0

    def problem(self) -> str | None:
        return None if self.c >= 0 else f"c of ucb1 must be 0 or more, not {self.c:g}"

    @inlined
    def shared(self, game, parts, tree, work, depth, n, log):
        # a root takes as long as all the rest of this
        root = tree.numbers[n].root_log if n < tree.numbers.size else math.sqrt(log)
        return self.c * half_range(tree) * root

    @inlined
    def terms(self, shared, tree, child, visits, inverse, root, mean):
        return mean, shared * root


@registered
@constants(TERMS=("mean", "exploration"))
class UCTDecaying(NamedTuple):
    """UCT as Kocsis & Szepesvari (2006, section 3.1) ran it on random minimax trees.

        mean + R * (ln N / n) ^ ((D + d) / (2 D + d))

    d is the depth of the node, D the estimated number of plies from it to the end: `length` - d,
    at least 1. R is the game's range of utilities (the paper's is 1). At the root the exponent is
    1/2, that of UCB1 with c = R; the deeper the node, the nearer it comes to 1. `length` is the
    number of plies from the root to the end; 0 takes the game's greatest length, and where that
    is generous (chess) the rule is nearly UCB1. Untried children come first, in random order.
    """

    length: int = 0

    def problem(self) -> str | None:
        if self.length < 0:
            return f"length of uct_decaying must be 0 or more, not {self.length}"
        return None

    def fitted(self, position: Position) -> UCTDecaying:
        if self.length:
            return self
        return self._replace(length=int(position.rules.spec.max_length))

    def refusal(self, position: Position, engine: MCTS) -> str | None:
        if self.length or not position.rules.plain or position.rules.spec.max_length < MAX_LENGTH:
            return None
        return "uct_decaying needs the length of the game here, such as uct_decaying(length=40)"

    @inlined
    def shared(self, game, parts, tree, work, depth, n, log):
        left = max(self.length - depth, 1)
        return log, (left + depth) / (2.0 * left + depth)

    @inlined
    def terms(self, shared, tree, child, visits, inverse, root, mean):
        log, exponent = shared
        return mean, (tree.highest - tree.lowest) * (log * inverse) ** exponent


@registered
@constants(TERMS=("visits",))
class Equal(NamedTuple):
    """The child visited least: N simulations for every move (pure Monte Carlo; Abramson 1990)."""

    @inlined
    def terms(self, shared, tree, child, visits, inverse, root, mean):
        # the fewer visits, the higher the score
        return (-float(visits),)


@registered
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


@registered
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
