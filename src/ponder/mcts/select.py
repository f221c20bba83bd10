"""Select rules (tree policies): which child does a simulation go on to?

A rule has ``choose(self, nodes, node, rng)``, which returns the child's index in `nodes`.
Rules that score each child and take the best write ``shared(self, parent_visits)``, the part of
the formula that is the same for all children, and
``score(self, shared, visits, inverse, mean)`` with inverse = 1 / visits (given, because a division
for each child is what selection costs); `highest_score` does the rest.
"""

import math
from typing import NamedTuple

from ponder.mcts.simulate import highest_score, untried


class UCB1(NamedTuple):
    """UCB1 (Auer et al. 2002) applied to trees (UCT: Kocsis & Szepesvari 2006).

        mean + c * sqrt(ln N / n)        N visits of the parent, n of the child

    Untried children come first, in random order. c is the whole factor before the root:
    sqrt(2) is Auer's for utilities in [0, 1]; with utilities in [-1, 1] the same exploration is
    2 * sqrt(2), and the default, 2.0, is OpenSpiel's (not tuned).
    """

    c: float = 2.0

    def shared(self, parent_visits):
        return self.c * math.sqrt(math.log(parent_visits))

    def score(self, shared, visits, inverse, mean):
        return mean + shared * math.sqrt(inverse)

    def choose(self, nodes, node, rng):
        if nodes[node].visits <= nodes[node].count:
            return untried(nodes, node, rng)
        return highest_score(self, nodes, node)
