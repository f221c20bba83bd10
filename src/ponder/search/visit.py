"""The recursion of alpha-beta search, one function, its steps numbered. Begin at `visit`.

Fail-soft (Fishburn 1983): ``visit`` returns r with

    r <= alpha            the value is at most r
    alpha < r < beta      the value is r
    r >= beta             the value is at least r

Values are for the player `me` whom the caller names, counted from the middle between the players:
half the difference of the two utilities; for one player alone, from the middle of its range. So
what one player gains the other loses, whatever the utilities add up to. The mover may be the same
player as above (passes, double moves, one player alone): the window and the sign turn only when
the mover differs.

Decisive results prefer the short win and the long loss: a terminal value at the end of the range
(`half`) counts `step` less for each ply from the root.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from ponder.jit import U, inlined, kernel, read_now
from ponder.search.events import BETA, BY_PASSING, BY_TABLE
from ponder.search.table import EXACT, LOWER, NO_MOVE, UPPER, find, holds_at, state_key, store

STEP = 2.0**-40
"""How much a ply costs in the value of a decisive result, as a share of half the utility range."""
FARTHEST = 4096
"""Plies. Values within FARTHEST steps of the ends are decisive; evaluations stay inside."""
NOISY_PLIES = 64
"""Quiescence goes so far beyond the horizon at the most: noise may be endless."""
QUIET = 5e5
"""Moves of less merit than this are late moves: no table move, no hint, no killer."""

# Places in `info`: first what is counted and found ...
NODES, NODE_LIMIT, ABORTED, CUT_SHORT, DEEPEST, CUTS, FIRST_CUTS, HITS, STOP = range(9)
BLIND, MET_CHANCE = 9, 10
# ... then what is switched on (0 or 1; BEAM: how many moves, 0 for all).
TABLE, OWN_KEY, HINTS, KILLERS, HISTORY, BY_EVALUATION, RANKED = range(11, 18)
SCOUT, QUIESCENCE, REDUCTIONS, NULL_MOVE, BEAM, ALL_MOVES, MAY_EVALUATE = range(18, 25)
TABLE_MOVES = 25
INFO_SIZE = 26


class Scratch(NamedTuple):
    """Arrays of one search; [P] is one more than the greatest ply."""

    states: Any  # [P] the game's records
    words: Any  # [P, words] u8: the same memory, word by word
    actions: Any  # [P, max_actions] i4
    merits: Any  # [P, max_actions] f8: what moves are tried by, highest first
    lines: Any  # [P, P] i4: the best line from each ply
    frames: Any  # [P] FRAME
    history: Any  # [players, distinct_actions] f8: how often a move cut off
    utilities: Any  # [players] f8
    root: Any  # [distinct_actions] f8: the value of each root move ...
    known: Any  # [distinct_actions] i1: ... where it is exact
    info: Any  # [INFO_SIZE] i8: see the places above
    half: float  # of the utility range
    middle: float  # of the utility range
    step: float  # the cost of a ply
    endgame: Any  # a part of `ponder.endgame.probe`


FRAME = np.dtype([("length", "i4"), ("killer", "i4"), ("older_killer", "i4"), ("passed", "i4")])
"""Of each ply: the length of its best line, moves that cut off there, was the last move a pass?"""


@kernel
@inlined
def difference(scratch, me):
    """The utilities just written as one value for `me`."""
    if scratch.utilities.size == 1:
        return scratch.utilities[0] - scratch.middle
    return 0.5 * (scratch.utilities[me] - scratch.utilities[1 - me])


@kernel
@inlined
def outcome(game, scratch, s, ply, me):
    """The value of a finished game for `me`: a nearer win is better, a nearer loss worse."""
    game.returns(s, scratch.utilities)
    value = difference(scratch, me)
    if value >= scratch.half:
        return value - ply * scratch.step
    if value <= -scratch.half:
        return value + ply * scratch.step
    return value


@kernel
@inlined
def estimate(game, scratch, s, me):
    """The static evaluation for `me`, kept apart from decisive values."""
    game.evaluate(s, scratch.utilities)
    most = scratch.half - FARTHEST * scratch.step
    return max(-most, min(most, difference(scratch, me)))


@kernel
def is_decisive(scratch, value):
    """Does the value come from the end of the game, at an end of the utility range?"""
    return abs(value) > scratch.half - FARTHEST * scratch.step


@kernel
def from_root(scratch, value, ply):
    """A stored value counts distance from its own node: count it from the root."""
    if is_decisive(scratch, value):
        return value - ply * scratch.step if value > 0 else value + ply * scratch.step
    return value


@kernel
def from_node(scratch, value, ply):
    """The inverse of `from_root`."""
    if is_decisive(scratch, value):
        return value + ply * scratch.step if value > 0 else value - ply * scratch.step
    return value


@kernel
@inlined
def count(info, ply):
    """Count a node; at the limit the search ends."""
    if info[NODES] >= info[NODE_LIMIT]:
        info[ABORTED] = 1
        return
    info[NODES] += 1
    if ply > info[DEEPEST]:
        info[DEEPEST] = ply


@kernel
def give_up(info, why):
    """End the search: the game is not one that it can search."""
    info[why] = 1
    info[ABORTED] = 1
    return 0.0


@kernel
def promise(game, scratch, s, ply, mover, a):
    """The static value for the mover of what a move leads to, as the lecture orders successors."""
    after = scratch.states[ply + 1]
    scratch.states[ply + 1] = s
    game.apply_action(after, a)
    if game.is_terminal(after):
        return outcome(game, scratch, after, ply + 1, mover)
    return estimate(game, scratch, after, mover)


@kernel
def rank(game, scratch, s, ply, mover, n, table_move):
    """Give each of n moves its merit: table move, evaluation or hint, killers, history."""
    info = scratch.info
    frame = scratch.frames[ply]
    for i in range(n):
        a = scratch.actions[ply, i]
        merit = 0.0
        if a == table_move:
            merit = 1e300
        else:
            if info[BY_EVALUATION]:
                merit = 1e9 * promise(game, scratch, s, ply, mover, a)
            elif info[HINTS]:
                merit = 1e6 * game.order(s, a)
            if info[KILLERS]:
                if a == frame.killer:
                    merit += 9e5
                elif a == frame.older_killer:
                    merit += 8e5
            if info[HISTORY]:
                merit += min(scratch.history[mover, a], QUIET - 1.0)
        scratch.merits[ply, i] = merit


@kernel
@inlined
def bring_best(scratch, ply, i, n):
    """Bring the move of highest merit among i .. n - 1 to place i; equals keep their order."""
    best = i
    for j in range(i + 1, n):
        if scratch.merits[ply, j] > scratch.merits[ply, best]:
            best = j
    action, merit = scratch.actions[ply, best], scratch.merits[ply, best]
    for j in range(best, i, -1):
        scratch.actions[ply, j] = scratch.actions[ply, j - 1]
        scratch.merits[ply, j] = scratch.merits[ply, j - 1]
    scratch.actions[ply, i] = action
    scratch.merits[ply, i] = merit


@kernel
def calm(game, scratch, ply, left, alpha, beta, me):
    """Quiescence search: the value for `me` after the noisy moves have been played out.

    The mover may stand pat, that is, take the static evaluation instead of a noisy move, unless
    the game says `in_check`: then the noisy moves are all there are. The caller has counted
    the node and seen that the game goes on.
    """
    info = scratch.info
    s = scratch.states[ply]
    mover = np.int64(game.current_player(s))
    if mover < 0:
        return give_up(info, MET_CHANCE)
    sign = 1.0
    if mover != me:  # turn the window to the mover's view
        sign = -1.0
        alpha, beta = -beta, -alpha
    best = estimate(game, scratch, s, mover)
    if left == 0 or ply + 1 >= scratch.frames.size:
        return sign * best
    checked = game.in_check(s)
    if best >= beta and not checked:
        return sign * best
    if read_now(info, STOP) != 0:
        info[ABORTED] = 1
        return 0.0
    n = game.noisy_actions(s, scratch.actions[ply])
    if checked and n > 0:
        best = -np.inf
    if info[RANKED]:
        rank(game, scratch, s, ply, mover, n, np.int64(NO_MOVE))
    for i in range(n):
        if info[RANKED]:
            bring_best(scratch, ply, i, n)
        after = scratch.states[ply + 1]
        scratch.states[ply + 1] = s
        game.apply_action(after, scratch.actions[ply, i])
        count(info, ply + 1)
        low = max(alpha, best)
        if game.is_terminal(after):
            value = outcome(game, scratch, after, ply + 1, mover)
        else:
            value = calm(game, scratch, ply + 1, left - 1, low, beta, mover)
        if info[ABORTED]:
            return 0.0
        if value > best:
            best = value
            if value >= beta:
                break
    return sign * best  # the sign turns the mover's value into the caller's


@kernel
@inlined
def leaf(game, scratch, ply, depth, alpha, beta, me):
    """(True, value for `me`) if nothing is to be searched below states[ply], else (False, 0).

    The end of the game, or of the search. Most nodes are leaves: they are spared a call of `visit`.
    """
    info = scratch.info
    s = scratch.states[ply]
    if game.is_terminal(s):
        count(info, ply)
        scratch.frames[ply].length = 0
        return True, outcome(game, scratch, s, ply, me)
    if ply > 0:  # at the root a move is wanted, not only a value
        known = scratch.endgame.probe(game, scratch.states, scratch.words, ply, me)
        if not math.isnan(known):
            count(info, ply)
            scratch.frames[ply].length = 0
            return True, from_root(scratch, known, ply)
    if depth > 0 and ply + 1 < scratch.frames.size:
        return False, 0.0
    count(info, ply)
    scratch.frames[ply].length = 0
    info[CUT_SHORT] = 1  # the value is not yet the game's
    if not info[MAY_EVALUATE]:
        return True, give_up(info, BLIND)
    if info[QUIESCENCE]:
        # int64, not a constant: a recursion that is entered with another type than it calls itself
        # with cannot be kept on disk
        return True, calm(game, scratch, ply, np.int64(NOISY_PLIES), alpha, beta, me)
    return True, estimate(game, scratch, s, me)


@kernel
@inlined
def keep_line(scratch, ply, a):
    """The best line from here: `a`, then the best line from there."""
    length = np.int64(scratch.frames[ply + 1].length)
    scratch.lines[ply, 0] = a
    for j in range(length):
        scratch.lines[ply, j + 1] = scratch.lines[ply + 1, j]
    scratch.frames[ply].length = length + 1


@kernel
def remember_cut(scratch, ply, i, a, depth, mover):
    """A move cut off: it may do so elsewhere, too."""
    info = scratch.info
    info[CUTS] += 1
    if i == 0:
        info[FIRST_CUTS] += 1
    frame = scratch.frames[ply]
    if info[KILLERS] and a != frame.killer:
        frame.older_killer = frame.killer
        frame.killer = a
    if info[HISTORY]:
        scratch.history[mover, a] += depth * depth


@kernel
def reduction(scratch, s, ply, i, depth):
    """By how many plies the i-th move is searched less deep: late, quiet moves seldom matter."""
    if i < 3 or depth < 3 or scratch.merits[ply, i] >= QUIET:
        return 0
    return min(depth - 2, int(0.75 + math.log(float(depth)) * math.log(float(i + 1)) / 2.25))


@kernel
def visit(game, trace, table, scratch, ply, depth, alpha, beta, me):
    """The value for `me` of states[ply], searched `depth` plies deep, as a fail-soft bound.

    The game is not over there and depth is at least 1 (see `leaf`).
    """
    info = scratch.info
    frame = scratch.frames[ply]
    # 1. count; stop when told to
    count(info, ply)
    frame.length = 0
    if read_now(info, STOP) != 0:
        info[ABORTED] = 1
    if info[ABORTED]:
        return 0.0
    # 2. turn the window to the mover's view, if somebody else moves
    s = scratch.states[ply]
    mover = np.int64(game.current_player(s))  # one type: a recursion must call its own signature
    if mover < 0:
        return give_up(info, MET_CHANCE)
    sign = 1.0
    if mover != me:
        sign = -1.0
        alpha, beta = -beta, -alpha
    alpha_before = alpha
    # 3. what is known already
    table_move = np.int64(NO_MOVE)
    key = U(0)
    borrowed = 0  # from an entry whose subtree was cut short
    if info[TABLE]:
        key = game.key(s) if info[OWN_KEY] else state_key(scratch.words, ply)
        place = find(table, key)
        if place >= 0:
            info[HITS] += 1
            entry = table[place]
            if info[TABLE_MOVES]:
                table_move = np.int64(entry.move)
            if ply > 0 and holds_at(entry, depth):
                value = from_root(scratch, entry.value, ply)
                trace.hit(ply, depth, alpha, beta, mover, value, np.int64(entry.bound))
                if entry.bound != UPPER:
                    alpha = max(alpha, value)
                if entry.bound != LOWER:
                    beta = min(beta, value)
                borrowed = 1 - np.int64(entry.whole)
                if alpha >= beta:
                    info[CUT_SHORT] |= borrowed
                    trace.cut(ply, NO_MOVE, depth, alpha, beta, mover, value, BY_TABLE)
                    return sign * value
    cut_short_elsewhere = info[CUT_SHORT]
    info[CUT_SHORT] = borrowed
    # 4. null move: who stands well enough after passing stands well enough
    null_width = 0.25 * scratch.step
    checked = False
    if info[REDUCTIONS] or info[NULL_MOVE]:
        checked = game.in_check(s)
    if (
        info[NULL_MOVE]
        and not checked
        and ply > 0
        and depth >= 3
        and frame.passed == 0
        and not is_decisive(scratch, beta)
        and estimate(game, scratch, s, mover) >= beta
    ):
        after = scratch.states[ply + 1]
        scratch.states[ply + 1] = s
        if game.pass_turn(after):
            less = depth - 1 - (3 if depth > 6 else 2)
            scratch.frames[ply + 1].passed = 1
            trace.enter(ply + 1, NO_MOVE, less, beta - null_width, beta, mover)
            done, value = leaf(game, scratch, ply + 1, less, beta - null_width, beta, mover)
            if not done:
                value = visit(
                    game, trace, table, scratch, ply + 1, less, beta - null_width, beta, mover
                )
            trace.leave(ply + 1, NO_MOVE, less, beta - null_width, beta, mover, value)
            scratch.frames[ply + 1].passed = 0
            if info[ABORTED]:
                return 0.0
            if value >= beta:
                info[CUT_SHORT] = 1  # plausible, not proven: neither is a win found that way
                trace.cut(ply, NO_MOVE, depth, alpha, beta, mover, value, BY_PASSING)
                return sign * (beta if is_decisive(scratch, value) else value)
    # 5. the moves, in order of promise
    n = np.int64(game.legal_actions(s, scratch.actions[ply]))
    ranked = info[RANKED] or table_move != NO_MOVE
    if ranked:
        rank(game, scratch, s, ply, mover, n, table_move)
    width = n
    if 0 < info[BEAM] < n:
        width = info[BEAM]
        info[CUT_SHORT] = 1
    best = -np.inf
    best_move = np.int64(NO_MOVE)
    everything = ply == 0 and info[ALL_MOVES] != 0
    for i in range(width):
        if ranked:
            bring_best(scratch, ply, i, n)
        a = np.int64(scratch.actions[ply, i])
        scratch.states[ply + 1] = s
        game.apply_action(scratch.states[ply + 1], a)
        # 6. the first move with the whole window; the others have only to fail, which is cheaper
        # to see with a window of no width, and for late moves less deep. What does not fail is
        # searched again: at full depth, then with the whole window.
        low = alpha if everything else max(alpha, best)
        less = 0
        if info[REDUCTIONS] and not checked and ply > 0:
            less = reduction(scratch, s, ply, i, depth)
        narrow = less > 0 or (info[SCOUT] != 0 and i > 0 and not everything)
        value = 0.0
        while True:
            high = min(beta, low + null_width) if narrow else beta
            below = depth - 1 - less
            trace.enter(ply + 1, a, below, low, high, mover)
            done, value = leaf(game, scratch, ply + 1, below, low, high, mover)
            if not done:
                value = visit(game, trace, table, scratch, ply + 1, below, low, high, mover)
            trace.leave(ply + 1, a, below, low, high, mover, value)
            if info[ABORTED] or (less == 0 and not narrow):
                break
            if value <= low:
                if less > 0:
                    info[CUT_SHORT] = 1
                break
            if less > 0:
                less = 0
                narrow = info[SCOUT] != 0
            elif value >= beta:
                break
            else:
                narrow = False
        if info[ABORTED]:
            break  # the value of this move is not to be used
        if ply == 0:
            scratch.root[a] = value
            scratch.known[a] = 1 if low < value < beta else 0
        if value > best:
            best = value
            best_move = a
            if value > alpha or ply == 0:
                keep_line(scratch, ply, a)
                trace.best(ply, a, depth, alpha, beta, mover, value)
            # 7. too good to be allowed
            if value >= beta and not everything:
                trace.cut(ply, a, depth, alpha, beta, mover, value, BETA)
                remember_cut(scratch, ply, i, a, depth, mover)
                break
    if info[ABORTED]:
        return sign * best
    # 8. remember
    whole = 1 - info[CUT_SHORT]
    info[CUT_SHORT] |= cut_short_elsewhere
    if info[TABLE]:
        bound = UPPER if best <= alpha_before else (LOWER if best >= beta else EXACT)
        store(table, key, from_node(scratch, best, ply), best_move, depth, bound, whole)
    return sign * best  # the sign turns the mover's value into the caller's
