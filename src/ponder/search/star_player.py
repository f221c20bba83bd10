"""Players' nodes of `ponder.search.star_visit`: which moves, in which order, with which windows."""

import numpy as np

from ponder.core.game import are_sound
from ponder.jit import inlined, kernel
from ponder.search.star_scratch import FAR, NOBODY, broken
from ponder.search.table import NO_MOVE


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


@kernel
@inlined
def move_window(options, is_max, best, alpha, beta):
    """The window of the next move, after the best one so far."""
    if not options.pruning:
        return -FAR, FAR
    if is_max:
        return max(alpha, best), beta
    return alpha, min(beta, best)


@kernel
@inlined
def bounds_by_moves(options, is_max, probing, best, alpha, beta, lower, upper):
    """What the best move says of the node: (lower, upper). A probe has seen one move alone."""
    if not options.pruning:
        return best, best
    if best > alpha and (is_max or probing == 0):
        lower = max(lower, best)
    if best < beta and (not is_max or probing == 0):
        upper = min(upper, best)
    return lower, upper
