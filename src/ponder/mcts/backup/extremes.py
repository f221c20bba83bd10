"""Backup rules that take one child's value: the best one's, or the most visited one's."""

from typing import NamedTuple

from ponder.jit import inlined
from ponder.mcts.backup.vectors import (
    add_to_sums,
    back_up,
    best_child,
    copy_vector,
    evaluations,
    most_visited_child,
)


class Max(NamedTuple):
    """The best visited child's value (Coulom 2006, "Max"): max_i v_i for the player to move.

    Overestimates while children have few visits: the maximum of noisy values is too high.
    """

    NEEDS = ("backed",)

    @inlined
    def update(self, tree, work, depth):
        back_up(self, tree, work, depth)

    @inlined
    def combine(self, tree, work, node, first, end):
        copy_vector(tree, node, best_child(tree, first, end))

    @inlined
    def worth(self, tree, child, inverse):
        return tree.nodes[child].backed[tree.nodes[child].player]


class RobustMax(NamedTuple):
    """The value of the child with the most visits (Coulom 2006, "Robust Max")."""

    NEEDS = ("backed",)

    @inlined
    def update(self, tree, work, depth):
        back_up(self, tree, work, depth)

    @inlined
    def combine(self, tree, work, node, first, end):
        copy_vector(tree, node, most_visited_child(tree, first, end))

    @inlined
    def worth(self, tree, child, inverse):
        return tree.nodes[child].backed[tree.nodes[child].player]


class TreeMinimax(NamedTuple):
    """The minimax (max^n) value of the tree as far as it is built.

    A node whose open children have not all been visited is worth the mean of all evaluations in
    it; from then on it is worth its best child. Unlike `Max` it does not take the best of a few.
    """

    NEEDS = ("backed", "sums")

    @inlined
    def update(self, tree, work, depth):
        add_to_sums(tree, work, depth)
        back_up(self, tree, work, depth)

    @inlined
    def combine(self, tree, work, node, first, end):
        nodes = tree.nodes
        for child in range(first, end):
            if nodes[child].visits == 0:
                n = evaluations(tree, node)
                for p in range(nodes[node].backed.size):
                    nodes[node].backed[p] = nodes[node].sums[p] / n
                return
        copy_vector(tree, node, best_child(tree, first, end))

    @inlined
    def worth(self, tree, child, inverse):
        return tree.nodes[child].backed[tree.nodes[child].player]
