"""The mean of everything below a node."""

from typing import NamedTuple

from ponder.core.making import registered
from ponder.jit import constants, inlined, natural, take_methods
from ponder.mcts.tree import ROOT


@registered
class Mean(NamedTuple):
    """The mean of all evaluations below a node: visits + 1, value + utility of the node's owner."""

    @inlined
    def update(self, tree, work, depth):
        nodes = tree.nodes
        owner = natural(max(nodes[ROOT].player, 0))
        for d in range(depth + 1):
            node = natural(work.path[d])
            if nodes[node].player >= 0:  # chance keeps the owner of the node above
                owner = natural(nodes[node].player)
            tree.mode.add(tree, node, work.utilities[owner])

    @inlined
    def shown(self, tree, node, owner):
        # the root's first visit, for being made, brought no evaluation
        return tree.nodes[node].value / (tree.nodes[node].visits - (1 if node == ROOT else 0))


@constants(NEEDS=("own",))
class GraphMean(NamedTuple):
    """The mean where positions share their children: recomputed from them, not added up.

        Q(edge) = (U + sum_a N(a) Q(a)) / (1 + sum_a N(a))     over the moves a behind the edge

    U is the edge's own first evaluation. Running means would be wrong: simulations that came by
    another edge change the children too (Czech, Korus & Kersting 2021; KataGo's graph search).
    For one player, or two whose utilities add up to a constant.
    """

    @inlined
    def update(self, tree, work, depth):
        nodes = tree.nodes
        leaf = work.path[depth]
        if nodes[leaf].visits == 0:
            nodes[leaf].own = work.utilities[max(nodes[leaf].player, 0)]
        for d in range(depth, -1, -1):
            node = work.path[d]
            nodes[node].visits += 1
            first = nodes[node].first
            if first < 0 or d == depth:
                # a leaf (or a repeated position, which is one here): the mean of its evaluations
                nodes[node].value += work.utilities[max(nodes[node].player, 0)]
                continue
            total = 0.0
            visits = 0
            for child in range(first, first + nodes[node].count):
                total += nodes[child].value
                visits += nodes[child].visits
            if nodes[first].player != nodes[node].player:
                # the children's values are the other player's: turn them round
                total = (tree.lowest + tree.highest) * visits - total
            if d == 0:  # the root has no evaluation of its own, and a visit for being made
                nodes[node].value = total / visits * (nodes[node].visits - 1)
            else:
                mean = (nodes[node].own + total) / (1 + visits)
                nodes[node].value = mean * nodes[node].visits


take_methods(GraphMean, Mean)
