"""Self-play: whole games inside one kernel, without Python.

Every game has a number, and its random numbers follow from the seed of the run and that number
alone: whoever plays it, on whatever thread, with the same network it is the same game.

A move: the root gets its children with the network's priors; simulations follow as in any other
search (`ponder.mcts.search`); then a move is played and what is to be learned is written down
(`ponder.learn.root_ways`). Results are filled in when the game has ended, so an unfinished game
leaves nothing behind.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ponder.core.game import CHANCE, Spec, new_states
from ponder.core.rng import below, sample, uniform
from ponder.jit import (
    U,
    copy_record,
    copy_record_from,
    kernel,
    read_now,
    wrap_add,
    wrap_multiply,
)
from ponder.mcts.search import BROKEN, DONE, SOLVED, grow, simulate
from ponder.mcts.tree import ROOT

UNKNOWN = np.nan
"""The result of a row whose game has not ended yet."""
OPENINGS = 10_000
"""Random openings that are tried until one does not end the game."""


class Play(NamedTuple):
    """How games are played."""

    simulations: int
    """For a move whose visits are learned."""
    cheap: int
    """For a move that is only played (playout cap randomisation, Wu 2019)."""
    full_share: float
    """How many moves are of the first kind."""
    warm: int
    """So many moves of a game are drawn by visits, later ones by their cube."""
    opening_share: float
    """How many games begin with random moves ..."""
    opening_moves: int
    """... and with how many at most."""
    way: Any
    """`Visits` or `Improvement`: see `ponder.learn.root_ways`."""


class PlayedRows(NamedTuple):
    """Positions in which a player has moved, of finished games."""

    states: Any  # [rows] the game's records
    policy: Any  # [rows, max_actions] f4: shares of the visits, in the order of legal_actions
    results: Any  # [rows, players] f4: the returns of the game, or what was proven before its end
    values: Any  # [rows, players] f4: what the search thought
    games: Any  # [rows] i8: the number of the game
    count: Any  # [3] i8: rows in use, the next game, moves played


class PlayingDesk(NamedTuple):
    """Scratch space of one thread."""

    states: Any  # [2] the game in progress; zeros
    scores: Any  # [max_actions] f8
    actions: Any  # [max_actions] i4
    slots: Any  # [distinct actions] i4: the number of a child by its action


def new_played(spec: Spec, rows: int) -> PlayedRows:
    return PlayedRows(
        new_states(spec.state, rows),
        np.zeros((rows, spec.max_actions), np.float32),
        np.zeros((rows, spec.players), np.float32),
        np.zeros((rows, spec.players), np.float32),
        np.zeros(rows, np.int64),
        np.zeros(3, np.int64),
    )


def new_desk(spec: Spec) -> PlayingDesk:
    return PlayingDesk(
        new_states(spec.state, 2),
        np.zeros(spec.max_actions),
        np.zeros(spec.max_actions, np.int32),
        np.zeros(spec.distinct_actions or spec.max_actions, np.int32),
    )


@kernel
def seed_game(rng, seed, number):
    """The random numbers of a game, from the seed of the run and its number (splitmix64)."""
    x = wrap_add(wrap_multiply(U(seed), U(0x9E3779B97F4A7C15)), U(number))
    for factor in (U(0xBF58476D1CE4E5B9), U(0x94D049BB133111EB)):
        x = wrap_multiply(wrap_add(x, U(0x9E3779B97F4A7C15)) ^ (x >> U(30)), factor)
        x ^= x >> U(27)
    rng[0] = x if x != U(0) else U(1)


@kernel
def clear(game, tree, work, desk):
    """A tree of one node for the position on the desk."""
    copy_record_from(work.states, 0, desk.states, 0)
    copy_record(work.states, 1, 0)
    tree.info[0] = 1
    copy_record_from(tree.nodes, ROOT, tree.blank, 0)
    tree.nodes[ROOT].visits = 1
    tree.nodes[ROOT].action = -1
    tree.nodes[ROOT].player = game.current_player(work.states[1])
    for p in range(work.totals.size):
        work.totals[p] = 0.0
    for i in range(work.squares.size):
        work.squares[i] = 0.0


@kernel
def think(game, parts, tree, work, desk, rng, play, full):
    """Search the position on the desk: how many simulations were made, and DONE or what went
    wrong. A root that is proven ends the search."""
    clear(game, tree, work, desk)
    if not grow(game, parts, tree, work, ROOT, rng):
        return 0, BROKEN
    n = play.simulations if full else play.cheap
    play.way.begin(parts, tree, work, desk, full, n, rng)
    made, status = simulate(game, parts, tree, work, rng, n, True)
    return made, DONE if status == SOLVED else status


@kernel
def note(game, parts, tree, work, desk, play, out, number, made):
    """Write down what is to be learned of the position on the desk."""
    nodes = tree.nodes
    row = out.count[0]
    copy_record_from(out.states, row, desk.states, 0)
    out.games[row] = number
    proven = parts.backup.settled(tree, ROOT)
    if proven:
        parts.backup.recall(tree, ROOT, work.utilities)
    for p in range(work.totals.size):
        out.values[row, p] = work.utilities[p] if proven else work.totals[p] / made
        out.results[row, p] = work.utilities[p] if proven else UNKNOWN
    play.way.target(parts, tree, work, desk.scores)
    first, count = nodes[ROOT].first, nodes[ROOT].count
    total = 0.0
    for i in range(count):
        desk.slots[nodes[first + i].action] = i
        total += desk.scores[i]
    n = game.legal_actions(desk.states[0], desk.actions)
    for i in range(n):
        out.policy[row, i] = desk.scores[desk.slots[desk.actions[i]]] / total
    for i in range(n, out.policy.shape[1]):
        out.policy[row, i] = 0.0
    out.count[0] = row + 1


@kernel
def fill_in(out, first, utilities):
    """The result of the rows from `first` on, whose game has ended with these utilities.

    From the last row to the first: a position that was proven on the way says more about those
    before it than what came after.
    """
    for row in range(out.count[0] - 1, first - 1, -1):
        for p in range(utilities.size):
            if np.isnan(out.results[row, p]):
                out.results[row, p] = utilities[p]
            else:
                utilities[p] = out.results[row, p]


@kernel
def begin_game(game, desk, work, rng, play):
    """Set the desk to the start, or to a position a few random moves later; never to an end.

    False if there is none: rules that have raised say that every game is over.
    """
    for _ in range(OPENINGS):
        copy_record(desk.states, 0, 1)
        s = desk.states[0]
        game.start(s)
        left = 0
        if play.opening_moves > 0 and uniform(rng) < play.opening_share:
            left = below(rng, play.opening_moves + 1)
        while not game.is_terminal(s):
            if game.current_player(s) == CHANCE:
                roll(game, s, work, rng)
            elif left > 0:
                n = game.legal_actions(s, work.actions)
                game.apply_action(s, work.actions[below(rng, n)])
                left -= 1
            else:
                return True
    return False


@kernel
def roll(game, s, work, rng):
    """Let the dice fall."""
    n = game.chance_outcomes(s, work.actions, work.chances)
    game.apply_action(s, work.actions[sample(rng, work.chances, n)])


@kernel
def play_games(game, parts, tree, work, desk, rng, play, out, stop, seed, step, end, longest):
    """Games number count[1], count[1] + step ... below `end`, as long as there is room for one.

    Returns DONE (also where stop[0] has ended it: the game in progress is forgotten), or what went
    wrong.
    """
    while out.count[1] < end and out.count[0] + longest <= out.games.size:
        number = out.count[1]
        seed_game(rng, seed, number)
        if not begin_game(game, desk, work, rng, play):
            return BROKEN
        s = desk.states[0]
        first = out.count[0]
        moves = 0
        plies = 0
        while not game.is_terminal(s):
            if read_now(stop, 0) != 0:
                out.count[0] = first  # an unfinished game has no result
                return DONE
            if plies >= longest:
                return BROKEN
            plies += 1
            if game.current_player(s) == CHANCE:
                roll(game, s, work, rng)
                continue
            full = play.full_share >= 1.0 or uniform(rng) < play.full_share
            made, status = think(game, parts, tree, work, desk, rng, play, full)
            if status != DONE:
                return status
            action = play.way.move(parts, tree, work, desk, moves < play.warm, rng)
            if full:
                note(game, parts, tree, work, desk, play, out, number, made)
            moves += 1
            game.apply_action(s, action)
        game.returns(s, work.utilities)
        fill_in(out, first, work.utilities)
        out.count[1] = number + step
        out.count[2] += moves
    return DONE
