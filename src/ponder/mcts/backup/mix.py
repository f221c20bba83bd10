"""Coulom's Mix: between the mean, the best child and the most visited child."""

from typing import NamedTuple

from ponder.jit import constants, inlined, kernel, take_methods
from ponder.mcts.backup.vectors import (
    OfPoints,
    best_child,
    copy_mean,
    evaluations,
    is_external,
    most_visited_child,
    problem_of_points,
)


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


@constants(NEEDS=("backed", "sums"))
class Mix(NamedTuple):
    """Coulom's Mix operator (2006, figure 1). For the player to move, with S simulations through
    the node, their mean m, and g_i simulations and value v_i of move i:

        move 0   the best move by value
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
    keeps a weight of at least 1/9 for ever. ``ponder lab tune`` fits `weight` and `until`.
    """

    points: int = 0
    weight: float = 2.0
    until: float = 16.0

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


take_methods(Mix, OfPoints)
