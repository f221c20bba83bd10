"""Select rules (tree policies): which child does a simulation go on to?

A rule has ``choose(self, tree, node, rng)``, which returns the child's index in `tree.nodes`.
Rules that score each child and take the best write ``shared(self, n, log)``, the part of the
formula that is the same for all children (n visits of the parent, log = ln n), and
``score(self, shared, visits, root, mean)`` with root = sqrt(1 / visits); `highest_score` does the
rest. log and root are given because they come from a table: computing them is what selection
would cost.
"""

import math
from typing import NamedTuple

from ponder.jit import inlined
from ponder.mcts.simulate import highest_score, untried


class UCB1(NamedTuple):
    """UCB1 (Auer et al. 2002) applied to trees (UCT: Kocsis & Szepesvari 2006).

        mean + c * sqrt(ln N / n)        N visits of the parent, n of the child

    Untried children come first, in random order. c is the whole factor before the root:
    sqrt(2) is Auer's for utilities in [0, 1]; with utilities in [-1, 1] the same exploration is
    2 * sqrt(2), and the default, 2.0, is OpenSpiel's (not tuned).
    """

    c: float = 2.0

    def shared(self, n, log):
        return self.c * math.sqrt(log)

    def score(self, shared, visits, root, mean):
        return mean + shared * root

    @inlined
    def choose(self, tree, node, rng):
        if tree.nodes[node].visits <= tree.nodes[node].count:
            return untried(tree, node, rng)
        return highest_score(self, tree, node)
