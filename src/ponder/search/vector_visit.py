"""The recursion of minimax and max^n: one utility per player, each mover takes its own best.

    V(s) = returns(s)                                   at the end
           evaluate(s)                                  where the depth is used up
           V(s after a*), a* the first action that      where player k moves
               maximises component k
           sum of Pr(o) V(s after o)                    where chance moves

The values of states[ply] are left in values[ply].

Shallow pruning (Korf 1991) is right where every utility is at least `lowest` and all add up to the
same `total`: if the player above, j, is already sure of v_j, and the mover k finds v_k with

    v_k >= total - (players - 2) * lowest - v_j

then j gets no more than v_j here, and k need not look on. Deeper pruning would be wrong in max^n.
"""

from typing import Any, NamedTuple

import numpy as np

from ponder.core.game import CHANCE
from ponder.core.pausing import ABORTED, PLACES, counted
from ponder.jit import kernel
from ponder.search.events import BY_RANGE, BY_SUM
from ponder.search.table import NO_MOVE

# Places in `info`: those of `ponder.core.pausing`, and what else is counted and found.
CUT_SHORT, DEEPEST, LEAVES, BLIND, MET_CHANCE = range(PLACES, PLACES + 5)
BROKEN = PLACES + 7  # 1 + the ply at which the rules break their contract
INFO_SIZE = PLACES + 8


class VectorOptions(NamedTuple):
    """Facts of the game and the search; 0 or 1 where it is a question."""

    may_evaluate: int
    chance: int
    pruning: int
    shared: float
    """total - (players - 2) * lowest: what two players share at most."""
    highest: float


class VectorScratch(NamedTuple):
    """Arrays of one search; [P] is one more than the greatest ply."""

    states: Any  # [P] the game's records
    actions: Any  # [P, max_actions] i4
    chances: Any  # [P, max_actions] f8
    values: Any  # [P, players] f8
    lines: Any  # [P, P] i4: the best line from each ply
    lengths: Any  # [P] i4
    root: Any  # [distinct_actions, players] f8: the values of each root move, or outcome
    known: Any  # [distinct_actions] i1: has it some?
    info: Any  # [INFO_SIZE] i8: counters, see the places above
    trace: Any  # a part of `ponder.search.events`


@kernel
def visit_vector(game, options, scratch, ply, depth, limit, chooser):
    """Find values[ply]; True if the node above, where `chooser` moves, cannot want to come here.

    That is so when another mover than `chooser` gets `limit` or more.
    """
    info, trace = scratch.info, scratch.trace
    # 1. count; pause or stop when told to
    scratch.lengths[ply] = 0
    if not counted(info):
        return False
    # 2. the end of the game, or of the search
    s = scratch.states[ply]
    if ply > info[DEEPEST]:
        info[DEEPEST] = ply
    if game.is_terminal(s):
        info[LEAVES] += 1
        game.returns(s, scratch.values[ply])
        return False
    if depth <= 0:
        info[CUT_SHORT] += 1
        info[LEAVES] += 1
        if options.may_evaluate:
            game.evaluate(s, scratch.values[ply])
        else:
            info[BLIND] = 1  # nothing to say here: the caller refuses
            info[ABORTED] = 1
        return False
    players = scratch.values.shape[1]
    mover = np.int64(game.current_player(s))
    # 3. chance: the average, component by component
    if mover == CHANCE:
        if not options.chance:
            info[MET_CHANCE] = 1  # the caller refuses
            info[ABORTED] = 1
            return False
        n = game.chance_outcomes(s, scratch.actions[ply], scratch.chances[ply])
        if not 1 <= n <= scratch.actions.shape[1]:
            info[BROKEN] = ply + 1
            info[ABORTED] = 1
            return False
        for p in range(players):
            scratch.values[ply, p] = 0.0
        for i in range(n):
            a, chance = scratch.actions[ply, i], scratch.chances[ply, i]
            scratch.states[ply + 1] = s
            game.apply_action(scratch.states[ply + 1], a)
            trace.enter(info, ply + 1, a, depth - 1, 0.0, 0.0, 0, chance)
            visit_vector(game, options, scratch, ply + 1, depth - 1, np.inf, mover)
            if info[ABORTED]:
                return False
            trace.leave_all(info, ply + 1, scratch.values)
            for p in range(players):
                scratch.values[ply, p] += chance * scratch.values[ply + 1, p]
                if ply == 0:
                    scratch.root[i, p] = scratch.values[ply + 1, p]
            if ply == 0:
                scratch.known[i] = 1
        return False
    # 4. a player: the first of the best actions
    n = game.legal_actions(s, scratch.actions[ply])
    if not 0 <= mover < players or not 1 <= n <= scratch.actions.shape[1]:
        info[BROKEN] = ply + 1
        info[ABORTED] = 1
        return False
    best = -np.inf
    for i in range(n):
        a = scratch.actions[ply, i]
        scratch.states[ply + 1] = s
        game.apply_action(scratch.states[ply + 1], a)
        below = options.shared - best if options.pruning else np.inf
        trace.enter(info, ply + 1, a, depth - 1, 0.0, 0.0, 0, 1.0)
        useless = visit_vector(game, options, scratch, ply + 1, depth - 1, below, mover)
        if info[ABORTED]:
            return False
        trace.leave_all(info, ply + 1, scratch.values)
        if useless:
            continue
        value = scratch.values[ply + 1, mover]
        if ply == 0:
            for p in range(players):
                scratch.root[a, p] = scratch.values[ply + 1, p]
            scratch.known[a] = 1
        if value > best:
            best = value
            for p in range(players):
                scratch.values[ply, p] = scratch.values[ply + 1, p]
            length = scratch.lengths[ply + 1]
            scratch.lines[ply, 0] = a
            for j in range(length):
                scratch.lines[ply, j + 1] = scratch.lines[ply + 1, j]
            scratch.lengths[ply] = length + 1
            trace.best_all(info, ply, a, scratch.values)
            # 5. enough: nothing is better, or nobody lets it come to this
            if options.pruning:
                if mover != chooser and value >= limit:
                    trace.cut(info, ply, a, 0.0, 0.0, 0, value, BY_SUM)
                    return True
                if value >= options.highest:
                    if i + 1 < n:
                        trace.cut(info, ply, a, 0.0, 0.0, 0, value, BY_RANGE)
                    return False
    return False


@kernel
def begin_vector(game, options, scratch, depth):
    """`visit_vector` states[0]."""
    info, trace = scratch.info, scratch.trace
    nobody = np.int64(NO_MOVE)
    trace.enter(info, 0, NO_MOVE, depth, 0.0, 0.0, 0, 1.0)
    visit_vector(game, options, scratch, np.int64(0), np.int64(depth), np.inf, nobody)
    if not info[ABORTED]:
        trace.leave_all(info, 0, scratch.values)
