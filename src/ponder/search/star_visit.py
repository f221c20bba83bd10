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
from ponder.jit import U, kernel, read_now, wrap_multiply
from ponder.search.bounds_table import find_bounds, holds_at, store_bounds
from ponder.search.ordering import bring_best
from ponder.search.table import NO_MOVE, state_key

# Places in `info`, the first of them as in `vector_visit`.
NODES, NODE_LIMIT, ABORTED, CUT_SHORT, DEEPEST, LEAVES, BLIND = 0, 1, 2, 3, 4, 5, 6
PROBES, PROBE_CUTS = 8, 9
BROKEN = 10  # as in `vector_visit`

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
    root: Any  # [distinct_actions] f8: the value of each root move ...
    known: Any  # [distinct_actions] i1: ... where it is exact
    info: Any  # [16] i8: counters, see the places above
    stop: Any  # [1] i8: set from outside


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
def visit_star(game, options, table, scratch, ply, depth, alpha, beta, replier, probing):
    """The value for `me` of states[ply], searched `depth` actions deep, as a fail-soft bound.

    With `probing` only the most promising move counts: the result bounds the value on one side.
    """
    info = scratch.info
    # 1. count; stop when told to
    info[0] += 1
    scratch.lengths[ply] = 0
    scratch.heights[ply] = 0
    if read_now(scratch.stop, 0) != 0 or info[0] > info[1]:
        info[2] = 1
        return 0.0
    # 2. the end of the game, or of the search
    s = scratch.states[ply]
    if ply > info[4]:
        info[4] = ply
    if game.is_terminal(s):
        info[5] += 1
        game.returns(s, scratch.utilities)
        return scratch.utilities[options.me]
    if depth <= 0:
        info[3] += 1
        info[5] += 1
        if not options.may_evaluate:
            info[6] = 1  # nothing to say here: the caller refuses
            info[2] = 1
            return 0.0
        game.evaluate(s, scratch.utilities)
        return max(options.lowest, min(options.highest, scratch.utilities[options.me]))
    # 3. what is known already
    cut_short_before = info[3]
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
                if entry.whole:
                    scratch.heights[ply] = entry.depth
                else:
                    info[3] += 1
                if lower >= upper:
                    return upper
    if options.pruning:
        if lower >= beta:
            return lower
        if upper <= alpha:
            return upper
        alpha, beta = max(alpha, lower), min(beta, upper)
    mover = np.int64(game.current_player(s))
    best_move = NO_MOVE
    if mover == CHANCE:
        n = game.chance_outcomes(s, scratch.actions[ply], scratch.chances[ply])
        if not are_sound(scratch.actions[ply], n, scratch.root.size):
            info[BROKEN] = ply + 1
            info[2] = 1
            return 0.0
        low, high = 0.0, 0.0
        for i in range(n):
            scratch.low[ply, i] = options.lowest
            scratch.high[ply, i] = options.highest
            low += scratch.chances[ply, i] * options.lowest
            high += scratch.chances[ply, i] * options.highest
        # 4. chance: bounds of the outcomes from the table, and from probes (Star2)
        for step in range(2):
            if step == 0 and not (options.table and options.pruning and depth > 1):
                continue
            if step == 1 and not (options.pruning == STAR2 and depth > 1):
                continue
            for i in range(n):
                p = scratch.chances[ply, i]
                low_i, high_i = scratch.low[ply, i], scratch.high[ply, i]
                if p <= 0.0 or low_i >= high_i or low >= beta or high <= alpha:
                    continue
                below = scratch.states[ply + 1]
                scratch.states[ply + 1] = s
                game.apply_action(below, scratch.actions[ply, i])
                if game.is_terminal(below):
                    continue
                if step == 0:
                    place = find_bounds(table, key_of(game, options, scratch, ply + 1, replier))
                    if place >= 0 and holds_at(table[place], depth - 1):
                        low_i = max(low_i, table[place].lower)
                        high_i = min(high_i, table[place].upper)
                        if table[place].whole:
                            height = np.int32(table[place].depth + 1)
                            scratch.heights[ply] = max(scratch.heights[ply], height)
                        else:
                            info[3] += 1
                else:
                    answerer = np.int64(game.current_player(below))
                    if answerer == CHANCE:
                        continue
                    # A probe is worth its cost only where its bound might cut off.
                    a, b = low_i, high_i
                    if answerer == options.me:
                        if beta >= options.highest:
                            continue
                        b = min(b, (beta - (low - p * low_i)) / p)
                    else:
                        if alpha <= options.lowest:
                            continue
                        a = max(a, (alpha - (high - p * high_i)) / p)
                    if a >= b:
                        continue
                    scratch.outcome[ply + 1] = i + 1
                    info[8] += 1
                    v = visit_star(
                        game, options, table, scratch, ply + 1, depth - 1, a, b, replier, PROBE
                    )
                    if info[2]:
                        return 0.0
                    height = np.int32(scratch.heights[ply + 1] + 1)
                    scratch.heights[ply] = max(scratch.heights[ply], height)
                    if answerer == options.me:
                        low_i = min(high_i, max(low_i, v))
                    else:
                        high_i = max(low_i, min(high_i, v))
                low += p * (low_i - scratch.low[ply, i])
                high += p * (high_i - scratch.high[ply, i])
                scratch.low[ply, i], scratch.high[ply, i] = low_i, high_i
                if step == 1 and (low >= beta or high <= alpha):
                    info[9] += 1
        # 5. chance: outcome by outcome, until the rest cannot matter (Star1)
        sure, rest_low, rest_high = 0.0, low, high
        best = 0.0
        failed = 0  # -1: at most alpha, 1: at least beta
        if options.pruning and high <= alpha:
            best, failed = high, -1
        elif options.pruning and low >= beta:
            best, failed = low, 1
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
                scratch.states[ply + 1] = s
                game.apply_action(scratch.states[ply + 1], scratch.actions[ply, i])
                scratch.outcome[ply + 1] = i + 1
                from_, to = a, b
                if options.pruning:
                    from_, to = max(low_i, a), min(high_i, b)
                v = visit_star(
                    game, options, table, scratch, ply + 1, depth - 1, from_, to, replier, SEARCH
                )
                if info[2]:
                    return 0.0
                height = np.int32(scratch.heights[ply + 1] + 1)
                scratch.heights[ply] = max(scratch.heights[ply], height)
            elif b <= low_i:
                v = low_i
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
        # 6. a player: the moves, in order of promise; in best-reply search one opponent chooses
        n = np.int64(game.legal_actions(s, scratch.actions[ply]))
        players = scratch.utilities.size
        if not 0 <= mover < players or not are_sound(scratch.actions[ply], n, scratch.root.size):
            info[BROKEN] = ply + 1
            info[2] = 1
            return 0.0
        is_max = mover == options.me
        extra = np.int32(NO_MOVE)
        after = np.int64(NOBODY)
        if options.best_reply and not is_max:
            if replier in (NOBODY, mover):
                after = mover
                if replier == NOBODY and scratch.utilities.size > 2:
                    extra = usual_move(game, options, scratch, s, ply, mover, n)
            else:
                after = replier
                scratch.actions[ply, 0] = usual_move(game, options, scratch, s, ply, mover, n)
                n = np.int64(1)
        if options.pruning:
            rank(game, options, scratch, s, ply, mover, n, table_move)
        best = -FAR if is_max else FAR
        for i in range(n + 1):
            if i == n or (probing == 1 and i > 0):
                if extra == NO_MOVE or probing == 1:
                    break
                a_move = extra  # this opponent does the usual, and one after him chooses
                after = np.int64(NOBODY)
            else:
                if options.pruning:
                    bring_best(scratch.actions, scratch.merits, ply, i, n)
                a_move = scratch.actions[ply, i]
            below = scratch.states[ply + 1]
            scratch.states[ply + 1] = s
            game.apply_action(below, a_move)
            if i == n and (
                game.is_terminal(below) or np.int64(game.current_player(below)) == options.me
            ):
                break  # nobody is left to choose: searched already
            scratch.outcome[ply + 1] = 0
            a, b = -FAR, FAR
            if options.pruning:
                a, b = alpha, beta
                if is_max:
                    a = max(a, best)
                else:
                    b = min(b, best)
            v = visit_star(game, options, table, scratch, ply + 1, depth - 1, a, b, after, SEARCH)
            if info[2]:
                break  # stopped: the value of this move is not to be used
            height = np.int32(scratch.heights[ply + 1] + 1)
            scratch.heights[ply] = max(scratch.heights[ply], height)
            if ply == 0:
                scratch.root[a_move] = v
                scratch.known[a_move] = v > a or i == 0
            if (is_max and v > best) or (not is_max and v < best):
                best = v
                best_move = a_move
                length = scratch.lengths[ply + 1]
                scratch.lines[ply, 0] = a_move
                for j in range(length):
                    scratch.lines[ply, j + 1] = scratch.lines[ply + 1, j]
                scratch.lengths[ply] = length + 1
                # 7. too good for somebody above
                if options.pruning and ((is_max and v >= beta) or (not is_max and v <= alpha)):
                    scratch.history[mover, a_move] += depth * depth
                    break
        if info[2]:
            return best
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
        whole = 1 if info[3] == cut_short_before else 0
        holds = np.int64(scratch.heights[ply]) if whole else np.int64(depth)
        store_bounds(table, key, lower, upper, best_move, holds, whole)
    return best
