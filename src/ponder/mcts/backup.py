"""Backup rules: how an evaluation changes the nodes on the path.

A rule has ``update(self, tree, work, depth)``; the path is ``work.path[0 .. depth]``, the values
are ``work.utilities``.
"""

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
            node = nodes[work.path[d]]
            if node.player >= 0:  # chance keeps the owner of the node above
                owner = node.player
            node.visits += 1
            node.value += work.utilities[owner]
