"""The kernels of Monte Carlo tree search: descend, expand, evaluate, backward.

One simulation (Coulom 2006; Kocsis & Szepesvari 2006; the four steps of Browne et al. 2012):

    1. descend    from the root to a node without children, as the select rule chooses
    2. expand     give that node its children, if the expand rule wants it
    3. evaluate   a value for every player: a random game to its end, say
    4. backward   add the values to every node on the path

`simulate` is the whole loop. `ponder.mcts.batch` does 1, 2 and 4 for evaluators that are ordinary
Python.
"""

import numpy as np

from ponder.core.game import CHANCE, are_sound
from ponder.core.rng import below, sample
from ponder.jit import (
    add_at,
    copy_record,
    copy_record_from,
    inlined,
    kernel,
    natural,
    prefetch,
    prefetch_to_write,
)
from ponder.mcts.tree import ROOT

# What ended a call of `simulate`.
DONE, FULL, TOO_LONG, NOT_A_NUMBER, SOLVED, BROKEN = 0, 1, 2, 3, 4, 5


@kernel
@inlined
def descend(game, parts, tree, work, rng, depth):
    """Walk down from path[depth] to a node without children, applying actions to states[1].

    Returns the depth reached; path[0 .. depth] is filled. The walk ends early at a node whose
    value is settled or whose position is on the path already.
    """
    nodes = tree.nodes
    s = work.states[1]
    node = work.path[depth]
    while nodes[node].first >= 0:
        if parts.backup.settled(tree, node) or tree.mode.ends(game, tree, work, depth):
            return depth
        first = natural(nodes[node].first)
        if nodes[first].player == CHANCE:
            n = game.chance_outcomes(s, work.actions, work.chances)
            child = first + sample(rng, work.chances, n)
        else:
            parts.expand.widen(tree, node)
            parts.keep.before(parts, tree, work, node)
            child = natural(parts.select.choose(game, parts, tree, work, depth, rng))
            work.trace.note(nodes[child].player, nodes[child].action)
        # The children's statistics are needed right after the rules have run: fetch them now.
        below_it = max(nodes[child].first, 0)
        prefetch(nodes, below_it)
        prefetch(nodes, below_it + 3)
        prefetch(nodes, below_it + 6)
        game.apply_action(s, nodes[child].action)
        depth += 1
        work.path[depth] = child
        tree.mode.enter(tree, child)
        node = child
    return depth


@kernel
def make_children(tree, player, actions, n):
    """Append n nodes, one for each action, chosen by `player`; the index of the first."""
    nodes = tree.nodes
    first = tree.mode.reserve(tree, n)
    for i in range(n):
        copy_record_from(nodes, first + i, tree.blank, 0)
        nodes[first + i].action = actions[i]
        nodes[first + i].player = player
    return first


@kernel
@inlined
def grow(game, parts, tree, work, leaf, rng):
    """Give the leaf, whose state is states[1], its children; False if its rules are broken."""
    if tree.mode.find(game, tree, work, leaf) >= 0:
        return True
    s = work.states[1]
    player = game.current_player(s)
    if player < CHANCE or player >= work.utilities.size:
        return False
    if player == CHANCE:
        count = game.chance_outcomes(s, work.actions, work.chances)
        if not are_sound(work.actions, count, tree.distinct):
            return False
        first = make_children(tree, player, work.actions, count)
    else:
        count = parts.expand.moves(game, s, leaf, work.actions)
        if not are_sound(work.actions, count, tree.distinct):
            return False
        mix_up(parts, tree, work, count, rng)
        first = make_children(tree, player, work.actions, count)
        parts.select.prepare(game, s, tree, first, count, work)
        count = parts.expand.prepare(game, s, tree, leaf, first, count, work, rng)
    tree.mode.publish(tree, leaf, first, count)
    return True


@kernel
def begin(game, parts, tree, work, actions, rng):
    """Give the root these actions alone as children."""
    copy_record(work.states, 1, 0)
    s = work.states[1]
    tree.mode.find(game, tree, work, ROOT)
    count = actions.size
    for i in range(count):
        work.actions[i] = actions[i]
    mix_up(parts, tree, work, count, rng)
    first = make_children(tree, game.current_player(s), work.actions, count)
    parts.select.prepare(game, s, tree, first, count, work)
    count = parts.expand.prepare(game, s, tree, ROOT, first, count, work, rng)
    tree.mode.publish(tree, ROOT, first, count)


@kernel
@inlined
def mix_up(parts, tree, work, count, rng):
    """Put the moves of a new node in random order, where nothing else makes ties random."""
    if (tree.mode.in_order() or parts.select.mixed()) and not parts.expand.in_order():
        shuffle(work.actions, count, rng)


@kernel
def shuffle(actions, n, rng):
    """A uniformly random order of the first n actions (Fisher & Yates)."""
    for i in range(n - 1, 0, -1):
        other = below(rng, i + 1)
        action = actions[i]
        actions[i] = actions[other]
        actions[other] = action


@kernel
@inlined
def backward(parts, tree, work, depth):
    """Back the evaluation up the path; add it to the totals and to the root move's spread."""
    parts.backup.update(tree, work, depth)
    tree.depths[1] = depth
    if depth > tree.depths[0]:
        tree.depths[0] = depth
    for p in range(work.totals.size):
        work.totals[p] += work.utilities[p]
    if depth > 0:
        move = work.path[1]
        u = work.utilities[max(tree.nodes[move].player, 0)]
        work.squares[move - tree.nodes[ROOT].first] += u * u
    parts.select.after(tree, work, depth)
    parts.evaluate.after(tree, work, depth)
    parts.keep.after(tree, work, depth)


@kernel
@inlined
def reach(game, parts, tree, work, rng, may_grow):
    """Steps 1 and 2: from the root to the leaf that is to be evaluated, its state in states[1].

    The rules that want to are told of it. Returns its depth; -TOO_LONG if the game has gone on
    for longer than it may, -BROKEN if the rules break their contract in states[1].
    """
    nodes = tree.nodes
    # 1. descend
    copy_record(work.states, 1, 0)
    s = work.states[1]
    work.path[0] = ROOT
    work.trace.begin()
    tree.mode.enter(tree, ROOT)
    depth = descend(game, parts, tree, work, rng, np.int64(0))  # a plain 0 compiles it twice
    leaf = work.path[depth]
    # 2. expand
    visits = tree.mode.before(tree, leaf)
    open_leaf = nodes[leaf].first < 0 and not parts.backup.settled(tree, leaf)
    wanted = may_grow and open_leaf and parts.expand.wants(tree, leaf, visits)
    if wanted and not game.is_terminal(s) and tree.mode.claim(tree, leaf):
        if depth >= work.path.size - 2:
            return np.int64(-TOO_LONG)
        if not grow(game, parts, tree, work, leaf, rng):
            tree.depths[1] = depth
            return np.int64(-BROKEN)
        if visits > 0:  # it has had its own evaluation: go on to a child
            depth = descend(game, parts, tree, work, rng, depth)
            leaf = work.path[depth]
    parts.select.arrive(game, s, tree, leaf, work)
    parts.backup.arrive(game, s, tree, leaf, work)
    return depth


@kernel
@inlined
def value(game, parts, tree, work, rng, depth):
    """Step 3: the utilities of the leaf path[depth], whose state is states[1], into `utilities`.

    Returns DONE, or what is wrong with them (then depths[1] is the leaf's depth).
    """
    leaf = work.path[depth]
    longest = work.path.size - 2
    if parts.backup.settled(tree, leaf):
        parts.backup.recall(tree, leaf, work.utilities)
    elif not parts.evaluate.estimate(game, work.states[1], work, rng, longest - depth):
        tree.depths[1] = depth
        return TOO_LONG
    if no_number(work.utilities):
        tree.depths[1] = depth
        return NOT_A_NUMBER
    return DONE


@kernel
@inlined
def no_number(utilities):
    """Has the evaluation given something that is no number?"""
    for p in range(utilities.size):
        if utilities[p] != utilities[p]:  # NaN differs from itself
            return True
    return False


@kernel
@inlined
def obstacle(parts, tree, work, may_grow):
    """What stands in the way of another simulation: FULL or SOLVED; DONE if nothing does."""
    if may_grow and not tree.mode.has_room(tree, work.actions.size):
        return FULL
    return SOLVED if parts.backup.settled(tree, ROOT) else DONE


@kernel
def simulate(game, parts, tree, work, rng, n, may_grow):
    """Up to n simulations. Returns how many were made, and DONE or what prevented more."""
    for i in range(n):
        status = obstacle(parts, tree, work, may_grow)
        if status != DONE:
            return i, status
        depth = reach(game, parts, tree, work, rng, may_grow)
        if depth < 0:
            return i, -depth
        status = value(game, parts, tree, work, rng, depth)
        if status != DONE:
            return i, status
        backward(parts, tree, work, depth)
    return n, DONE


ENOUGH = 250
"""Visits of the root for every simulation that a thread has under way, or has not told the others
of: so few do not change what is searched much."""

ROUNDS = 8
"""Rounds that a thread makes before it tells the others what it has counted in busy nodes."""


@kernel
def simulate_rounds(game, parts, tree, works, ends, rng, left, may_grow):
    """Simulations of one thread among several, in rounds of up to len(works).

    All of a round walk down, then all are evaluated, then all are backed up: what threads share
    goes from one processor to another less often. A few rounds' simulations at a time are taken
    from left[0], those that are still to be made by all threads, until there are none: nobody waits
    for a slower thread. `ends` keeps the depths reached. Returns how many this thread has made, and
    DONE or what prevented more.
    """
    made = 0
    status = DONE
    while status == DONE:
        most = max(1, min(ROUNDS * len(works), tree.nodes[ROOT].visits // ENOUGH))
        share = min(most, add_at(left, 0, -most))
        if share <= 0:
            break
        while share > 0 and status == DONE:
            begun, status = simulate_round(
                game, parts, tree, works, ends, rng, min(share, len(works)), may_grow
            )
            made += begun
            share -= begun
        tree.mode.add_all_kept(tree)
    return made, status


@kernel
def simulate_round(game, parts, tree, works, ends, rng, n, may_grow):
    """n simulations at a time, n <= len(works). Returns how many were made, and DONE or what
    prevented more."""
    begun = 0
    status = DONE
    while begun < n:
        work = works[begun]
        status = obstacle(parts, tree, work, may_grow)
        if status != DONE:
            break
        depth = reach(game, parts, tree, work, rng, may_grow)
        if depth < 0:
            return 0, -depth
        ends[begun] = depth
        begun += 1
    for i in range(begun):
        wrong = value(game, parts, tree, works[i], rng, ends[i])
        if wrong != DONE:
            return 0, wrong
    # Sums that no thread can come between wait for each other: fetch all their lines before.
    for i in range(begun):
        for d in range(ends[i] + 1):
            prefetch_to_write(tree.nodes, works[i].path[d])
    for i in range(begun):
        backward(parts, tree, works[i], ends[i])
    return begun, status
