"""Computing budgets: how many visits each child should have, for the best one to be told."""

from __future__ import annotations

from typing import Any, NamedTuple

from ponder.core.making import registered
from ponder.jit import constants, inlined, kernel
from ponder.mcts.children import Account, untried
from ponder.mcts.select.variance import add_squares, variance

SMALLEST = 1e-3
"""In shares of the range: no spread, and no distance from the best mean, counts as less."""


@registered
@constants(NEEDS=("squares",))
class OCBA(NamedTuple):
    """Optimal computing budget allocation (Chen, Lin, Yucesan & Chick 2000), one visit at a time.

        w_i = (s_i / d_i)^2             d_i = best mean - mean of i; of the best child b:
        w_b = s_b * sqrt(sum over i != b of w_i^2 / s_i^2)

    maximises, in the limit, the probability that the best of several means is told from the others:
    visits n_i in proportion to w_i, with s_i the standard deviation of what child i has seen. The
    child whose visits are furthest below its share, w_i / sum w * (visits of all + 1) - n_i, is
    next; ties go to the child tried first. Each child gets `least` visits before. No s_i and d_i
    counts as less than a thousandth of the game's range.

    It is made for the root, where all that matters is the final choice: with expand=root_only().
    Inside a tree (Coulom 2006) an accurate value is wanted, and visits to moves that are merely
    close to the best one are averaged into it.
    """

    least: int = 5

    def problem(self) -> str | None:
        if self.least >= 2:
            return None
        return f"least of ocba, for a spread to be known, must be 2 or more, not {self.least}"

    @inlined
    def choose(self, game, parts, tree, work, depth, rng):
        nodes = tree.nodes
        node = work.path[depth]
        if parts.expand.has_untried(tree, node):
            return untried(parts, tree, node, rng)
        first = nodes[node].first
        end = first + nodes[node].count
        total = shares(parts, tree, work, node)
        pick = first
        most = -1e300
        for child in range(first, end):
            if parts.backup.closed(tree, node, child):
                continue
            wanted = work.scores[child - first] * (total + 1.0) - nodes[child].visits
            if nodes[child].visits < self.least:  # these first, the least visited one
                wanted = 1e100 - nodes[child].visits
            if wanted > most:
                most = wanted
                pick = child
        return pick

    @inlined
    def after(self, tree, work, depth):
        add_squares(tree, work, depth)

    def explain(self, parts: Any, tree: Any, work: Any, node: int, child: int) -> Account:
        """The share of the visits that is due, and how many visits the child is behind it."""
        visits = int(tree.nodes[child].visits)
        if visits < self.least:
            return Account({}, 1e100 - visits, f"{self.least} visits first")
        total = shares(parts, tree, work, node)
        share = float(work.scores[child - int(tree.nodes[node].first)])
        return Account({"share": share}, share * (total + 1.0) - visits)


@kernel
def shares(parts, tree, work, node):
    """work.scores: the share of the visits that is due to each child; returns all their visits."""
    nodes = tree.nodes
    first = nodes[node].first
    end = first + nodes[node].count
    least = SMALLEST * (tree.highest - tree.lowest)
    best = -1
    highest = -1e300
    total = 0.0
    for child in range(first, end):
        visits = nodes[child].visits
        total += visits
        if visits == 0 or parts.backup.closed(tree, node, child):
            continue
        mean = parts.backup.worth(tree, child, 1.0 / visits)
        if mean > highest:
            highest = mean
            best = child
    squared = 0.0  # sum of w_i^2 / s_i^2
    everything = 0.0
    for child in range(first, end):
        work.scores[child - first] = 0.0
        visits = nodes[child].visits
        if child == best or visits == 0 or parts.backup.closed(tree, node, child):
            continue
        inverse = 1.0 / visits
        spread2 = max(variance(tree, child, inverse), least * least)
        distance = max(highest - parts.backup.worth(tree, child, inverse), least)
        weight = spread2 / (distance * distance)
        work.scores[child - first] = weight
        squared += weight * weight / spread2
        everything += weight
    if best >= 0:
        spread2 = max(variance(tree, best, 1.0 / nodes[best].visits), least * least)
        weight = (spread2 * squared) ** 0.5
        if squared == 0.0:  # there is no other child
            weight = 1.0
        work.scores[best - first] = weight
        everything += weight
    for i in range(end - first):
        work.scores[i] = work.scores[i] / everything if everything > 0.0 else 0.0
    return total
