"""The recursion of alpha-beta search, one function, its steps numbered. Begin at `visit`.

Fail-soft (Fishburn 1983): ``visit`` returns r with

    r <= alpha            the value is at most r
    alpha < r < beta      the value is r
    r >= beta             the value is at least r

Values are those of `ponder.search.values`, for the player `me` whom the caller names. The mover may
be the same player as above (passes, double moves, one player alone): the window and the sign turn
only when the mover differs.

A node of a small game takes less time than handing on the arrays of the search would: `scratch`
holds them all and goes from call to call as one address (`begin`).
"""

import math
from typing import Any, NamedTuple

import numpy as np

from ponder.core.game import are_sound
from ponder.core.hashing import state_key
from ponder.core.pausing import ABORTED, NODES, PLACES, look_up, must_look_up
from ponder.jit import U, by_address, constants, inlined, keep_apart, kernel, natural
from ponder.search.events import BETA, BY_PASSING, BY_TABLE, UNKNOWN
from ponder.search.ordering import QUIET, bring_best, rank
from ponder.search.table import (
    EXACT,
    LOWER,
    NO_MOVE,
    UPPER,
    WHOLE,
    find,
    holds_at,
    is_whole,
    store,
)
from ponder.search.values import estimate, from_node, from_root, is_decisive, outcome

NOISY_PLIES = 64
"""Quiescence goes so far beyond the horizon at most: noise may be endless."""

# Places in `info`: those of `ponder.core.pausing`, and what else is counted and found.
CUT_SHORT, DEEPEST, CUTS, FIRST_CUTS, HITS, BLIND, MET_CHANCE = range(PLACES, PLACES + 7)
BROKEN = PLACES + 7  # 1 + the ply at which the rules break their contract
INFO_SIZE = PLACES + 8


class Switches(NamedTuple):
    """What is switched on."""

    table: bool
    table_moves: bool
    own_key: bool
    hints: bool
    killers: bool
    history: bool
    by_evaluation: bool
    ranked: bool
    scout: bool
    quiescence: bool
    reductions: bool
    null_move: bool
    all_moves: bool
    beam: int  # how many moves, 0 for all
    forgets: bool  # the table is read, not written


@constants(**Switches(*(False,) * 13, beam=0, forgets=False)._asdict())
class Plain(NamedTuple):
    """Everything is off: alpha-beta by the book, and nothing else is compiled."""


class Scratch(NamedTuple):
    """All that a search works with; [P] is one more than the greatest ply."""

    game: Any
    trace: Any  # a part of `ponder.search.events`
    table: Any  # a `ReusedTable` of `ponder.search.table.ENTRY`
    on: Any  # Switches, or Plain
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
    most: float  # the highest value that is not decisive
    may_evaluate: bool
    endgame: Any  # see `ponder.core.tablebase`


_FIELDS = [("length", "i4"), ("killer", "i4"), ("older_killer", "i4"), ("passed", "i4")]
FRAME = np.dtype((np.record, np.dtype(_FIELDS)))
"""Of each ply: the length of its best line, moves that cut off there, was the last move a pass?"""


@kernel
@inlined
def count(info, ply):
    """Count a node."""
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
def give_up_at(info, ply):
    """End the search: the rules are broken at this ply."""
    info[BROKEN] = ply + 1
    info[ABORTED] = 1
    return 0.0


@kernel
@inlined
def usable(scratch, ply, n):
    """Are the n actions of a ply as declared? What each of them is matters where a history is kept
    of it: the check costs a fifth of a search that keeps none."""
    if scratch.on.history:
        return are_sound(scratch.actions[ply], n, scratch.root.size)
    return 1 <= n <= scratch.actions.shape[1]


@kernel
def calm(scratch, ply, left, alpha, beta, me):
    """Quiescence search: the value for `me` after the noisy moves have been played out.

    The mover may stand pat, that is, take the static evaluation instead of a noisy move, unless
    the game says `in_check`: then the noisy moves are all there are. The caller has counted
    the node and seen that the game goes on.
    """
    info, on, game, trace = scratch.info, scratch.on, scratch.game, scratch.trace
    s = scratch.states[ply]
    mover = np.int64(game.current_player(s))
    if mover < 0:
        return give_up(info, MET_CHANCE)
    sign = 1.0
    if mover != me:  # turn the window to the mover's view
        sign = -1.0
        alpha, beta = -beta, -alpha
    best = estimate(scratch, s, mover)
    if left == 0 or ply + 1 >= scratch.frames.size:
        return sign * best
    checked = game.in_check(s)
    if best >= beta and not checked:
        return sign * best
    n = game.noisy_actions(s, scratch.actions[ply])
    if n > 0 and not usable(scratch, ply, n):
        return give_up_at(info, ply)
    if checked and n > 0:
        best = -np.inf
    if on.ranked:
        rank(scratch, s, ply, mover, n, np.int64(NO_MOVE))
    for i in range(n):
        if on.ranked:
            bring_best(scratch.actions, scratch.merits, ply, i, n)
        after = scratch.states[ply + 1]
        scratch.states[ply + 1] = s
        a = np.int64(scratch.actions[ply, i])
        game.apply_action(after, a)
        low = max(alpha, best)
        trace.enter(info, ply + 1, a, np.int64(0), low, beta, mover, 1.0)
        if must_look_up(info):
            look_up(info)
            if info[ABORTED]:
                return 0.0
        count(info, ply + 1)
        if game.is_terminal(after):
            value = outcome(scratch, after, ply + 1, mover)
        else:
            known = scratch.endgame.probe(game, scratch.states, scratch.words, ply + 1, mover)
            if math.isnan(known):
                value = calm(scratch, ply + 1, left - 1, low, beta, mover)
            else:
                value = from_root(scratch, known, ply + 1)
        if info[ABORTED]:
            return 0.0
        trace.leave(info, ply + 1, low, beta, mover, value)
        if value > best:
            best = value
            if value >= beta:
                trace.cut(info, ply, a, alpha, beta, mover, value, BETA)
                break
    return sign * best  # the sign turns the mover's value into the caller's


@kernel
@inlined
def leaf(scratch, ply, depth, alpha, beta, me):
    """(True, value for `me`) if nothing is to be searched below states[ply], else (False, 0).

    The end of the game, or of the search. Most nodes are leaves: they are spared a call of `visit`;
    but not where the search has to pause or to end first. A call of `look_up` in every copy of
    this code costs a few percent; `visit` will see the same, since only `look_up` takes it back.
    """
    if must_look_up(scratch.info):
        return False, 0.0
    return counted_leaf(scratch, ply, depth, alpha, beta, me)


@kernel
@inlined
def counted_leaf(scratch, ply, depth, alpha, beta, me):
    """What `leaf` says, and a leaf is counted."""
    info, on, game = scratch.info, scratch.on, scratch.game
    s = scratch.states[ply]
    if game.is_terminal(s):
        count(info, ply)
        scratch.frames[ply].length = 0
        return True, outcome(scratch, s, ply, me)
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
    if not scratch.may_evaluate:
        return True, give_up(info, BLIND)
    if on.quiescence:
        # int64, not a constant: a recursion that is entered with another type than it calls itself
        # with cannot be kept on disk
        return True, calm(scratch, ply, np.int64(NOISY_PLIES), alpha, beta, me)
    return True, estimate(scratch, s, me)


@kernel
def looked_up(scratch, ply, depth, alpha, beta, me):
    """Pause or end, as is wanted; then what `counted_leaf` says, or (True, 0) at the end."""
    keep_apart()
    look_up(scratch.info)
    if scratch.info[ABORTED]:
        return True, 0.0
    return counted_leaf(scratch, ply, depth, alpha, beta, me)


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
    info, on = scratch.info, scratch.on
    info[CUTS] += 1
    if i == 0:
        info[FIRST_CUTS] += 1
    frame = scratch.frames[ply]
    if on.killers and a != frame.killer:
        frame.older_killer = frame.killer
        frame.killer = a
    if on.history:
        scratch.history[mover, a] += depth * depth


@kernel
def reduction(scratch, s, ply, i, depth):
    """By how many plies the i-th move is searched less deep: late, quiet moves seldom matter."""
    keep_apart()  # or the logarithm would be taken at every node
    if i < 3 or depth < 3 or scratch.merits[ply, i] >= QUIET:
        return 0
    return min(depth - 2, int(0.75 + math.log(float(depth)) * math.log(float(i + 1)) / 2.25))


@kernel
def visit(scratch, ply, depth, alpha, beta, me):
    """The value for `me` of states[ply], searched `depth` plies deep, as a fail-soft bound.

    `leaf` has found nothing there.
    """
    info, on, game = scratch.info, scratch.on, scratch.game
    trace, table = scratch.trace, scratch.table
    ply = natural(ply)
    frame = scratch.frames[ply]
    # 1. count; pause or stop when told to
    if must_look_up(info):
        done, value = looked_up(scratch, ply, depth, alpha, beta, me)
        if done:
            return value
    count(info, ply)
    frame.length = 0
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
    if on.table:
        key = game.key(s) if on.own_key else state_key(scratch.words, ply)
        place = find(table, key)
        if place >= 0:
            info[HITS] += 1
            entry = table.entries[place]
            if on.table_moves:
                table_move = np.int64(entry.move)
            if ply > 0 and holds_at(entry, depth):
                value = from_root(scratch, entry.value, ply)
                bound = entry.bound % WHOLE
                lowest = -UNKNOWN if bound == UPPER else value
                highest = UNKNOWN if bound == LOWER else value
                trace.known(info, ply, alpha, beta, mover, lowest, highest)
                if bound != UPPER:
                    alpha = max(alpha, value)
                if bound != LOWER:
                    beta = min(beta, value)
                borrowed = 0 if is_whole(entry) else 1
                if alpha >= beta:
                    info[CUT_SHORT] |= borrowed
                    trace.cut(info, ply, NO_MOVE, alpha, beta, mover, value, BY_TABLE)
                    return sign * value
    cut_short_elsewhere = info[CUT_SHORT]
    info[CUT_SHORT] = borrowed
    # 4. null move: who stands well enough after passing stands well enough
    null_width = 0.25 * scratch.step
    checked = False
    if on.reductions or on.null_move:
        checked = game.in_check(s)
    if (
        on.null_move
        and not checked
        and ply > 0
        and depth >= 3
        and frame.passed == 0
        and not is_decisive(scratch, beta)
        and estimate(scratch, s, mover) >= beta
    ):
        after = scratch.states[ply + 1]
        scratch.states[ply + 1] = s
        if game.pass_turn(after):
            less = depth - 1 - (3 if depth > 6 else 2)
            scratch.frames[ply + 1].passed = 1
            low = beta - null_width
            trace.enter(info, ply + 1, NO_MOVE, less, low, beta, mover, 1.0)
            done, value = leaf(scratch, ply + 1, less, low, beta, mover)
            if not done:
                value = visit(scratch, ply + 1, less, low, beta, mover)
            trace.leave(info, ply + 1, low, beta, mover, value)
            scratch.frames[ply + 1].passed = 0
            if info[ABORTED]:
                return 0.0
            if value >= beta:
                info[CUT_SHORT] = 1  # plausible, not proven: neither is a win found that way
                trace.cut(info, ply, NO_MOVE, alpha, beta, mover, value, BY_PASSING)
                return sign * (beta if is_decisive(scratch, value) else value)
    # 5. the moves, in order of promise
    n = np.int64(game.legal_actions(s, scratch.actions[ply]))
    if mover >= scratch.utilities.size or not usable(scratch, ply, n):
        return give_up_at(info, ply)
    ranked = on.ranked or table_move != NO_MOVE
    if ranked:
        rank(scratch, s, ply, mover, n, table_move)
    width = n
    if 0 < on.beam < n:
        width = on.beam
        info[CUT_SHORT] = 1
    best = -np.inf
    best_move = np.int64(NO_MOVE)
    everything = ply == 0 and on.all_moves
    for i in range(width):
        if ranked:
            bring_best(scratch.actions, scratch.merits, ply, i, n)
        a = np.int64(scratch.actions[ply, i])
        scratch.states[ply + 1] = s
        game.apply_action(scratch.states[ply + 1], a)
        # 6. the first move with the whole window; the others have only to fail, which is cheaper
        # to see with a window of no width, and for late moves less deep. What does not fail is
        # searched again: at full depth, then with the whole window.
        low = alpha if everything else max(alpha, best)
        less = 0
        if on.reductions and not checked and ply > 0:
            less = reduction(scratch, s, ply, i, depth)
        narrow = less > 0 or (on.scout and i > 0 and not everything)
        value = 0.0
        while True:
            high = min(beta, low + null_width) if narrow else beta
            below = depth - 1 - less
            trace.enter(info, ply + 1, a, below, low, high, mover, 1.0)
            done, value = leaf(scratch, ply + 1, below, low, high, mover)
            if not done:
                value = visit(scratch, ply + 1, below, low, high, mover)
            trace.leave(info, ply + 1, low, high, mover, value)
            if info[ABORTED] or (less == 0 and not narrow):
                break
            if value <= low:
                if less > 0:
                    info[CUT_SHORT] = 1
                break
            if less > 0:
                less = 0
                narrow = on.scout
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
                trace.best(info, ply, a, alpha, beta, mover, value)
            # 7. too good to be allowed
            if value >= beta and not everything:
                trace.cut(info, ply, a, alpha, beta, mover, value, BETA)
                remember_cut(scratch, ply, i, a, depth, mover)
                break
    if info[ABORTED]:
        return sign * best
    # 8. remember
    whole = 1 - info[CUT_SHORT]
    info[CUT_SHORT] |= cut_short_elsewhere
    if on.table and not on.forgets:
        kind = UPPER if best <= alpha_before else (LOWER if best >= beta else EXACT)
        store(table, key, from_node(scratch, best, ply), best_move, depth, kind, whole)
    return sign * best  # the sign turns the mover's value into the caller's


@kernel
def begin(scratch, depth, alpha, beta, me):
    """`visit` states[0]."""
    info, trace = scratch.info, scratch.trace
    trace.enter(info, np.int64(0), NO_MOVE, depth, alpha, beta, me, 1.0)
    value = visit(by_address(scratch), np.int64(0), np.int64(depth), alpha, beta, np.int64(me))
    if not info[ABORTED]:
        trace.leave(info, np.int64(0), alpha, beta, me, value)
    return value
