"""Rules that see how much results vary: they explore there (UCB1-Tuned, UCB-V, scaled UCB1), or cut
moves that look bad for good (progressive pruning)."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ponder.core.game import Spec
from ponder.core.making import registered
from ponder.jit import constants, inlined, kernel
from ponder.mcts.children import Account, untried
from ponder.mcts.tree import ROOT


@kernel
@inlined
def add_squares(tree, work, depth):
    """Add the squared utility of each node's owner to the nodes of the path."""
    nodes = tree.nodes
    owner = max(nodes[ROOT].player, 0)
    for d in range(depth + 1):
        node = work.path[d]
        if nodes[node].player >= 0:  # chance keeps the owner of the node above
            owner = nodes[node].player
        u = work.utilities[owner]
        nodes[node].squares += u * u


@kernel
@inlined
def variance(tree, child, inverse):
    """The variance of the utilities of a visited child, over n: not over n - 1."""
    nodes = tree.nodes
    mean = nodes[child].value * inverse
    return max(nodes[child].squares * inverse - mean * mean, 0.0)


@kernel
def variance_below(tree, node):
    """The variance of all utilities of the player who chooses at `node`; 0 before there are any."""
    nodes = tree.nodes
    first = nodes[node].first
    visits = 0
    total = 0.0
    squares = 0.0
    for child in range(first, first + nodes[node].count):
        visits += nodes[child].visits
        total += nodes[child].value
        squares += nodes[child].squares
    if visits == 0:
        return 0.0
    mean = total / visits
    return max(squares / visits - mean * mean, 0.0)


@registered
@constants(NEEDS=("squares",), TERMS=("mean", "exploration"))
class UCB1Tuned(NamedTuple):
    """UCB1-Tuned (Auer, Cesa-Bianchi & Fischer 2002).

        mean + c * R * sqrt(ln N / n * min(1/4, V))      V = s^2 / R^2 + sqrt(2 ln N / n)

    s^2 is the variance of the child's utilities, R the game's range of utilities: the formula of
    the paper for utilities rescaled to [0, 1], where no variance is above 1/4. c = 1 is the
    paper's. Untried children come first, in random order.
    """

    c: float = 1.0

    def problem(self) -> str | None:
        return None if self.c >= 0 else f"c of ucb1_tuned must be 0 or more, not {self.c}"

    @inlined
    def shared(self, game, parts, tree, work, depth, n, log):
        return log

    @inlined
    def terms(self, shared, tree, child, visits, inverse, root, mean):
        width = tree.highest - tree.lowest
        rate = shared * inverse
        bound = variance(tree, child, inverse) / (width * width) + math.sqrt(2.0 * rate)
        return mean, self.c * width * math.sqrt(rate * min(0.25, bound))

    @inlined
    def after(self, tree, work, depth):
        add_squares(tree, work, depth)


@registered
@constants(NEEDS=("squares",), TERMS=("mean", "variance", "range"))
class UCBV(NamedTuple):
    """UCB-V (Audibert, Munos & Szepesvari 2009).

        mean + sqrt(2 * s^2 * zeta * ln N / n) + 3 * c * R * zeta * ln N / n

    s^2 is the variance of the child's utilities, R the game's range of utilities. The paper's
    bound on the regret needs zeta > 1, and c = 1 with it. Untried children come first.
    """

    zeta: float = 1.2
    c: float = 1.0

    def problem(self) -> str | None:
        if self.zeta <= 0 or self.c < 0:
            return f"ucb_v needs zeta above 0 and c of 0 or more, not {self.zeta} and {self.c}"
        return None

    @inlined
    def shared(self, game, parts, tree, work, depth, n, log):
        return self.zeta * log

    @inlined
    def terms(self, shared, tree, child, visits, inverse, root, mean):
        rate = shared * inverse
        spread = math.sqrt(2.0 * variance(tree, child, inverse) * rate)
        return mean, spread, 3.0 * self.c * (tree.highest - tree.lowest) * rate

    @inlined
    def after(self, tree, work, depth):
        add_squares(tree, work, depth)


LEAST_SHARE = 0.05
"""Of the range of utilities seen: the least spread that `UCB1Spread` reckons with."""

TINY_SHARE = 1e-6
"""Of the range of utilities that the game declares: so that a child is explored before any two
simulations have ended differently."""


class Seen(NamedTuple):
    """What a search has met: seen[0] the lowest, seen[1] the highest utility of each player."""

    seen: Any


def new_seen(players: int) -> Any:
    seen = np.empty((2, players))
    seen[0], seen[1] = np.inf, -np.inf
    return seen


@kernel
def add_seen(seen, utilities):
    """Widen the range by what a simulation has brought."""
    for p in range(utilities.size):
        seen[0, p] = min(seen[0, p], utilities[p])
        seen[1, p] = max(seen[1, p], utilities[p])


@registered
@constants(NEEDS=("squares", "spread"), TERMS=("mean", "exploration"))
class UCB1Spread(NamedTuple):
    """UCB1 in units of the spread of the results: nothing to tune for games with large utilities.

        mean + c * sigma * sqrt(ln N / n)

    sigma is the greatest standard deviation that all utilities of the player to move at the parent
    have had so far, but at least a twentieth of the range of that player's utilities seen in this
    search. The greatest, because the deviation at a node shrinks as the search settles on one
    child, and with it the exploration that would find out that another is better: where nothing is
    left to chance it shrinks to 0. Multiplying all utilities by a factor, or adding to them,
    changes nothing.

    Our own; the idea is that of KataGo, which multiplies its exploration by a measured standard
    deviation of the node's utilities. Untried children come first, in random order.
    """

    c: float = 2.0

    def problem(self) -> str | None:
        return None if self.c >= 0 else f"c of ucb1_spread must be 0 or more, not {self.c}"

    def memory(self, spec: Spec, simulations: int | None) -> Seen:
        return Seen(new_seen(spec.players))

    @inlined
    def shared(self, game, parts, tree, work, depth, n, log):
        node = work.path[depth]
        player = tree.nodes[tree.nodes[node].first].player
        seen = work.memory.select.seen
        least = TINY_SHARE * (tree.highest - tree.lowest)
        if seen[1, player] > seen[0, player]:
            least = LEAST_SHARE * (seen[1, player] - seen[0, player])
        spread = max(math.sqrt(variance_below(tree, node)), tree.nodes[node].spread)
        tree.nodes[node].spread = spread
        return self.c * max(spread, least) * math.sqrt(log)

    @inlined
    def terms(self, shared, tree, child, visits, inverse, root, mean):
        return mean, shared * root

    @inlined
    def after(self, tree, work, depth):
        add_squares(tree, work, depth)
        add_seen(work.memory.select.seen, work.utilities)


@kernel
@inlined
def confidence_bound(parts, tree, child, z):
    """mean + z * s / sqrt(n) of a visited child: its upper bound, or for z < 0 its lower one."""
    inverse = 1.0 / tree.nodes[child].visits
    mean = parts.backup.worth(tree, child, inverse)
    return mean + z * math.sqrt(variance(tree, child, inverse) * inverse)


@kernel
@inlined
def safe_value(rule, parts, tree, node):
    """The best lower bound of the children that are neither cut nor too little visited."""
    nodes = tree.nodes
    safe = -1e300
    for child in range(nodes[node].first, nodes[node].first + nodes[node].count):
        if nodes[child].cut == 0 and nodes[child].visits >= rule.least:
            safe = max(safe, confidence_bound(parts, tree, child, -rule.z))
    return safe


@registered
@constants(NEEDS=("squares",))
class ProgressivePruning(NamedTuple):
    """Progressive pruning (after Bouzy & Helmstetter 2003): all children in turn, bad ones cut.

        cut child i when   mean_i + z * s_i / sqrt(n_i)  <  max_j (mean_j - z * s_j / sqrt(n_j))

    both with at least `least` visits; s is the standard deviation of a child's utilities. Of the
    children that are left the least visited is next; ties go to the child tried first. What is
    cut is never looked at again, however the others turn out: the method that Coulom (2006) set
    his own selectivity against, which only ever makes a move less likely. It cannot be trusted to
    find the best move, and its value is a mean over all that survives.
    """

    z: float = 2.0
    least: int = 30

    def problem(self) -> str | None:
        if self.z < 0:
            return f"z of progressive_pruning must be 0 or more, not {self.z}"
        if self.least < 2:
            return f"least of progressive_pruning must be 2 or more, not {self.least}"
        return None

    @inlined
    def choose(self, game, parts, tree, work, depth, rng):
        nodes = tree.nodes
        node = work.path[depth]
        if parts.expand.has_untried(tree, node):
            return untried(parts, tree, node, rng)
        first = nodes[node].first
        last = first + nodes[node].count
        safe = safe_value(self, parts, tree, node)
        pick = first
        fewest = 1 << 62
        for child in range(first, last):
            if nodes[child].cut != 0 or parts.backup.closed(tree, node, child):
                continue
            visits = nodes[child].visits
            if visits >= self.least and confidence_bound(parts, tree, child, self.z) < safe:
                nodes[child].cut = 1
            elif visits < fewest:
                fewest = visits
                pick = child
        return pick

    @inlined
    def after(self, tree, work, depth):
        add_squares(tree, work, depth)

    def explain(self, parts: Any, tree: Any, work: Any, node: int, child: int) -> Account:
        """The bounds, from `least` visits on, and whether they have cut the child."""
        visits = int(tree.nodes[child].visits)
        terms = {}
        if visits >= self.least:
            terms["lower"] = float(confidence_bound(parts, tree, child, -self.z))
            terms["upper"] = float(confidence_bound(parts, tree, child, self.z))
            if tree.nodes[child].cut or terms["upper"] < safe_value(self, parts, tree, node):
                return Account(terms, None, "cut")
        # the fewer visits, the sooner it is its turn
        return Account(terms, -float(visits))
