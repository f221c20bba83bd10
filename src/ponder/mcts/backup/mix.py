"""Coulom's Mix: between the mean, the best child and the most visited child."""

from typing import Any, NamedTuple

from ponder.core.position import Position
from ponder.jit import inlined, kernel
from ponder.mcts.backup.vectors import (
    add_to_sums,
    back_up,
    best_child,
    evaluations,
    most_visited_child,
)


@kernel
def mean_weight(points, simulations):
    """2b simulations' worth of trust in the mean up to 16b simulations, an eighth of all after."""
    if simulations <= 16 * points:
        return 2.0 * points
    return simulations / 8.0


@kernel
def mixed(simulations, mean, games0, games1, value0, value1, points):
    """What the formula trusts: (weight of v_0, weight of v_1, weight of the mean), sum 1."""
    w = mean_weight(points, simulations)
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


class Mix(NamedTuple):
    """Coulom's Mix operator (2006, figure 1). For the player to move, with S simulations through
    the node, their mean m, and g_i simulations and value v_i of move i:

        move 0   the best move by value
        move 1   the second best; or the most visited one, if it is neither of the best two
        w        2b if S <= 16b, else S / 8
        A_i      (g_i v_i + w m) / (g_i + w)

        g_0 = 0 or g_1 = 0   v_0        (one visited move: it alone)
        g_0 >= g_1           A_0        the best move is well explored
        v_1 > m              A_1        trust the explored one
        v_0 < m              A_0        the mean is above both: pull it down
        else                 m

    b is `points`: 81, the points of the board, on 9x9. points=0, the default, is the number of
    legal moves at the root: our choice where a game has no such board, not the paper's. The mean
    keeps a weight of at least 1/9 for ever.
    """

    points: int = 0

    NEEDS = ("backed", "sums")

    def problem(self) -> str | None:
        return "points of mix must not be negative" if self.points < 0 else None

    def fitted(self, position: Position) -> Any:
        return self if self.points else self._replace(points=len(position.legal_actions))

    @inlined
    def update(self, tree, work, depth):
        add_to_sums(tree, work, depth)
        back_up(self, tree, work, depth)

    @inlined
    def combine(self, tree, work, node, first, end):
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
        of_best, of_second, of_mean = mixed(
            n, mean, nodes[best].visits, games1, nodes[best].backed[mover], value1, self.points
        )
        for p in range(nodes[node].backed.size):
            nodes[node].backed[p] = (
                of_best * nodes[best].backed[p]
                + of_second * nodes[second].backed[p]
                + of_mean * nodes[node].sums[p] / n
            )

    @inlined
    def worth(self, tree, child, inverse):
        return tree.nodes[child].backed[tree.nodes[child].player]
