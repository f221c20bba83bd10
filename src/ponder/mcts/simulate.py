"""The kernels of Monte Carlo tree search: descend, expand, evaluate, backward.

One simulation (Coulom 2006; Kocsis & Szepesvari 2006; the four steps of Browne et al. 2012):

    1. descend    from the root to a node without children, as the select rule chooses
    2. expand     give that node its children, unless this is its first visit
    3. evaluate   a value for every player: a random game to its end, say
    4. backward   add the values to every node on the path

`simulate` is the whole loop for compiled games. The step-wise driver (`ponder.mcts.stepwise`)
calls 1, 2 and 4 for games and evaluators that are ordinary Python.
"""

import math

import numpy as np

from ponder.core.game import CHANCE
from ponder.core.rng import below, sample
from ponder.jit import copy_record, inlined, kernel, prefetch
from ponder.mcts.tree import ROOT, UNEXPANDED

# What ended a call of `simulate`.
DONE, FULL, TOO_LONG, NOT_A_NUMBER = 0, 1, 2, 3


@kernel
@inlined
def descend(game, select, tree, work, rng, depth):
    """Walk down from path[depth] to a node without children, applying actions to states[1].

    Returns the depth reached; path[0 .. depth] is filled. A game whose `chance_outcomes` gives
    nothing (the step-wise driver's stand-in) stops the walk at a chance node.
    """
    nodes = tree.nodes
    s = work.states[1]
    node = work.path[depth]
    while nodes[node].first != UNEXPANDED:
        first = nodes[node].first
        if nodes[first].player == CHANCE:
            n = game.chance_outcomes(s, work.actions, work.chances)
            if n == 0:
                return depth
            child = first + sample(rng, work.chances, n)
        else:
            child = select.choose(tree, node, rng)
        # The children's statistics are needed right after the rules have run: fetch them now.
        below_it = max(nodes[child].first, 0)
        prefetch(nodes, below_it)
        prefetch(nodes, below_it + 3)
        prefetch(nodes, below_it + 6)
        game.apply_action(s, nodes[child].action)
        depth += 1
        work.path[depth] = child
        node = child
    return depth


@kernel
def expand(tree, node, player, actions, n):
    """Append n children, one for each action, chosen by `player`."""
    nodes = tree.nodes
    size = tree.info[0]
    nodes[node].first = size
    nodes[node].count = n
    for i in range(n):
        child = nodes[size + i]
        child.value = 0.0
        child.visits = 0
        child.first = UNEXPANDED
        child.action = actions[i]
        child.count = 0
        child.player = player
    tree.info[0] = size + n


@kernel
@inlined
def backward(backup, tree, work, depth):
    """Add the evaluation to the path, to the totals and to the root move's spread."""
    backup.update(tree, work, depth)
    if depth > tree.info[1]:
        tree.info[1] = depth
    for p in range(work.totals.size):
        work.totals[p] += work.utilities[p]
    if depth > 0:
        move = work.path[1]
        u = work.utilities[max(tree.nodes[move].player, 0)]
        work.squares[move - tree.nodes[ROOT].first] += u * u


@kernel
def simulate(game, select, evaluate, backup, tree, work, rng, n, may_grow):
    """Up to n simulations. Returns how many were made, and DONE or what prevented more."""
    nodes = tree.nodes
    longest = work.path.size - 2
    for i in range(n):
        if may_grow and tree.info[0] + work.actions.size > nodes.size:
            return i, FULL
        # 1. descend
        copy_record(work.states, 1, 0)
        s = work.states[1]
        work.path[0] = ROOT
        depth = descend(game, select, tree, work, rng, np.int64(0))  # a plain 0 compiles it twice
        # 2. expand: a node gets its children at its second visit
        leaf = work.path[depth]
        if nodes[leaf].visits > 0 and may_grow and not game.is_terminal(s):
            if depth >= longest:
                return i, TOO_LONG
            player = game.current_player(s)
            if player == CHANCE:
                count = game.chance_outcomes(s, work.actions, work.chances)
            else:
                count = game.legal_actions(s, work.actions)
            expand(tree, leaf, player, work.actions, count)
            depth = descend(game, select, tree, work, rng, depth)
        # 3. evaluate
        if not evaluate.evaluate(game, s, work, rng, longest - depth):
            return i, TOO_LONG
        # 4. backward
        for p in range(work.utilities.size):
            if work.utilities[p] != work.utilities[p]:  # NaN differs from itself
                return i, NOT_A_NUMBER
        backward(backup, tree, work, depth)
    return n, DONE


# ------------------------------------------------------------------ helpers of the select rules


@kernel
def untried(tree, node, rng):
    """A uniformly random child that has no visit yet; there must be one.

    Tried children come first: the chosen action is swapped into the next free place.
    """
    nodes = tree.nodes
    tried = nodes[node].visits - 1
    child = nodes[node].first + tried
    other = child + below(rng, nodes[node].count - tried)
    action = nodes[child].action
    nodes[child].action = nodes[other].action
    nodes[other].action = action
    return child


@kernel
@inlined
def highest_score(rule, tree, node):
    """The child with the highest ``rule.score``; all must have been visited.

    Ties go to the child tried first, and the order of trying is random.
    """
    nodes, numbers = tree.nodes, tree.numbers
    n = nodes[node].visits
    log = numbers[n].log if n < numbers.size else math.log(n)
    shared = rule.shared(n, log)
    first = nodes[node].first
    pick = first
    best = -1e300
    for child in range(first, first + nodes[node].count):
        visits = nodes[child].visits
        if visits < numbers.size:
            inverse = numbers[visits].inverse
            root = numbers[visits].root
        else:
            inverse = 1.0 / visits
            root = math.sqrt(inverse)
        score = rule.score(shared, visits, root, nodes[child].value * inverse)
        if score > best:
            best = score
            pick = child
    return pick
