"""The recursion that solves games: alpha-beta to the end of the game, nothing estimated.

It is asked questions of one kind, with a window of no width: *is the value of this position more
than x?* (`close_in` and `ponder.search.exact` ask them.) The answer is fail-soft: r > x says that
the value is at least r, r <= x that it is at most r.

Values are for the player whom the caller names, counted from the middle between the players, as in
`ponder.search.values`. Results at an end of the utility range are *decisive* and count plies: a win
n plies from the root is base - n, a loss n - base. Since no game that goes on can be over before
the next ply, a question such as "a win within 5 plies?" never looks farther than 5 plies.

Everything stored in the table (`ponder.search.exact_table`) is true of the position whatever was
asked, so that entries serve all questions and all moves of a position. Where there is only one move
to look at the table is left alone: the position after it is in there.
"""

from typing import Any, NamedTuple

import numpy as np

from ponder.core.game import are_sound
from ponder.core.pausing import ABORT_AT, ABORTED, ENDING, LOOK_AT, NODES, PLACES, counted
from ponder.jit import (
    U,
    by_address,
    copy_record_from,
    highest_bit,
    inlined,
    keep_apart,
    kernel,
    natural,
)
from ponder.search.events import BETA, BY_DISTANCE, BY_TABLE, NO_DEPTH, UNKNOWN
from ponder.search.exact_table import FARTHEST
from ponder.search.table import EXACT, LOWER, NO_BOUND, NO_MOVE, UPPER

WIDTH = 2.0**-20
"""Of a window of no width: smaller than any difference between two values."""

# Places in `info`: those of `ponder.core.pausing`, and what else is found, or to be known.
MET_CHANCE, TOO_DEEP, ORDERED, HINTS, ROOT_MOVE, PROVEN_MOVE = range(PLACES, PLACES + 6)
BROKEN = PLACES + 6  # 1 + the ply at which the rules break their contract
INFO_SIZE = PLACES + 7


class ExactScratch(NamedTuple):
    """All that a search works with; [P] is one more than the greatest ply."""

    game: Any
    table: Any  # of `ponder.search.exact_table`
    states: Any  # [P] the game's records
    words: Any  # [P, words] u8: the same memory
    actions: Any  # [P, max_actions] i4
    merits: Any  # [P, max_actions] f8: what moves are tried by, highest first
    history: Any  # [players, distinct_actions] f8: how often a move settled a question
    utilities: Any  # [players] f8
    bounds: Any  # [2] f8: what is known of the value of states[0]: at least, at most
    info: Any  # [INFO_SIZE] i8: see the places above
    trace: Any  # a part of `ponder.search.events`
    half: float  # of the utility range
    middle: float  # of the utility range
    base: float  # the value of a win, before its plies are counted


@kernel
def final_value(scratch, s, ply, me):
    """The value of a finished game for `me`."""
    keep_apart()
    scratch.game.returns(s, scratch.utilities)
    if scratch.utilities.size == 1:
        value = scratch.utilities[0] - scratch.middle
    else:
        value = 0.5 * (scratch.utilities[me] - scratch.utilities[natural(1 - me)])
    if value >= scratch.half:
        return scratch.base - ply
    if value <= -scratch.half:
        return ply - scratch.base
    return value


@kernel
@inlined
def moved(scratch, value, plies):
    """A decisive value, so many plies farther away (or nearer, if negative)."""
    if value > scratch.base - FARTHEST:
        return value - plies
    if value < FARTHEST - scratch.base:
        return value + plies
    return value


@kernel
@inlined
def sort_moves(scratch, s, ply, mover, n):
    """Order n moves by the game's hints, or else by what settled questions elsewhere."""
    actions, merits = scratch.actions[ply], scratch.merits[ply]
    for i in range(n):
        a = actions[i]
        if scratch.info[HINTS]:
            merit = scratch.game.order(s, a)
        else:
            merit = scratch.history[mover, a]
        j = i
        while j > 0 and merits[j - 1] < merit:
            actions[j] = actions[j - 1]
            merits[j] = merits[j - 1]
            j -= 1
        actions[j] = a
        merits[j] = merit


@kernel
@inlined
def bring_to_front(actions, n, a):
    """Put the move `a` first, if it is among the n; the others keep their order."""
    for i in range(n):
        if actions[i] == a:
            for j in range(i, 0, -1):
                actions[j] = actions[j - 1]
            actions[0] = a
            return


@kernel
@inlined
def step_down(scratch, s, ply, a):
    """Play `a` into states[ply + 1]; (is the game over there, its key). The table's entry for it is
    on its way from now on: a large table is far away."""
    game, table = scratch.game, scratch.table
    after = scratch.states[ply + 1]
    scratch.states[ply + 1] = s
    game.apply_action(after, a)
    if game.is_terminal(after):
        return True, U(0)
    key = table.key(game, after, scratch.words, ply + 1)
    table.fetch(key)
    return False, key


@kernel
def visit_exact(scratch, ply, key, alpha, beta, me):
    """Bounds of the value for `me` of states[ply], where the game goes on."""
    game, table, info, trace = scratch.game, scratch.table, scratch.info, scratch.trace
    ply = natural(ply)
    if not counted(info):
        return 0.0
    before = info[NODES]
    if ply + 1 >= scratch.states.size:
        info[ABORTED] = 1
        info[TOO_DEEP] = 1
        return 0.0
    s = scratch.states[ply]
    mover = np.int64(game.current_player(s))
    if mover < 0:
        info[ABORTED] = 1
        info[MET_CHANCE] = 1
        return 0.0
    sign = 1.0
    if mover != me:  # turn the window to the mover's view
        sign = -1.0
        alpha, beta = -beta, -alpha
    # 1. nobody can win or lose before the next ply
    most = scratch.base - (ply + 1)
    beta = min(beta, most)
    if alpha >= beta:
        trace.cut(info, ply, NO_MOVE, alpha, beta, mover, most, BY_DISTANCE)
        return sign * most
    alpha = max(alpha, -most)
    if alpha >= beta:
        trace.cut(info, ply, NO_MOVE, alpha, beta, mover, -most, BY_DISTANCE)
        return sign * -most
    # 2. the moves that may be best, likely ones first
    actions = scratch.actions[ply]
    n = np.int64(game.enough_actions(s, actions))
    if mover >= scratch.utilities.size or not are_sound(actions, n, scratch.history.shape[1]):
        info[ABORTED] = 1
        info[BROKEN] = ply + 1
        return 0.0
    if n > 1 and not info[ORDERED]:
        sort_moves(scratch, s, ply, mover, n)
    first = np.int64(actions[0])
    over, below = step_down(scratch, s, ply, first)
    # 3. what is known already
    if n > 1:
        known, value, table_move = table.find(key, scratch.base)
        if known != NO_BOUND:
            value = moved(scratch, value, ply)
            low = -UNKNOWN if known == UPPER else value
            high = UNKNOWN if known == LOWER else value
            trace.known(info, ply, alpha, beta, mover, low, high)
            if known != UPPER:
                alpha = max(alpha, value)
            if known != LOWER:
                beta = min(beta, value)
            if alpha >= beta:
                trace.cut(info, ply, NO_MOVE, alpha, beta, mover, value, BY_TABLE)
                return sign * value
            if table_move != NO_MOVE:
                bring_to_front(actions, n, table_move)
    # 4. move by move
    best = -np.inf
    best_move = np.int64(NO_MOVE)
    for i in range(n):
        a = np.int64(actions[i])
        if i > 0 or a != first:
            over, below = step_down(scratch, s, ply, a)
        least = max(alpha, best)
        trace.enter(info, ply + 1, a, NO_DEPTH, least, beta, mover, 1.0)
        if over:
            if not counted(info):
                return 0.0
            value = final_value(scratch, scratch.states[ply + 1], ply + 1, mover)
        else:
            value = visit_exact(scratch, ply + 1, below, least, beta, mover)
            if info[ABORTED]:
                return 0.0
        trace.leave(info, ply + 1, least, beta, mover, value)
        if value > best:
            best = value
            best_move = a
            trace.best(info, ply, a, alpha, beta, mover, value)
            if ply == 0:
                info[ROOT_MOVE] = a
            if value >= beta:
                scratch.history[mover, a] += 1.0
                trace.cut(info, ply, a, alpha, beta, mover, value, BETA)
                break
    # 5. remember, with distances counted from here
    if n > 1:
        bound = UPPER if best <= alpha else (LOWER if best >= beta else EXACT)
        work = highest_bit(U(info[NODES] - before + 1))
        table.keep(key, scratch.base, moved(scratch, best, -ply), best_move, bound, work)
    return sign * best  # the sign turns the mover's value into the caller's


@kernel
def first_question(scratch, low, high):
    """A win? If that is settled: more than the bound that is known, or as much as that?"""
    if low <= 0.0 < high:
        return 0.0
    return next_question(scratch, low, high, low > 0.0)


@kernel
def next_question(scratch, low, high, rising):
    """Halve the distance of a certain win or loss; close in on other values step by step."""
    if low > scratch.base - FARTHEST or high < FARTHEST - scratch.base:
        return np.floor((low + high) / 2)
    return low if rising else high - WIDTH


@kernel
def ask(scratch, x):
    """Is the value of states[0] for its mover more than x? What follows is left in `bounds`, and
    the move by which it is more in PROVEN_MOVE."""
    s, info = scratch.states[0], scratch.info
    me = np.int64(scratch.game.current_player(s))
    key = scratch.table.key(scratch.game, s, scratch.words, np.int64(0))
    info[ROOT_MOVE] = NO_MOVE
    scratch.trace.enter(info, 0, NO_MOVE, NO_DEPTH, x, x + WIDTH, me, 1.0)
    answer = visit_exact(by_address(scratch), np.int64(0), key, x, x + WIDTH, me)
    if info[ABORTED]:
        return answer
    scratch.trace.leave(info, 0, x, x + WIDTH, me, answer)
    if answer > x:
        scratch.bounds[0] = max(scratch.bounds[0], answer)
        if info[ROOT_MOVE] != NO_MOVE:
            info[PROVEN_MOVE] = info[ROOT_MOVE]
    else:
        scratch.bounds[1] = min(scratch.bounds[1], answer)
    return answer


@kernel
def close_in(scratch):
    """Ask until the bounds of the value of states[0] for its mover meet; earlier if stopped."""
    bounds = scratch.bounds
    x = first_question(scratch, bounds[0], bounds[1])
    while bounds[0] != bounds[1]:
        answer = ask(scratch, x)
        if scratch.info[ABORTED]:
            break
        x = next_question(scratch, bounds[0], bounds[1], answer > x)


@kernel
def set_out(scratch, root, last, low, high):
    """Take up the position root[0], of whose value `low` and `high` are known; end at node `last`.

    Kernels do this, not their callers: from Python it takes longer than a late position.
    """
    info = scratch.info
    copy_record_from(scratch.states, 0, root, 0)
    scratch.bounds[0], scratch.bounds[1] = low, high
    info[TOO_DEEP] = 0
    info[ABORTED] = 0
    info[ABORT_AT] = last
    info[LOOK_AT] = 0  # as `ponder.core.pausing.abort_at` does


@kernel
def interrupted(info):
    """Did something end the search before its question was answered?"""
    return info[ABORTED] | info[TOO_DEEP] | info[BROKEN] | info[MET_CHANCE] | info[ENDING] != 0


@kernel
def asked(scratch, root, last, low, high, x):
    """`ask` of root[0]. Returns whether something came between, and what is known now."""
    set_out(scratch, root, last, low, high)
    ask(scratch, x)
    return interrupted(scratch.info), scratch.bounds[0], scratch.bounds[1]


@kernel
def closed_in(scratch, root, last, low, high):
    """`close_in` of root[0]. Returns whether something came between, and what is known now."""
    set_out(scratch, root, last, low, high)
    close_in(scratch)
    return interrupted(scratch.info), scratch.bounds[0], scratch.bounds[1]
