"""Kernels about the spread of utilities, for rules that keep ``squares`` with every node."""

from ponder.jit import inlined, kernel
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
