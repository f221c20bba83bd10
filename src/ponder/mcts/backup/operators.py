"""Backup rules that keep a value for every player (`ponder.mcts.backup.vectors`): the best
child's, the most visited one's, what lies between these and the mean, and a discounted mean."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from ponder.core.game import Spec
from ponder.core.making import registered
from ponder.jit import constants, inlined, kernel
from ponder.mcts.backup.mean import Mean
from ponder.mcts.backup.vectors import (
    OperatorBackup,
    Opponents,
    VectorBackup,
    back_up,
    best_child,
    copy_mean,
    copy_vector,
    evaluations,
    is_external,
    most_visited_child,
    problem_of_points,
)


class MaxFields(NamedTuple):
    points: int = 0


@registered
@constants(NEEDS=("backed", "sums"))
class Max(MaxFields, OperatorBackup):
    """The best visited child's value (Coulom 2006, "Max"): max_i v_i for the player to move.

    In internal nodes; one with fewer than `points` evaluations is external, and worth their mean.
    The paper has the points of the board; points=0 is the number of legal moves at the root, and
    points=1 leaves no external nodes. Overestimates while children have few visits: the maximum
    of noisy values is too high.
    """

    __slots__ = ()

    @inlined
    def combine(self, tree, work, node, first, end):
        if is_external(tree, node, self.points):
            copy_mean(tree, node)
        else:
            copy_vector(tree, node, best_child(tree, first, end))


class RobustMaxFields(NamedTuple):
    points: int = 0


@registered
@constants(NEEDS=("backed", "sums"))
class RobustMax(RobustMaxFields, OperatorBackup):
    """The value of the child with the most visits (Coulom 2006, "Robust Max"); the higher value
    breaks ties. In internal nodes, as `Max` is.
    """

    __slots__ = ()

    @inlined
    def combine(self, tree, work, node, first, end):
        if is_external(tree, node, self.points):
            copy_mean(tree, node)
        else:
            copy_vector(tree, node, most_visited_child(tree, first, end))


class TreeMinimaxFields(NamedTuple):
    points: int = 1


@registered
@constants(NEEDS=("backed", "sums"))
class TreeMinimax(TreeMinimaxFields, OperatorBackup):
    """The minimax (max^n) value of the tree as far as it is built.

    Kocsis & Szepesvari (2006) ran Monte Carlo searches with minimax updates for comparison.
    A node whose open children have not all been visited is worth the mean of all evaluations in
    it; from then on it is worth its best child. Unlike `Max` it does not take the best of a few.
    With fewer than `points` evaluations it is worth their mean as well: as in `Max`, but for the
    default, which asks for no more than the visit to every child.
    """

    __slots__ = ()

    @inlined
    def combine(self, tree, work, node, first, end):
        known = not is_external(tree, node, self.points)
        for child in range(first, end):
            known = known and tree.nodes[child].visits > 0
        if known:
            copy_vector(tree, node, best_child(tree, first, end))
        else:
            copy_mean(tree, node)


@kernel
def mean_weight(points, simulations, weight, until):
    """`weight` * b simulations' worth of trust in the mean up to `until` * b simulations, then
    the same share of them all: 2b up to 16b, an eighth after, in the paper."""
    if simulations <= until * points:
        return weight * points
    return weight * simulations / until


@kernel
def mixed(w, mean, games0, games1, value0, value1):
    """What the formula trusts: (weight of v_0, weight of v_1, weight of the mean), sum 1."""
    if games0 == 0 or games1 == 0:
        return 1.0, 0.0, 0.0
    if games0 < games1:
        if value1 > mean:
            trust = games1 / (games1 + w)
            return 0.0, trust, 1.0 - trust
        if value0 >= mean:
            return 0.0, 0.0, 1.0
    trust = games0 / (games0 + w)
    return trust, 0.0, 1.0 - trust


@kernel
def second_child(tree, first, end, best):
    """Move 1: the second best, or the most visited child if it is neither of the best two."""
    nodes = tree.nodes
    mover = nodes[first].player
    second = -1
    for child in range(first, end):
        if (
            child != best
            and nodes[child].visits > 0
            and (second < 0 or nodes[child].backed[mover] > nodes[second].backed[mover])
        ):
            second = child
    robust = most_visited_child(tree, first, end)
    return robust if robust != best else second


class MixFields(NamedTuple):
    points: int = 0
    weight: float = 2.0
    until: float = 16.0


@registered
@constants(NEEDS=("backed", "sums"))
class Mix(MixFields, OperatorBackup):
    """Coulom's Mix operator (2006, figure 1). For the player to move, with S simulations through
    the node, their mean m, and g_i simulations and value v_i of move i:

        move 0   the best move by value; of equals the first child, which was tried first
        move 1   the second best; or the most visited one, if it is neither of the best two
        w        2b if S <= 16b, else S / 8; in general `weight` b, and from `until` b on
                 weight / until of S
        A_i      (g_i v_i + w m) / (g_i + w)

        g_0 = 0 or g_1 = 0   v_0        (one visited move: it alone)
        g_0 >= g_1           A_0        the best move is well explored
        v_1 > m              A_1        trust the explored one
        v_0 < m              A_0        the mean is above both: pull it down
        else                 m

    in internal nodes; one with fewer than b evaluations is external, and worth their mean m.

    b is `points`: 81, the points of the board, on 9x9. points=0, the default, is the number of
    legal moves at the root: our choice where a game has no such board, not the paper's. The mean
    keeps a weight of at least 1/9 forever. ``ponder lab tune`` fits `weight` and `until`.
    """

    __slots__ = ()

    def problem(self) -> str | None:
        if self.weight < 0 or self.until <= 0:
            return (
                "mix needs a weight of 0 or more and until above 0, "
                f"not {self.weight:g} and {self.until:g}"
            )
        return problem_of_points(self)

    @inlined
    def combine(self, tree, work, node, first, end):
        if is_external(tree, node, self.points):
            copy_mean(tree, node)
            return
        nodes = tree.nodes
        mover = nodes[first].player
        best = best_child(tree, first, end)
        second = second_child(tree, first, end, best)
        games1 = 0
        value1 = 0.0
        if second >= 0:
            games1 += nodes[second].visits
            value1 += nodes[second].backed[mover]
        else:
            second = best
        n = evaluations(tree, node)
        mean = nodes[node].sums[mover] / n
        w = mean_weight(self.points, n, self.weight, self.until)
        of_best, of_second, of_mean = mixed(
            w, mean, nodes[best].visits, games1, nodes[best].backed[mover], value1
        )
        for p in range(nodes[node].backed.size):
            nodes[node].backed[p] = (
                of_best * nodes[best].backed[p]
                + of_second * nodes[second].backed[p]
                + of_mean * nodes[node].sums[p] / n
            )


class PowerMeanFields(NamedTuple):
    p: float = 2.0


@registered
@constants(NEEDS=("backed",))
class PowerMean(PowerMeanFields, VectorBackup):
    """The power mean of the children's values (Power-UCT: Dam et al. 2019).

        V = (sum_i (n_i / n) Q_i^p)^(1/p)        n = sum_i n_i

    p = 1 is the mean of the children, p to infinity their maximum. Utilities are shifted to
    [0, 1] by the game's range first, since powers want that, and back afterwards. This is the
    value for the player to move. Of two players whose utilities add up to a constant the other
    gets what is left; in all other games the others get the visit-weighted mean of their values.
    """

    __slots__ = ()

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


class DiscountedFields(NamedTuple):
    gamma: float = 0.99


@registered
@constants(NEEDS=("backed",), TRACE=True)
class Discounted(DiscountedFields, VectorBackup):
    """The mean of utility * gamma^k, k moves from the node to the end of the simulated game.

    The discount of Markov decision processes, in games a usage without a paper of its own.
    Wins soon rather than late and losses late rather than soon, where a win is positive and a
    loss negative: what is discounted shrinks towards 0, so utilities in [0, 1] only make wins
    urgent. k counts the moves of players, in the tree and in the rollout, not chance; evaluations
    that end before the game does, and nodes whose value is proven, count the moves made so far.
    """

    __slots__ = ()

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
