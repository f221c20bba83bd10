"""The recursion of expectiminimax with Star1 and Star2 pruning; also of paranoid and best-reply.

One value, that of the player `me` (MAX), throughout: whoever else moves minimises it, chance takes
the average. No sign is ever turned. Fail-soft: ``visit_star`` returns r with

    r <= alpha            the value is at most r
    alpha < r < beta      the value is r
    r >= beta             the value is at least r

**Star1** (Ballard 1983). All values lie in [L, U]. At a chance node with outcomes of probability
p_i, of which those before i are worth `sure` in all and those after i between rest_low and
rest_high (at first L and U times their probability), outcome i is searched with the window

    A = (alpha - sure - rest_high) / p_i        v_i <= A proves the node <= alpha
    B = (beta - sure - rest_low) / p_i          v_i >= B proves the node >= beta

**Star2** first probes each outcome: one move, below a MIN node an upper bound of v_i, below a MAX
node a lower one. The bounds replace U or L of that outcome. Often they already suffice.

**The table** (`ponder.search.bounds_table`) keeps both bounds of every node, and is asked for those
of the outcomes before anything is searched below a chance node.
"""

from typing import Any, NamedTuple

import numpy as np

from ponder.core.game import CHANCE, are_sound
from ponder.core.pausing import ABORTED, PLACES, counted
from ponder.jit import U, by_address, inlined, kernel, wrap_multiply
from ponder.search.bounds_table import find_bounds, holds_at, store_bounds
from ponder.search.events import BETA, BY_OUTCOMES, BY_PROBES, BY_TABLE
from ponder.search.ordering import bring_best
from ponder.search.table import NO_MOVE, state_key

# Places in `info`: those of `ponder.core.pausing`, then as in `vector_visit`, and two more.
CUT_SHORT, DEEPEST, LEAVES, BLIND = range(PLACES, PLACES + 4)
PROBES, PROBE_CUTS = PLACES + 5, PLACES + 6
BROKEN = PLACES + 7  # as in `vector_visit`

NONE, STAR1, STAR2 = 0, 1, 2
FAR = 1e300
"""Beyond every utility."""
NOBODY = -1
SEARCH, PROBE = np.int64(0), np.int64(1)  # typed: literals would compile the recursion thrice


class StarOptions(NamedTuple):
    """Facts of the game and the search; 0 or 1 where it is a question."""

    me: int
    pruning: int
    best_reply: int
    may_evaluate: int
    hints: int
    table: int
    own_key: int
    lowest: float
    highest: float


class StarScratch(NamedTuple):
    """Arrays of one search; [P] is one more than the greatest ply."""

    states: Any  # [P] the game's records
    words: Any  # [P, words] u8: the same memory, word by word
    actions: Any  # [P, max_actions] i4
    merits: Any  # [P, max_actions] f8: what moves are tried by, highest first
    chances: Any  # [P, max_actions] f8
    low: Any  # [P, max_actions] f8: what each outcome is worth at least ...
    high: Any  # [P, max_actions] f8: ... and at most
    outcome: Any  # [P] i4: 1 + number of the outcome that led here, 0 after a move
    answers: Any  # [P, max_actions + 1] i4: the move that was last best after each outcome
    history: Any  # [players, distinct_actions] f8: how often a move cut off
    lines: Any  # [P, P] i4: the best line from each ply
    lengths: Any  # [P] i4
    heights: Any  # [P] i4: how far below the node the search went
    utilities: Any  # [players] f8
    root: Any  # [distinct_actions] f8: the value of each root move, or outcome ...
    known: Any  # [distinct_actions] i1: ... where it is exact
    info: Any  # [INFO_SIZE] i8: counters, see the places above
    trace: Any  # a part of `ponder.search.events`


@kernel
def key_of(game, options, scratch, ply, replier):
    """The table key of states[ply]; who may still choose belongs to it (best-reply search)."""
    key = game.key(scratch.states[ply]) if options.own_key else state_key(scratch.words, ply)
    if options.best_reply:
        key ^= wrap_multiply(U(replier + 2), U(0x9E3779B97F4A7C15))
    return key


@kernel
def rank(game, options, scratch, s, ply, mover, n, table_move):
    """Merits of n moves: the table's, the last answer to this outcome, the game's hint, history."""
    answer = scratch.answers[ply, scratch.outcome[ply]]
    for i in range(n):
        a = scratch.actions[ply, i]
        merit = min(scratch.history[mover, a], 1e9)
        if options.hints:
            merit += 1e9 * game.order(s, a)
        if a == table_move:
            merit = 1e300
        elif a == answer:
            merit = 1e299
        scratch.merits[ply, i] = merit


@kernel
def usual_move(game, options, scratch, s, ply, mover, n):
    """What a player does who is not choosing: best by `order`, else by `evaluate`, else first."""
    best, choice = -np.inf, 0
    for i in range(n):
        merit = 0.0
        if options.hints:
            merit = game.order(s, scratch.actions[ply, i])
        elif options.may_evaluate:
            after = scratch.states[ply + 1]
            scratch.states[ply + 1] = s
            game.apply_action(after, scratch.actions[ply, i])
            if game.is_terminal(after):
                game.returns(after, scratch.utilities)
            else:
                game.evaluate(after, scratch.utilities)
            merit = scratch.utilities[mover]
        if merit > best:
            best, choice = merit, i
    return scratch.actions[ply, choice]


@kernel
@inlined
def leaf(game, options, scratch, ply, depth):
    """(True, value for `me`) at the end of the game or of the search, else (False, 0)."""
    info = scratch.info
    s = scratch.states[ply]
    if game.is_terminal(s):
        info[LEAVES] += 1
        game.returns(s, scratch.utilities)
        return True, scratch.utilities[options.me]
    if depth > 0:
        return False, 0.0
    info[CUT_SHORT] += 1
    info[LEAVES] += 1
    if not options.may_evaluate:
        info[BLIND] = 1  # nothing to say here: the caller refuses
        info[ABORTED] = 1
        return True, 0.0
    game.evaluate(s, scratch.utilities)
    return True, max(options.lowest, min(options.highest, scratch.utilities[options.me]))


@kernel
@inlined
def note_height(scratch, ply):
    """The search below states[ply] went as far as that below the node after it, and one more."""
    height = np.int32(scratch.heights[ply + 1] + 1)
    scratch.heights[ply] = max(scratch.heights[ply], height)


@kernel
@inlined
def step_down(game, scratch, s, ply, a, outcome):
    """Play `a` into states[ply + 1]; `outcome`: 1 + its number where chance moves, else 0."""
    below = scratch.states[ply + 1]
    scratch.states[ply + 1] = s
    game.apply_action(below, a)
    scratch.outcome[ply + 1] = outcome
    return below


@kernel
def broken(scratch, ply):
    """End the search: the rules are broken at this ply. (No moves are left to search.)"""
    scratch.info[BROKEN] = ply + 1
    scratch.info[ABORTED] = 1
    return np.int64(0)


# ------------------------------------------------------------ chance nodes


@kernel
def list_outcomes(game, options, scratch, s, ply):
    """Write the outcomes of chance and what is known of them: nothing.

    Their number, and the least and the most that the node can be worth."""
    n = game.chance_outcomes(s, scratch.actions[ply], scratch.chances[ply])
    if not 1 <= n <= scratch.actions.shape[1]:
        return broken(scratch, ply), 0.0, 0.0
    low, high = 0.0, 0.0
    for i in range(n):
        scratch.low[ply, i] = options.lowest
        scratch.high[ply, i] = options.highest
        low += scratch.chances[ply, i] * options.lowest
        high += scratch.chances[ply, i] * options.highest
    return np.int64(n), low, high


@kernel
@inlined
def is_open(scratch, ply, i, low, high, alpha, beta):
    """May more be learnt of outcome i, and is there a need to?"""
    if low >= beta or high <= alpha or scratch.chances[ply, i] <= 0.0:
        return False
    return scratch.low[ply, i] < scratch.high[ply, i]


@kernel
@inlined
def narrow_outcome(scratch, ply, i, low_i, high_i, low, high):
    """Outcome i is worth from low_i to high_i: so what the node can be worth is (low, high)."""
    p = scratch.chances[ply, i]
    low += p * (low_i - scratch.low[ply, i])
    high += p * (high_i - scratch.high[ply, i])
    scratch.low[ply, i], scratch.high[ply, i] = low_i, high_i
    return low, high


@kernel
def ask_table(game, options, table, scratch, s, ply, depth, replier, n, low, high, alpha, beta):
    """Take over what the table knows of the outcomes; returns (low, high) as `narrow_outcome`."""
    for i in range(n):
        if not is_open(scratch, ply, i, low, high, alpha, beta):
            continue
        below = step_down(game, scratch, s, ply, scratch.actions[ply, i], i + 1)
        if game.is_terminal(below):
            continue
        place = find_bounds(table, key_of(game, options, scratch, ply + 1, replier))
        if place < 0 or not holds_at(table[place], depth - 1):
            continue
        entry = table[place]
        low_i = max(scratch.low[ply, i], entry.lower)
        high_i = min(scratch.high[ply, i], entry.upper)
        if entry.whole:
            scratch.heights[ply] = max(scratch.heights[ply], np.int32(entry.depth + 1))
        else:
            scratch.info[CUT_SHORT] += 1
        low, high = narrow_outcome(scratch, ply, i, low_i, high_i, low, high)
    return low, high


@kernel
def probe_window(game, options, scratch, s, ply, i, low, high, alpha, beta):
    """Go to outcome i. The window of a probe there, empty where its bound could not cut off; and
    who moves there."""
    nothing = 0.0, 0.0, np.int64(NOBODY)
    if not is_open(scratch, ply, i, low, high, alpha, beta):
        return nothing
    below = step_down(game, scratch, s, ply, scratch.actions[ply, i], i + 1)
    if game.is_terminal(below):
        return nothing
    answerer = np.int64(game.current_player(below))
    if answerer == CHANCE:
        return nothing
    p, a, b = scratch.chances[ply, i], scratch.low[ply, i], scratch.high[ply, i]
    if answerer == options.me:
        if beta >= options.highest:
            return nothing
        return a, min(b, (beta - (low - p * a)) / p), answerer
    if alpha <= options.lowest:
        return nothing
    return max(a, (alpha - (high - p * b)) / p), b, answerer


@kernel
def take_probe(options, scratch, ply, i, answerer, value, low, high):
    """One move after outcome i is worth `value`: (low, high) as `narrow_outcome`."""
    note_height(scratch, ply)
    low_i, high_i = scratch.low[ply, i], scratch.high[ply, i]
    if answerer == options.me:
        low_i = min(high_i, max(low_i, value))
    else:
        high_i = max(low_i, min(high_i, value))
    return narrow_outcome(scratch, ply, i, low_i, high_i, low, high)


# ------------------------------------------------------------ players' nodes


@kernel
def moves_of(game, options, scratch, s, ply, mover, replier):
    """List the moves to search: (how many, who is the one to choose afterwards, one more move).

    In best-reply search one opponent chooses, the others do the usual. The move beside the others
    is the usual one of an opponent who leaves the choice to one after him.
    """
    n = np.int64(game.legal_actions(s, scratch.actions[ply]))
    after, extra = np.int64(NOBODY), np.int32(NO_MOVE)
    players = scratch.utilities.size
    if not 0 <= mover < players or not are_sound(scratch.actions[ply], n, scratch.root.size):
        return broken(scratch, ply), after, extra
    if options.best_reply and mover != options.me:
        if replier in (NOBODY, mover):
            after = mover
            if replier == NOBODY and scratch.utilities.size > 2:
                extra = usual_move(game, options, scratch, s, ply, mover, n)
        else:
            after = replier
            scratch.actions[ply, 0] = usual_move(game, options, scratch, s, ply, mover, n)
            n = np.int64(1)
    return n, after, extra


@kernel
def keep_line(scratch, ply, a):
    """The best line from here: `a`, then the best line from there."""
    length = scratch.lengths[ply + 1]
    scratch.lines[ply, 0] = a
    for j in range(length):
        scratch.lines[ply, j + 1] = scratch.lines[ply + 1, j]
    scratch.lengths[ply] = length + 1


# ------------------------------------------------------------ the recursion


@kernel
def visit_star(game, options, table, scratch, ply, depth, alpha, beta, replier, probing):
    """The value for `me` of states[ply], searched `depth` actions deep, as a fail-soft bound.

    With `probing` only the most promising move counts: the result bounds the value on one side.
    """
    info, trace, me = scratch.info, scratch.trace, options.me
    # 1. count; pause or stop when told to
    scratch.lengths[ply] = 0
    scratch.heights[ply] = 0
    if not counted(info):
        return 0.0
    if ply > info[DEEPEST]:
        info[DEEPEST] = ply
    # 2. the end of the game, or of the search
    done, value = leaf(game, options, scratch, ply, depth)
    if done:
        return value
    # 3. what is known already
    s = scratch.states[ply]
    cut_short_before = info[CUT_SHORT]
    lower, upper = options.lowest, options.highest
    table_move = NO_MOVE
    key = U(0)
    if options.table:
        key = key_of(game, options, scratch, ply, replier)
        place = find_bounds(table, key)
        if place >= 0:
            entry = table[place]
            table_move = entry.move
            if ply > 0 and holds_at(entry, depth):
                lower, upper = max(lower, entry.lower), min(upper, entry.upper)
                trace.known(info, ply, alpha, beta, me, lower, upper)
                if entry.whole:
                    scratch.heights[ply] = entry.depth
                else:
                    info[CUT_SHORT] += 1
                if lower >= upper:
                    trace.cut(info, ply, NO_MOVE, alpha, beta, me, upper, BY_TABLE)
                    return upper
    if options.pruning:
        if lower >= beta or upper <= alpha:
            value = lower if lower >= beta else upper
            trace.cut(info, ply, NO_MOVE, alpha, beta, me, value, BY_TABLE)
            return value
        alpha, beta = max(alpha, lower), min(beta, upper)
    mover = np.int64(game.current_player(s))
    best_move = NO_MOVE
    if mover == CHANCE:
        # 4. chance: bounds of the outcomes from the table, and from probes (Star2)
        if ply == 0:  # every outcome is wanted
            alpha, beta = -FAR, FAR
        n, low, high = list_outcomes(game, options, scratch, s, ply)
        if info[ABORTED]:
            return 0.0
        if options.table and options.pruning and depth > 1:
            low, high = ask_table(
                game, options, table, scratch, s, ply, depth, replier, n, low, high, alpha, beta
            )
        if options.pruning == STAR2 and depth > 1:
            for i in range(n):
                a, b, answerer = probe_window(
                    game, options, scratch, s, ply, i, low, high, alpha, beta
                )
                if a >= b:
                    continue
                info[PROBES] += 1
                move, chance = scratch.actions[ply, i], scratch.chances[ply, i]
                trace.enter(info, ply + 1, move, depth - 1, a, b, me, chance)
                v = visit_star(
                    game, options, table, scratch, ply + 1, depth - 1, a, b, replier, PROBE
                )
                if info[ABORTED]:
                    return 0.0
                trace.leave(info, ply + 1, a, b, me, v)
                low, high = take_probe(options, scratch, ply, i, answerer, v, low, high)
                if low >= beta or high <= alpha:
                    info[PROBE_CUTS] += 1
        # 5. chance: outcome by outcome, until the rest cannot matter (Star1)
        sure, rest_low, rest_high = 0.0, low, high
        best = 0.0
        failed = 0  # -1: at most alpha, 1: at least beta
        if options.pruning and high <= alpha:
            best, failed = high, -1
        elif options.pruning and low >= beta:
            best, failed = low, 1
        if failed != 0:
            trace.cut(info, ply, NO_MOVE, alpha, beta, me, best, BY_PROBES)
        i = 0
        while i < n and failed == 0:
            p = scratch.chances[ply, i]
            low_i, high_i = scratch.low[ply, i], scratch.high[ply, i]
            rest_low -= p * low_i
            rest_high -= p * high_i
            a, b = -FAR, FAR
            if options.pruning and p > 0.0:
                a = (alpha - sure - rest_high) / p
                b = (beta - sure - rest_low) / p
            v = high_i
            if p > 0.0 and low_i < high_i and a < high_i and b > low_i:
                step_down(game, scratch, s, ply, scratch.actions[ply, i], i + 1)
                from_, to = a, b
                if options.pruning:
                    from_, to = max(low_i, a), min(high_i, b)
                trace.enter(info, ply + 1, scratch.actions[ply, i], depth - 1, from_, to, me, p)
                v = visit_star(
                    game, options, table, scratch, ply + 1, depth - 1, from_, to, replier, SEARCH
                )
                if info[ABORTED]:
                    return 0.0
                trace.leave(info, ply + 1, from_, to, me, v)
                note_height(scratch, ply)
            elif b <= low_i:
                v = low_i
            if ply == 0:
                scratch.root[i] = v
                scratch.known[i] = 1
            if v <= a:
                failed = -1
                low, high = sure + p * low_i + rest_low, sure + p * v + rest_high
                best = high
            elif v >= b:
                failed = 1
                low, high = sure + p * v + rest_low, sure + p * high_i + rest_high
                best = low
            else:
                sure += p * v
            if failed != 0:
                trace.cut(info, ply, scratch.actions[ply, i], alpha, beta, me, best, BY_OUTCOMES)
            i += 1
        if failed == 0:
            best = sure
            lower, upper = sure, sure
        else:
            lower, upper = max(lower, low), min(upper, high)
            # What is proven up to rounding is passed on as proven.
            best = min(best, alpha) if failed < 0 else max(best, beta)
        scratch.lengths[ply] = 0
    else:
        # 6. a player: move by move, in order of promise
        is_max = mover == me
        n, after, extra = moves_of(game, options, scratch, s, ply, mover, replier)
        if info[ABORTED]:
            return 0.0
        if options.pruning:
            rank(game, options, scratch, s, ply, mover, n, table_move)
        best = -FAR if is_max else FAR
        for i in range(n + 1):
            if i == n or (probing == 1 and i > 0):
                if extra == NO_MOVE or probing == 1:
                    break
                move = extra  # this opponent does the usual, and one after him chooses
                after = np.int64(NOBODY)
            else:
                if options.pruning:
                    bring_best(scratch.actions, scratch.merits, ply, i, n)
                move = scratch.actions[ply, i]
            below = step_down(game, scratch, s, ply, move, 0)
            if i == n and (game.is_terminal(below) or np.int64(game.current_player(below)) == me):
                break  # nobody is left to choose: searched already
            a, b = -FAR, FAR
            if options.pruning:
                a, b = alpha, beta
                if is_max:
                    a = max(a, best)
                else:
                    b = min(b, best)
            trace.enter(info, ply + 1, move, depth - 1, a, b, me, 1.0)
            v = visit_star(game, options, table, scratch, ply + 1, depth - 1, a, b, after, SEARCH)
            if info[ABORTED]:
                return best  # the value of this move is not to be used
            trace.leave(info, ply + 1, a, b, me, v)
            note_height(scratch, ply)
            if ply == 0:
                scratch.root[move] = v
                scratch.known[move] = v > a or i == 0
            if (is_max and v > best) or (not is_max and v < best):
                best = v
                best_move = move
                keep_line(scratch, ply, move)
                trace.best(info, ply, move, alpha, beta, me, v)
                # 7. too good for somebody above
                if options.pruning and ((is_max and v >= beta) or (not is_max and v <= alpha)):
                    scratch.history[mover, move] += depth * depth
                    trace.cut(info, ply, move, alpha, beta, me, v, BETA)
                    break
        if best_move != NO_MOVE:
            scratch.answers[ply, scratch.outcome[ply]] = best_move
        if not options.pruning:
            lower, upper = best, best
        else:
            if best > alpha and (is_max or probing == 0):
                lower = max(lower, best)
            if best < beta and (not is_max or probing == 0):
                upper = min(upper, best)
    # 8. remember
    if options.table:
        whole = 1 if info[CUT_SHORT] == cut_short_before else 0
        holds = np.int64(scratch.heights[ply]) if whole else np.int64(depth)
        store_bounds(table, key, lower, upper, best_move, holds, whole)
    return best


@kernel
def begin_star(game, options, table, scratch, depth, alpha, beta):
    """`visit_star` states[0]."""
    info, trace, me = scratch.info, scratch.trace, options.me
    nobody = np.int64(NOBODY)
    trace.enter(info, 0, NO_MOVE, depth, alpha, beta, me, 1.0)
    value = visit_star(
        game,
        options,
        table,
        by_address(scratch),  # some hundred words otherwise, copied at every node
        np.int64(0),
        np.int64(depth),
        alpha,
        beta,
        nobody,
        SEARCH,
    )
    if not info[ABORTED]:
        trace.leave(info, 0, alpha, beta, me, value)
    return value
