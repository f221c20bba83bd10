"""Progressive pruning: moves that look bad are cut for good."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from ponder.jit import constants, inlined, kernel
from ponder.mcts.children import Account, untried
from ponder.mcts.select.variance import add_squares, variance


@kernel
@inlined
def bound(parts, tree, child, z):
    """mean + z * s / sqrt(n) of a visited child: its upper bound, or for z < 0 its lower one."""
    inverse = 1.0 / tree.nodes[child].visits
    mean = parts.backup.worth(tree, child, inverse)
    return mean + z * math.sqrt(variance(tree, child, inverse) * inverse)


@kernel
@inlined
def safe_value(rule, parts, tree, node):
    """The best lower bound of the children that are neither cut nor too little visited."""
    nodes = tree.nodes
    safe = -1e300
    for child in range(nodes[node].first, nodes[node].first + nodes[node].count):
        if nodes[child].cut == 0 and nodes[child].visits >= rule.least:
            safe = max(safe, bound(parts, tree, child, -rule.z))
    return safe


@constants(NEEDS=("squares",))
class ProgressivePruning(NamedTuple):
    """Progressive pruning (after Bouzy & Helmstetter 2003): all children in turn, bad ones cut.

        cut child i when   mean_i + z * s_i / sqrt(n_i)  <  max_j (mean_j - z * s_j / sqrt(n_j))

    both with at least `least` visits; s is the standard deviation of a child's utilities. Of the
    children that are left the least visited is next; ties go to the child tried first. What is
    cut is never looked at again, however the others turn out: the method that Coulom (2006) set
    his own selectivity against, which only ever makes a move less likely. It cannot be trusted to
    find the best move, and its value is a mean over all that survives.
    """

    z: float = 2.0
    least: int = 30

    def problem(self) -> str | None:
        if self.z < 0:
            return f"z of progressive_pruning must be 0 or more, not {self.z}"
        if self.least < 2:
            return f"least of progressive_pruning must be 2 or more, not {self.least}"
        return None

    @inlined
    def choose(self, game, parts, tree, work, depth, rng):
        nodes = tree.nodes
        node = work.path[depth]
        if parts.expand.has_untried(tree, node):
            return untried(parts, tree, node, rng)
        first = nodes[node].first
        last = first + nodes[node].count
        safe = safe_value(self, parts, tree, node)
        pick = first
        fewest = 1 << 62
        for child in range(first, last):
            if nodes[child].cut != 0 or parts.backup.closed(tree, node, child):
                continue
            visits = nodes[child].visits
            if visits >= self.least and bound(parts, tree, child, self.z) < safe:
                nodes[child].cut = 1
            elif visits < fewest:
                fewest = visits
                pick = child
        return pick

    @inlined
    def after(self, tree, work, depth):
        add_squares(tree, work, depth)

    def explain(self, parts: Any, tree: Any, work: Any, node: int, child: int) -> Account:
        """The bounds, from `least` visits on, and whether they have cut the child."""
        visits = int(tree.nodes[child].visits)
        terms = {}
        if visits >= self.least:
            terms["lower"] = float(bound(parts, tree, child, -self.z))
            terms["upper"] = float(bound(parts, tree, child, self.z))
            if tree.nodes[child].cut or terms["upper"] < safe_value(self, parts, tree, node):
                return Account(terms, None, "cut")
        # the fewer visits, the sooner it is its turn
        return Account(terms, -float(visits))
