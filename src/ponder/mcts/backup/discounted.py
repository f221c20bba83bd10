"""The mean of results that count the less, the later they come."""

from typing import NamedTuple

from ponder.jit import constants, inlined, take_methods
from ponder.mcts.backup.mean import Mean
from ponder.mcts.backup.vectors import OfVectors, copy_mean, evaluations


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
