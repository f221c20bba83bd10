"""Rules that draw the child at random: epsilon-greedy, Boltzmann, sampled UCB, Thompson sampling.

The first three say `weights`, the probability of every child, left in work.scores; `draw` samples.
Children of exactly equal mean share alike, so ties are broken at random by the search's own
generator.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from ponder.core.making import registered
from ponder.core.rng import sample, uniform
from ponder.jit import inlined, kernel
from ponder.mcts.children import Account, untried


@kernel
@inlined
def draw(rule, game, parts, tree, work, depth, rng):
    """An untried child if there is one, else a child drawn by ``rule.weights``."""
    node = work.path[depth]
    if parts.expand.has_untried(tree, node):
        return untried(parts, tree, node, rng)
    rule.weights(game, parts, tree, work, depth)
    return tree.nodes[node].first + sample(rng, work.scores, tree.nodes[node].count)


CLOSED = -1e300
"""In place of the mean of a child that the backup rule has closed."""


@kernel
@inlined
def means(parts, tree, work, node):
    """work.scores: each child's mean rescaled to [0, 1], or CLOSED; how many are open, the best."""
    nodes = tree.nodes
    first = nodes[node].first
    scale = 1.0 / (tree.highest - tree.lowest)
    opened = 0
    best = CLOSED
    for i in range(nodes[node].count):
        child = first + i
        mean = CLOSED
        if not parts.backup.closed(tree, node, child):
            inverse = 1.0 / max(nodes[child].visits, 1)
            mean = (parts.backup.worth(tree, child, inverse) - tree.lowest) * scale
            opened += 1
            best = max(best, mean)
        work.scores[i] = mean
    return opened, best


@kernel
@inlined
def normalise(work, count):
    """Divide the weights by their sum; all alike where they are all 0."""
    total = 0.0
    for i in range(count):
        total += work.scores[i]
    for i in range(count):
        work.scores[i] = work.scores[i] / total if total > 0.0 else 1.0 / count


@registered
class EpsilonGreedy(NamedTuple):
    """The child with the best mean, but any child with probability epsilon.

        epsilon_N = min(1, epsilon / N ^ decay)         N visits of the parent

    decay = 0 keeps epsilon constant: then bad moves are averaged into the value forever, and
    with the mean as backup the search is not asymptotically optimal. decay = 1 is the schedule of
    Auer, Cesa-Bianchi & Fischer (2002), c K / (d^2 N), with epsilon = c K / d^2; above 1 a child
    might never be tried again, and it is refused. Untried children come first; children that
    share the best mean share the greedy choice.

    "Any child" includes the best one, as in Auer et al. With `others` it is any of the others, as
    some lectures (Basel's) have it: of k children with one best,

        P(best) = 1 - epsilon,  P(each other) = epsilon / (k - 1)
    """

    epsilon: float = 0.1
    decay: float = 0.0
    others: bool = False

    def problem(self) -> str | None:
        if self.epsilon < 0 or (self.decay == 0 and self.epsilon > 1):
            return f"epsilon must be from 0 to 1 (more only with a decay), not {self.epsilon}"
        if not 0 <= self.decay <= 1:
            return f"decay of epsilon_greedy must be from 0 (constant) to 1, not {self.decay}"
        return None

    @inlined
    def choose(self, game, parts, tree, work, depth, rng):
        return draw(self, game, parts, tree, work, depth, rng)

    @inlined
    def weights(self, game, parts, tree, work, depth):
        node = work.path[depth]
        opened, best = means(parts, tree, work, node)
        epsilon = min(1.0, self.epsilon / tree.nodes[node].visits ** self.decay)
        count = tree.nodes[node].count
        tied = 0
        for i in range(count):
            if work.scores[i] == best:
                tied += 1
        drawn, greedy = opened, epsilon / opened + (1.0 - epsilon) / tied
        if self.others:
            drawn, greedy = max(opened - tied, 1), (1.0 - epsilon) / tied
        for i in range(count):
            if work.scores[i] == CLOSED:
                work.scores[i] = 0.0
            elif work.scores[i] == best:
                work.scores[i] = greedy
            else:
                work.scores[i] = epsilon / drawn
        normalise(work, count)


@registered
class Boltzmann(NamedTuple):
    """Softmax, or Boltzmann exploration (Sutton & Barto 1998): better children are likelier.

        P(child) ~ exp(mean / tau)      tau = temperature, or temperature / ln N with decay

    means rescaled to [0, 1] by the game's range of utilities, N visits of the parent. With a
    constant temperature bad moves are averaged into the value forever: with the mean as backup
    not asymptotically optimal. With decay a child whose mean is less by g is chosen with
    probability ~ N^(-g / temperature): every child again and again if temperature >= 1, the best
    one nearly always in the end. Untried children come first, in random order.
    in_utilities=True leaves the means as they are: tau counts utilities of the game, as where a
    textbook says tau = 10 and values are 50 and 49.
    """

    temperature: float = 0.1
    decay: bool = False
    in_utilities: bool = False

    def problem(self) -> str | None:
        if self.temperature <= 0:
            return f"temperature of boltzmann must be above 0, not {self.temperature}"
        return None

    @inlined
    def choose(self, game, parts, tree, work, depth, rng):
        return draw(self, game, parts, tree, work, depth, rng)

    @inlined
    def weights(self, game, parts, tree, work, depth):
        node = work.path[depth]
        best = means(parts, tree, work, node)[1]
        cold = 1.0 / self.temperature
        if self.in_utilities:  # the means are in shares of the range
            cold *= tree.highest - tree.lowest
        if self.decay:
            cold *= math.log(tree.nodes[node].visits)
        count = tree.nodes[node].count
        for i in range(count):
            if work.scores[i] == CLOSED:
                work.scores[i] = 0.0
            else:
                work.scores[i] = math.exp((work.scores[i] - best) * cold)
        normalise(work, count)


@registered
class UCBSampled(NamedTuple):
    """A child drawn in proportion to its UCB value, instead of the highest one (no paper).

        P(child) ~ mean + c * sqrt(ln N / n)      means rescaled to [0, 1]

    Some lectures teach it as UCT, which it is not: the probability of a bad child does not
    vanish, so the rule is not greedy in the limit and not asymptotically optimal. For comparison.
    Untried children come first, in random order.
    """

    c: float = 1.4142135623730951

    def problem(self) -> str | None:
        return None if self.c >= 0 else f"c of ucb_sampled must be 0 or more, not {self.c}"

    @inlined
    def choose(self, game, parts, tree, work, depth, rng):
        return draw(self, game, parts, tree, work, depth, rng)

    @inlined
    def weights(self, game, parts, tree, work, depth):
        nodes = tree.nodes
        node = work.path[depth]
        means(parts, tree, work, node)
        log = math.log(nodes[node].visits)
        count = nodes[node].count
        first = nodes[node].first
        for i in range(count):
            if work.scores[i] == CLOSED:
                work.scores[i] = 0.0
            else:
                visits = max(nodes[first + i].visits, 1)
                bound = work.scores[i] + self.c * math.sqrt(log / visits)
                work.scores[i] = max(bound, 0.0)  # a backup rule may leave the range by a rounding
        normalise(work, count)


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


@registered
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
