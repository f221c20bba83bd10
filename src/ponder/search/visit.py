"""The recursion of alpha-beta search, one function, its steps numbered.

Fail-soft (Fishburn 1983): ``visit`` returns r with

    r <= alpha            the value is at most r
    alpha < r < beta      the value is r
    r >= beta             the value is at least r

Values are for the player `me` whom the caller names. The mover may be the same player as above
(passes, double moves, one player alone): the window and the sign turn only when the mover differs.

Decisive results prefer the short win and the long loss: a terminal utility equal to the game's
highest (lowest) counts STEP less (more) for each ply from the root.
"""

from typing import Any, NamedTuple

import numpy as np

from ponder.jit import U, kernel, read_now
from ponder.search.table import EXACT, LOWER, NO_MOVE, UPPER, find, state_key, store

STEP = 2.0**-20
"""How much a ply costs in the value of a decisive result, in units of half the utility range."""
FARTHEST = 4096
"""Plies; values within FARTHEST * STEP of the extremes are decisive; evaluations stay inside."""

# Places in `info`.
NODES, NODE_LIMIT, ABORTED, CUT_SHORT, DEEPEST, CUTS, FIRST_CUTS, HITS = 0, 1, 2, 3, 4, 5, 6, 7


class Options(NamedTuple):
    """Which parts are switched on (0 or 1), and facts of the game and the search."""

    table: int
    own_key: int
    hints: int
    killers: int
    history: int
    scout: int
    quiescence: int
    reductions: int
    beam: int
    lowest: float
    highest: float
    step: float
    age: int


class Scratch(NamedTuple):
    """Arrays of one search; [P] is one more than the greatest ply."""

    states: Any  # [P] the game's records
    words: Any  # [P, words] u8: the same memory, word by word
    actions: Any  # [P, max_actions] i4
    merits: Any  # [P, max_actions] f8: what moves are tried by, highest first
    lines: Any  # [P, P] i4: the best line from each ply
    lengths: Any  # [P] i4
    killers: Any  # [P, 2] i4: quiet moves that cut off at this ply
    history: Any  # [players, distinct_actions] f8: how often a move cut off
    utilities: Any  # [players] f8
    root: Any  # [max_actions] f8: the value or bound of each root move
    info: Any  # [8] i8: counters, see the places above
    stop: Any  # [1] i8: set from outside


@kernel
def outcome(game, options, scratch, s, ply, me):
    """The utility of a finished game for `me`, nearer for being farther away."""
    game.returns(s, scratch.utilities)
    u = scratch.utilities[me]
    if u >= options.highest:
        return u - ply * options.step
    if u <= options.lowest:
        return u + ply * options.step
    return u


@kernel
def estimate(game, options, scratch, s, me):
    """The static evaluation for `me`, kept apart from decisive values."""
    game.evaluate(s, scratch.utilities)
    margin = FARTHEST * options.step
    return max(options.lowest + margin, min(options.highest - margin, scratch.utilities[me]))


@kernel
def from_root(options, value, ply):
    """A stored value counts distance from its own node: count it from the root."""
    margin = FARTHEST * options.step
    if value >= options.highest - margin:
        return value - ply * options.step
    if value <= options.lowest + margin:
        return value + ply * options.step
    return value


@kernel
def from_node(options, value, ply):
    """The inverse of `from_root`."""
    margin = FARTHEST * options.step
    if value >= options.highest - margin:
        return value + ply * options.step
    if value <= options.lowest + margin:
        return value - ply * options.step
    return value


@kernel
def rank(game, options, scratch, s, ply, mover, n, table_move):
    """Give each of n moves its merit: table move, the game's hint, killers, history."""
    for i in range(n):
        a = scratch.actions[ply, i]
        merit = 0.0
        if a == table_move:
            merit = 1e12
        else:
            if options.hints:
                merit = 1e6 * game.order(s, a)
            if options.killers:
                if a == scratch.killers[ply, 0]:
                    merit += 9e5
                elif a == scratch.killers[ply, 1]:
                    merit += 8e5
            if options.history:
                merit += min(scratch.history[mover, a], 7e5)
        scratch.merits[ply, i] = merit


@kernel
def bring_best(scratch, ply, i, n):
    """Swap the move of highest merit among i .. n - 1 to place i."""
    best = i
    for j in range(i + 1, n):
        if scratch.merits[ply, j] > scratch.merits[ply, best]:
            best = j
    action, merit = scratch.actions[ply, best], scratch.merits[ply, best]
    # Shift instead of swap, so that moves of equal merit keep the game's order.
    for j in range(best, i, -1):
        scratch.actions[ply, j] = scratch.actions[ply, j - 1]
        scratch.merits[ply, j] = scratch.merits[ply, j - 1]
    scratch.actions[ply, i] = action
    scratch.merits[ply, i] = merit
    return action


@kernel
def calm(game, options, scratch, ply, alpha, beta, me):
    """Quiescence search: the value for `me` after the noisy moves have been played out.

    The mover may always stand pat, that is, take the static evaluation instead of a noisy move.
    """
    info = scratch.info
    s = scratch.states[ply]
    if ply > info[4]:
        info[4] = ply
    if game.is_terminal(s):
        return outcome(game, options, scratch, s, ply, me)
    mover = np.int64(game.current_player(s))
    sign = 1.0
    if mover != me:  # turn the window to the mover's view
        sign = -1.0
        alpha, beta = -beta, -alpha
    best = estimate(game, options, scratch, s, mover)
    if best >= beta or ply + 1 >= scratch.lengths.size:
        return sign * best
    n = game.noisy_actions(s, scratch.actions[ply])
    rank(game, options, scratch, s, ply, mover, n, NO_MOVE)
    for i in range(n):
        a = bring_best(scratch, ply, i, n)
        scratch.states[ply + 1] = s
        game.apply_action(scratch.states[ply + 1], a)
        info[0] += 1
        value = calm(game, options, scratch, ply + 1, max(alpha, best), beta, mover)
        if value > best:
            best = value
            if value >= beta:
                break
    return sign * best  # the sign turns the mover's value into the caller's


@kernel
def visit(game, options, table, scratch, ply, depth, alpha, beta, me):
    """The value for `me` of states[ply], searched `depth` plies deep, as a fail-soft bound."""
    info = scratch.info
    # 1. count; stop when told to
    info[0] += 1
    scratch.lengths[ply] = 0
    if read_now(scratch.stop, 0) != 0 or info[0] > info[1]:
        info[2] = 1
        return 0.0
    # 2. the end of the game, or of the search
    s = scratch.states[ply]
    if ply > info[4]:
        info[4] = ply
    if game.is_terminal(s):
        return outcome(game, options, scratch, s, ply, me)
    if depth <= 0 or ply + 1 >= scratch.lengths.size:
        info[3] = 1  # something was cut short: the value is not yet the game's
        if options.quiescence:
            return calm(game, options, scratch, ply, alpha, beta, me)
        return estimate(game, options, scratch, s, me)
    # 3. turn the window to the mover's view, if somebody else moves
    mover = np.int64(game.current_player(s))  # one type: a recursion must call its own signature
    sign = 1.0
    if mover != me:
        sign = -1.0
        alpha, beta = -beta, -alpha
    alpha_before = alpha
    # 4. what is known already
    table_move = NO_MOVE
    key = U(0)
    if options.table:
        key = game.key(s) if options.own_key else state_key(scratch.words, ply)
        place = find(table, key)
        if place >= 0:
            info[7] += 1
            entry = table[place]
            table_move = entry.move
            if ply > 0 and entry.depth >= depth:
                value = from_root(options, entry.value, ply)
                if entry.bound == EXACT:
                    return sign * value
                if entry.bound == LOWER:
                    alpha = max(alpha, value)
                else:
                    beta = min(beta, value)
                if alpha >= beta:
                    return sign * value
    # 5. the moves, in order of promise
    n = game.legal_actions(s, scratch.actions[ply])
    rank(game, options, scratch, s, ply, mover, n, table_move)
    if options.beam > 0 and n > options.beam:
        width = options.beam
        info[3] = 1
    else:
        width = n
    best = -1e300
    best_move = NO_MOVE
    for i in range(width):
        a = bring_best(scratch, ply, i, n)
        scratch.states[ply + 1] = s
        game.apply_action(scratch.states[ply + 1], a)
        # 6. the first move with the whole window, the others with none: they only have to fail
        low = max(alpha, best)
        if options.scout and i > 0:
            value = visit(
                game,
                options,
                table,
                scratch,
                ply + 1,
                depth - 1,
                low,
                low + options.step * 0.25,
                mover,
            )
            if low < value < beta and not info[2]:
                value = visit(game, options, table, scratch, ply + 1, depth - 1, low, beta, mover)
        else:
            value = visit(game, options, table, scratch, ply + 1, depth - 1, low, beta, mover)
        if info[2]:
            break  # stopped: the value of this move is not to be used
        if ply == 0:
            scratch.root[a] = value
        if value > best:
            best = value
            best_move = a
            if value > alpha or ply == 0:
                scratch.lines[ply, 0] = a
                length = scratch.lengths[ply + 1]
                for j in range(length):
                    scratch.lines[ply, j + 1] = scratch.lines[ply + 1, j]
                scratch.lengths[ply] = length + 1
            # 7. too good to be allowed
            if value >= beta:
                info[5] += 1
                if i == 0:
                    info[6] += 1
                if options.killers and a != scratch.killers[ply, 0]:
                    scratch.killers[ply, 1] = scratch.killers[ply, 0]
                    scratch.killers[ply, 0] = a
                if options.history:
                    scratch.history[mover, a] += depth * depth
                break
    if info[2]:
        return sign * best
    # 8. remember
    if options.table:
        bound = UPPER if best <= alpha_before else (LOWER if best >= beta else EXACT)
        store(table, key, from_node(options, best, ply), best_move, depth, bound, options.age)
    return sign * best  # the sign turns the mover's value into the caller's
