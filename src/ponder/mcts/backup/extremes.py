"""Backup rules that take one child's value: the best one's, or the most visited one's."""

from typing import NamedTuple

from ponder.jit import constants, inlined, take_methods
from ponder.mcts.backup.vectors import (
    OfPoints,
    best_child,
    copy_mean,
    copy_vector,
    is_external,
    most_visited_child,
)


@constants(NEEDS=("backed", "sums"))
class Max(NamedTuple):
    """The best visited child's value (Coulom 2006, "Max"): max_i v_i for the player to move.

    In internal nodes; one with fewer than `points` evaluations is external, and worth their mean.
    The paper has the points of the board; points=0 is the number of legal moves at the root, and
    points=1 leaves no external nodes. Overestimates while children have few visits: the maximum
    of noisy values is too high.
    """

    points: int = 0

    @inlined
    def combine(self, tree, work, node, first, end):
        if is_external(tree, node, self.points):
            copy_mean(tree, node)
        else:
            copy_vector(tree, node, best_child(tree, first, end))


@constants(NEEDS=("backed", "sums"))
class RobustMax(NamedTuple):
    """The value of the child with the most visits (Coulom 2006, "Robust Max"); the higher value
    breaks ties. In internal nodes, as `Max` is.
    """

    points: int = 0

    @inlined
    def combine(self, tree, work, node, first, end):
        if is_external(tree, node, self.points):
            copy_mean(tree, node)
        else:
            copy_vector(tree, node, most_visited_child(tree, first, end))


@constants(NEEDS=("backed", "sums"))
class TreeMinimax(NamedTuple):
    """The minimax (max^n) value of the tree as far as it is built.

    Kocsis & Szepesvari (2006) ran Monte Carlo searches with minimax updates for comparison.
    A node whose open children have not all been visited is worth the mean of all evaluations in
    it; from then on it is worth its best child. Unlike `Max` it does not take the best of a few.
    With fewer than `points` evaluations it is worth their mean as well: as in `Max`, but for the
    default, which asks for no more than the visit to every child.
    """

    points: int = 1

    @inlined
    def combine(self, tree, work, node, first, end):
        known = not is_external(tree, node, self.points)
        for child in range(first, end):
            known = known and tree.nodes[child].visits > 0
        if known:
            copy_vector(tree, node, best_child(tree, first, end))
        else:
            copy_mean(tree, node)


take_methods(Max, OfPoints)
take_methods(RobustMax, OfPoints)
take_methods(TreeMinimax, OfPoints)
