"""What select rules are made of: which child is untried, which scores highest, and why."""

from __future__ import annotations

import math
from typing import NamedTuple

from ponder.core.rng import below
from ponder.jit import inlined, kernel, natural, prefetch


@kernel
def tried_count(tree, node):
    """How many children have a visit; they stand before those that have none."""
    nodes = tree.nodes
    first = nodes[node].first
    # one visit made the node, each later one tried a child: nearly always right
    guess = nodes[node].visits - 1
    count = nodes[node].count
    if (
        guess < count
        and nodes[first + guess].visits == 0
        and (guess <= 0 or nodes[first + guess - 1].visits > 0)
    ):
        return max(guess, 0)
    low = 0
    high = count + 0  # a whole number of the kernel's own width
    while low < high:
        middle = (low + high) // 2
        if nodes[first + middle].visits > 0:
            low = middle + 1
        else:
            high = middle
    return low


@kernel
def untried(parts, tree, node, rng):
    """A child that has no visit yet; there must be one.

    A uniformly random one, swapped into the next place; or the next one, where
    children stand in an order that is meant.
    """
    nodes = tree.nodes
    tried = tried_count(tree, node)
    if tree.mode.in_order():  # another thread may just have taken the last one
        tried = min(tried, nodes[node].count - 1)
    child = nodes[node].first + tried
    if not parts.expand.in_order() and not tree.mode.in_order():
        parts.expand.swap(tree, child, child + below(rng, nodes[node].count - tried))
    return child


@kernel
@inlined
def swap_actions(tree, one, other):
    """Two children that have nothing but their actions yet change places."""
    nodes = tree.nodes
    action = nodes[one].action
    nodes[one].action = nodes[other].action
    nodes[other].action = action


@kernel
def movers_mean(parts, tree, node):
    """What the visits of a node's children were worth on average to the player who chooses there.

    The node's own statistics belong to the player who chose the edge *into* it. 0 if no child was
    visited: then nothing can be compared with it either.
    """
    nodes = tree.nodes
    first = nodes[node].first
    total = 0.0
    visits = 0
    for child in range(first, first + nodes[node].count):
        n = nodes[child].visits
        if n > 0:
            total += n * parts.backup.worth(tree, child, 1.0 / n)
            visits += n
    return total / visits if visits > 0 else 0.0


@kernel
@inlined
def highest_score(rule, game, parts, tree, work, depth):
    """The child with the highest ``rule.score``; ties go to the child tried first.

    Children that the backup rule has closed are left out.
    """
    nodes, numbers = tree.nodes, tree.numbers
    node = work.path[depth]
    n = natural(nodes[node].visits)
    log = numbers[n].log if n < numbers.size else math.log(n)
    shared = rule.shared(game, parts, tree, work, depth, n, log)
    first = nodes[node].first
    pick = first
    best = -1e300
    for each in range(first, first + nodes[node].count):
        child = natural(each)
        if parts.backup.closed(tree, node, child):
            continue
        visits = natural(nodes[child].visits)
        if visits < numbers.size:
            inverse = numbers[visits].inverse
            root = numbers[visits].root
        else:
            inverse = 1.0 / visits
            root = math.sqrt(inverse)
        mean = parts.backup.worth(tree, child, inverse)
        score = rule.score(shared, tree, child, visits, inverse, root, mean)
        if score > best:
            best = score
            pick = child
            # Its children lie in slow memory, often enough, and are needed in a moment.
            prefetch(nodes, max(nodes[child].first, 0))
    return pick


class Account(NamedTuple):
    """What the plain method ``explain(self, parts, tree, work, node, child)`` of a rule returns.

    For rules that do not choose by the sum of their `terms`. The child has been visited.
    """

    terms: dict[str, float]
    score: float | None
    """The higher, the likelier the child is chosen; None: it cannot be."""
    remark: str = ""
