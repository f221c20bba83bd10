"""What the backup rules other than the mean share: a vector `backed`, one value per player.

A rule says only how the values of a decision's children become the value of the decision
(``combine``); the rest is the same for all:

    a node none of whose children has been visited   the mean of its own evaluations
    a chance node                                    sum_i n_i v_i / sum_i n_i over its outcomes
    a decision                                       rule.combine(tree, work, node, first, end)

with n_i visits and v_i the vector of child i. Vectors are taken whole: whoever moves compares its
own component, and the others get what that child means for them. So any number of players, moves
in a row, and utilities of any sum need no change of sign. Visits and sums of utilities are kept
as by `mean`, so that the plain mean stays known.

Coulom's operators (max, robust max, mix) are for *internal* nodes. A node with fewer than `points`
evaluations is *external*, and worth their mean: what one or two random games say of each child is
no reason to call the node won or lost.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ponder.core.game import CHANCE
from ponder.core.position import Position
from ponder.core.registry import part_text
from ponder.jit import inlined, kernel
from ponder.mcts.backup.mean import Mean
from ponder.mcts.tree import ROOT

if TYPE_CHECKING:
    from ponder.mcts.protocols import BackupRule


class Opponents(NamedTuple):
    """Kept for the whole search: are there two players whose utilities add up to a constant?"""

    opposed: bool


class VectorBackup:
    """What all rules with a vector `backed` say alike. A NamedTuple cannot have a second base, so
    a rule is made in two steps: its fields, then ``class Max(MaxFields, VectorBackup)``."""

    __slots__ = ()

    @inlined
    def worth(self, tree, child, inverse):
        return tree.nodes[child].backed[tree.nodes[child].player]

    @inlined
    def shown(self, tree, node, owner):
        return tree.nodes[node].backed[owner]

    @inlined
    def renew(self, tree, work, node):
        renew(self, tree, work, node)


class OperatorBackup(VectorBackup):
    """... and those that tell internal nodes from external ones by the evaluations in them; they
    have a field ``points``."""

    __slots__ = ()

    def problem(self: Any) -> str | None:
        return problem_of_points(self)

    def fitted(self, position: Position) -> BackupRule:
        whole: BackupRule = with_points(self, position)
        return whole

    @inlined
    def update(self, tree, work, depth):
        add_to_sums(tree, work, depth)
        back_up(self, tree, work, depth)


@kernel
@inlined
def back_up(rule, tree, work, depth):
    """Count the simulation on the whole path, then refresh the vectors from the leaf up."""
    Mean().update(tree, work, depth)
    for d in range(depth, -1, -1):
        refresh(rule, tree, work, work.path[d])


@kernel
def refresh(rule, tree, work, node):
    """The vector of one node, from its children where it has visited ones."""
    nodes = tree.nodes
    first = nodes[node].first
    if first < 0:
        add_to_average(tree, node, work.utilities)
        return
    end = first + nodes[node].count
    tried = 0
    for child in range(first, end):
        tried += nodes[child].visits
    if tried == 0:
        add_to_average(tree, node, work.utilities)
    elif nodes[first].player == CHANCE:
        weigh_outcomes(tree, node, first, end, tried)
    else:
        rule.combine(tree, work, node, first, end)


@kernel
def renew(rule, tree, work, node):
    """The vector of one node anew, its children's being right. Needs ``sums``."""
    nodes = tree.nodes
    if evaluations(tree, node) == 0:
        return
    first = nodes[node].first
    end = first + nodes[node].count
    tried = 0
    if first >= 0:
        for child in range(first, end):
            tried += nodes[child].visits
    if tried == 0:
        copy_mean(tree, node)
    elif nodes[first].player == CHANCE:
        weigh_outcomes(tree, node, first, end, tried)
    else:
        rule.combine(tree, work, node, first, end)


@kernel
def evaluations(tree, node):
    """How many evaluations a node's sums are made of: the root's first visit brought none."""
    return tree.nodes[node].visits - 1 if node == ROOT else tree.nodes[node].visits


@kernel
def add_to_average(tree, node, utilities):
    """One more evaluation of a node without visited children."""
    n = max(evaluations(tree, node), 1)
    backed = tree.nodes[node].backed
    for p in range(backed.size):
        backed[p] += (utilities[p] - backed[p]) / n


@kernel
def weigh_outcomes(tree, node, first, end, tried):
    """A chance node: the mean of its outcomes, weighted by how often each came up."""
    nodes = tree.nodes
    backed = nodes[node].backed
    for p in range(backed.size):
        total = 0.0
        for child in range(first, end):
            if nodes[child].visits > 0:
                total += nodes[child].visits * nodes[child].backed[p]
        backed[p] = total / tried


@kernel
def copy_vector(tree, node, child):
    """The node is worth what this child is worth, to everybody."""
    for p in range(tree.nodes[node].backed.size):
        tree.nodes[node].backed[p] = tree.nodes[child].backed[p]


@kernel
def copy_mean(tree, node):
    """The node is worth the mean of all evaluations in it, to everybody. Needs ``sums``."""
    n = evaluations(tree, node)
    for p in range(tree.nodes[node].backed.size):
        tree.nodes[node].backed[p] = tree.nodes[node].sums[p] / n


@kernel
def is_external(tree, node, points):
    """Has the node too few evaluations for an operator on its children?"""
    return evaluations(tree, node) < points


def with_points(rule: Any, position: Position) -> Any:
    """The rule; points = 0 becomes the number of legal moves at the root."""
    return rule if rule.points else rule._replace(points=len(position.legal_actions))


def problem_of_points(rule: Any) -> str | None:
    name = part_text(rule).partition("(")[0]
    return f"points of {name} must not be negative" if rule.points < 0 else None


@kernel
def best_child(tree, first, end):
    """The visited child with the highest value for the mover; the first one of equals."""
    nodes = tree.nodes
    mover = nodes[first].player
    best = -1
    for child in range(first, end):
        if nodes[child].visits > 0 and (
            best < 0 or nodes[child].backed[mover] > nodes[best].backed[mover]
        ):
            best = child
    return best


@kernel
def most_visited_child(tree, first, end):
    """The child visited most; the higher value for the mover breaks ties."""
    nodes = tree.nodes
    mover = nodes[first].player
    best = first + 0  # a whole number of the kernel's own width
    for child in range(first + 1, end):
        visits, most = nodes[child].visits, nodes[best].visits
        if visits > most or (
            visits == most and nodes[child].backed[mover] > nodes[best].backed[mover]
        ):
            best = child
    return best


@kernel
def add_to_sums(tree, work, depth):
    """For rules that need a node's mean for every player, not only for its owner."""
    for d in range(depth + 1):
        sums = tree.nodes[work.path[d]].sums
        for p in range(sums.size):
            sums[p] += work.utilities[p]
