"""The mean of everything below a node."""

from typing import NamedTuple

from ponder.jit import inlined
from ponder.mcts.tree import ROOT


class Mean(NamedTuple):
    """The mean of all evaluations below a node: visits + 1, value + utility of the node's owner."""

    @inlined
    def update(self, tree, work, depth):
        nodes = tree.nodes
        owner = max(nodes[ROOT].player, 0)
        for d in range(depth + 1):
            node = work.path[d]
            if nodes[node].player >= 0:  # chance keeps the owner of the node above
                owner = nodes[node].player
            tree.mode.add(tree, node, work.utilities[owner])
