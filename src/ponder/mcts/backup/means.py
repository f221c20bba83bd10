"""Means of another kind: between the mean and the maximum, and with results that fade."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from ponder.core.game import Spec
from ponder.jit import constants, inlined, take_methods
from ponder.mcts.backup.mean import Mean
from ponder.mcts.backup.vectors import (
    OfVectors,
    Opponents,
    back_up,
    best_child,
    copy_mean,
    evaluations,
)


@constants(NEEDS=("backed",))
class PowerMean(NamedTuple):
    """The power mean of the children's values (Power-UCT: Dam et al. 2019).

        V = (sum_i (n_i / n) Q_i^p)^(1/p)        n = sum_i n_i

    p = 1 is the mean of the children, p to infinity their maximum. Utilities are shifted to
    [0, 1] by the game's range first, since powers want that, and back afterwards. This is the
    value for the player to move. Of two players whose utilities add up to a constant the other
    gets what is left; in all other games the others get the visit-weighted mean of their values.
    """

    p: float = 2.0

    def problem(self) -> str | None:
        return None if 1.0 <= self.p < math.inf else f"p of power_mean is 1 or more, not {self.p:g}"

    def memory(self, spec: Spec, simulations: int | None) -> Any:
        return Opponents(spec.players == 2 and bool(spec.zero_sum))

    @inlined
    def update(self, tree, work, depth):
        back_up(self, tree, work, depth)

    @inlined
    def combine(self, tree, work, node, first, end):
        nodes = tree.nodes
        mover = nodes[first].player
        backed = nodes[node].backed
        games = 0
        for child in range(first, end):
            games += nodes[child].visits
        for p in range(backed.size):
            total = 0.0
            for child in range(first, end):
                if nodes[child].visits > 0:
                    total += nodes[child].visits * nodes[child].backed[p]
            backed[p] = total / games
        both = backed[0] + backed[backed.size - 1]  # what two opponents share
        # (sum w Q^p)^(1/p) = M (sum w (Q/M)^p)^(1/p): large powers of small numbers vanish
        scale = tree.highest - tree.lowest
        most = nodes[best_child(tree, first, end)].backed[mover] - tree.lowest
        value = tree.lowest
        if most > 0.0:
            total = 0.0
            for child in range(first, end):
                if nodes[child].visits > 0:
                    share = max((nodes[child].backed[mover] - tree.lowest) / most, 0.0)
                    total += nodes[child].visits / games * share**self.p
            value += scale * (most / scale) * total ** (1.0 / self.p)
        backed[mover] = value
        if work.memory.backup.opposed:
            backed[1 - mover] = both - value


take_methods(PowerMean, OfVectors)


@constants(NEEDS=("backed",), TRACE=True)
class Discounted(NamedTuple):
    """The mean of utility * gamma^k, k moves from the node to the end of the simulated game.

    The discount of Markov decision processes, in games a usage without a paper of its own.
    Wins soon rather than late and losses late rather than soon, where a win is positive and a
    loss negative: what is discounted shrinks towards 0, so utilities in [0, 1] only make wins
    urgent. k counts the moves of players, in the tree and in the rollout, not chance; evaluations
    that end before the game does, and nodes whose value is proven, count the moves made so far.
    """

    gamma: float = 0.99

    def problem(self) -> str | None:
        if 0.0 < self.gamma <= 1.0:
            return None
        return f"gamma of discounted is above 0 and at most 1, not {self.gamma:g}"

    @inlined
    def update(self, tree, work, depth):
        nodes = tree.nodes
        Mean().update(tree, work, depth)
        made = 0  # moves of players on the way down
        left = work.trace.length[0]
        for d in range(depth + 1):
            node = work.path[d]
            if d > 0 and nodes[node].player >= 0:
                made += 1
            factor = self.gamma ** float(left - made)
            n = max(evaluations(tree, node), 1)
            backed = nodes[node].backed
            for p in range(backed.size):
                backed[p] += (factor * work.utilities[p] - backed[p]) / n

    @inlined
    def renew(self, tree, work, node):
        # how far from the end the earlier games were is not known: they count in full
        if evaluations(tree, node) > 0:
            copy_mean(tree, node)


take_methods(Discounted, OfVectors)
