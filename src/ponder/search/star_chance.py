"""Chance nodes of `ponder.search.star_visit`: what is known of the outcomes, and their windows."""

import numpy as np

from ponder.core.game import CHANCE
from ponder.jit import inlined, kernel
from ponder.search.bounds_table import find_bounds, holds_at
from ponder.search.star_scratch import (
    CUT_SHORT,
    FAR,
    NOBODY,
    broken,
    key_of,
    note_height,
    step_down,
)


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
        if place < 0 or not holds_at(table.entries[place], depth - 1):
            continue
        entry = table.entries[place]
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


@kernel
@inlined
def outcome_window(options, p, sure, rest_low, rest_high, alpha, beta):
    """Star1: the window (A, B) of an outcome of probability p, of which all others are worth from
    sure + rest_low to sure + rest_high."""
    if not options.pruning or p <= 0.0:
        return -FAR, FAR
    return (alpha - sure - rest_high) / p, (beta - sure - rest_low) / p
