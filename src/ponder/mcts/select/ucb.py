"""Upper confidence bounds: the mean and a bonus for what was tried little."""

from __future__ import annotations

import math
from typing import NamedTuple

from ponder.jit import constants, inlined


@constants(TERMS=("mean", "exploration"))
class UCB1(NamedTuple):
    """UCB1 (Auer et al. 2002) applied to trees (UCT: Kocsis & Szepesvari 2006).

        mean + c * sqrt(ln N / n)        N visits of the parent, n of the child

    Untried children come first, in random order. c is the whole factor before the root:
    sqrt(2) is Auer's for utilities in [0, 1]; with utilities in [-1, 1] the same exploration is
    2 * sqrt(2), and the default, 2.0, is OpenSpiel's (not tuned).
    """

    c: float = 2.0

    def problem(self) -> str | None:
        return None if self.c >= 0 else f"c of ucb1 must be 0 or more, not {self.c:g}"

    @inlined
    def shared(self, game, parts, tree, work, depth, n, log):
        return self.c * math.sqrt(log)

    @inlined
    def terms(self, shared, tree, child, visits, inverse, root, mean):
        return mean, shared * root
