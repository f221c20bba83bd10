"""What `ponder.search.star_visit` works with, and does at every node, whoever moves there."""

from typing import Any, NamedTuple

import numpy as np

from ponder.core.hashing import state_key
from ponder.core.pausing import ABORTED, PLACES
from ponder.jit import U, inlined, kernel, wrap_multiply
from ponder.search.bounds_table import find_bounds, holds_at, store_bounds
from ponder.search.table import NO_MOVE

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


# ------------------------------------------------------------ the table


@kernel
def known_bounds(options, table, scratch, ply, depth, alpha, beta, key):
    """What the table knows of states[ply]: (does it hold here, lower, upper, its best move)."""
    info = scratch.info
    lower, upper = options.lowest, options.highest
    place = find_bounds(table, key)
    if place < 0:
        return False, lower, upper, np.int32(NO_MOVE)
    entry = table.entries[place]
    if ply == 0 or not holds_at(entry, depth):  # the moves of the root are wanted in any case
        return False, lower, upper, np.int32(entry.move)
    lower, upper = max(lower, entry.lower), min(upper, entry.upper)
    scratch.trace.known(info, ply, alpha, beta, options.me, lower, upper)
    if entry.whole:
        scratch.heights[ply] = entry.depth
    else:
        info[CUT_SHORT] += 1
    return True, lower, upper, np.int32(entry.move)


@kernel
def remember(table, scratch, ply, depth, key, lower, upper, move, cut_short_before):
    """Store what was found; what the depth has not cut short holds for every depth."""
    whole = 1 if scratch.info[CUT_SHORT] == cut_short_before else 0
    holds = np.int64(scratch.heights[ply]) if whole else np.int64(depth)
    store_bounds(table, key, lower, upper, move, holds, whole)
