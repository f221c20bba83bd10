"""Upper confidence bounds: the mean and a bonus for what was tried little."""

from __future__ import annotations

import math
from typing import NamedTuple

from ponder.jit import constants, inlined
from ponder.mcts.tree import half_range


@constants(TERMS=("mean", "exploration"))
class UCB1(NamedTuple):
    """UCB1 (Auer et al. 2002) applied to trees (UCT: Kocsis & Szepesvari 2006).

        mean + c * h * sqrt(ln N / n)        N visits of the parent, n of the child

    h is half the range of utilities that the game declares, 1 for wins and losses of +1 and -1: so
    one c means the same in every game. 2 * sqrt(2) is Auer's; the default, 2.0, is OpenSpiel's
    (not tuned). A game that declares far more than it ever pays (2048) wants a smaller c, or
    `UCB1Spread`. Untried children come first, in random order.
    """

    c: float = 2.0

    def problem(self) -> str | None:
        return None if self.c >= 0 else f"c of ucb1 must be 0 or more, not {self.c:g}"

    @inlined
    def shared(self, game, parts, tree, work, depth, n, log):
        return self.c * half_range(tree) * math.sqrt(log)

    @inlined
    def terms(self, shared, tree, child, visits, inverse, root, mean):
        return mean, shared * root
