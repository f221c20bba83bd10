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

What belongs to chance nodes is in `star_chance`, to players' nodes in `star_player`, to all in
`star_scratch`. The recursion itself is one kernel: two that call each other could not be kept on
disk one by one.
"""

import numpy as np

from ponder.core.game import CHANCE
from ponder.core.pausing import ABORTED, counted
from ponder.jit import U, by_address, kernel
from ponder.search.events import BETA, BY_OUTCOMES, BY_PROBES, BY_TABLE
from ponder.search.ordering import bring_best
from ponder.search.star_chance import (
    ask_table,
    list_outcomes,
    outcome_window,
    probe_window,
    take_probe,
)
from ponder.search.star_player import bounds_by_moves, keep_line, move_window, moves_of, rank
from ponder.search.star_scratch import (
    CUT_SHORT,
    DEEPEST,
    FAR,
    NOBODY,
    PROBE,
    PROBE_CUTS,
    PROBES,
    SEARCH,
    STAR2,
    key_of,
    known_bounds,
    leaf,
    note_height,
    remember,
    step_down,
)
from ponder.search.table import NO_MOVE


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
    table_move = np.int32(NO_MOVE)
    key = U(0)
    if options.table:
        key = key_of(game, options, scratch, ply, replier)
        known, lower, upper, table_move = known_bounds(
            options, table, scratch, ply, depth, alpha, beta, key
        )
        if known and lower >= upper:
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
            a, b = outcome_window(options, p, sure, rest_low, rest_high, alpha, beta)
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
            a, b = move_window(options, is_max, best, alpha, beta)
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
        lower, upper = bounds_by_moves(options, is_max, probing, best, alpha, beta, lower, upper)
    # 8. remember
    if options.table:
        remember(table, scratch, ply, depth, key, lower, upper, best_move, cut_short_before)
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
