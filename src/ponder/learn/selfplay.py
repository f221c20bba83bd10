"""Self-play: whole games inside one kernel, without Python.

Every game has a number, and its random numbers follow from the seed of the run and that number
alone: whoever plays it, on whatever thread, with the same network it is the same game.

A move: the root gets its children with the network's priors; simulations follow as in any other
search (`ponder.mcts.search`); then a move is played and what is to be learned is written down
(`ponder.learn.root_ways`). Results are filled in when the game has ended, so an unfinished game
leaves nothing behind.

What position t teaches is the return of TD(lambda) (Sutton 1988) over what the searches v thought
and what became of the game, z, and lambda is `Play.trace`:

    G_t = (1 - lambda) v_t + lambda G_(t+1)      G = z after the last move

Moves are drawn, so some are blunders, and what becomes of them says nothing about the positions
before: there G_t = v_t (Watkins 1989). v_t is what the best move is worth, not the mean over all
that was tried, for the same reason.
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
from ponder.learn.referee import NoReferee
from ponder.mcts.search import BROKEN, DONE, SOLVED, grow, simulate
from ponder.mcts.tree import ROOT

UNKNOWN = np.nan
"""The result of a row whose game has not ended yet ..."""
BLUNDER = np.inf
"""... and if a blunder was played there."""
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
    trace: float
    """Lambda: how much of what is learned comes from what was played next."""
    blunder: float
    """A move is one if it loses more than this share of the range of utilities; 0: none is."""
    opposed: bool
    """Do two play for opposite ends? Then what a move is worth to one says it for both."""
    way: Any
    """`Visits` or `Improvement`: see `ponder.learn.root_ways`."""
    referee: Any = NoReferee()
    """What knows exact values: see `ponder.learn.referee`."""


class PlayedRows(NamedTuple):
    """Positions in which a player has moved, of finished games."""

    states: Any  # [rows] the game's records
    policy: Any  # [rows, max_actions] f4: shares of the visits, in the order of legal_actions
    results: Any  # [rows, players] f4: the returns of the game, or what was proven before its end
    values: Any  # [rows, players] f4: what is learned; first, what the search thought
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
def judge(parts, tree, work, play, child, made):
    """Write what the search thinks of its root into work.utilities: what is proven, or else what
    the most visited move is worth to its player. Is the move to `child` a blunder?"""
    nodes = tree.nodes
    if parts.backup.settled(tree, ROOT):
        parts.backup.recall(tree, ROOT, work.utilities)
        return False
    best = nodes[ROOT].first
    top = -np.inf
    for other in range(best, best + nodes[ROOT].count):
        visits = nodes[other].visits
        if visits == 0 or visits < nodes[best].visits:
            continue
        worth = parts.backup.worth(tree, other, 1.0 / visits)
        if visits > nodes[best].visits or worth > top:
            best, top = other, worth
    for p in range(work.totals.size):
        work.utilities[p] = work.totals[p] / made
    mover = nodes[best].player
    work.utilities[mover] = top
    if play.opposed:
        work.utilities[1 - mover] = (
            tree.lowest + tree.highest - top
        )  # what one wins the other loses
    visits = nodes[child].visits
    if play.blunder == 0.0 or visits == 0:
        return False
    lost = top - parts.backup.worth(tree, child, 1.0 / visits)
    return lost > play.blunder * (tree.highest - tree.lowest)


@kernel
def note(game, parts, tree, work, desk, play, out, number):
    """Write down what is to be learned of the position on the desk, which has been judged."""
    nodes = tree.nodes
    row = out.count[0]
    copy_record_from(out.states, row, desk.states, 0)
    out.games[row] = number
    proven = parts.backup.settled(tree, ROOT)
    for p in range(work.totals.size):
        out.values[row, p] = work.utilities[p]
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
def forgive(out, first):
    """A blunder was played: what comes of it says nothing about the last row, nor about those
    before it. (After a move that is only played that is the row of an earlier position.)"""
    row = out.count[0] - 1
    if row >= first and np.isnan(out.results[row, 0]):
        for p in range(out.results.shape[1]):
            out.results[row, p] = BLUNDER


@kernel
def fill_in(out, first, utilities, trace, referee):
    """The results of the rows from `first` on, whose game has ended with these utilities, and what
    their values are to learn.

    From the last row to the first: a position that was proven on the way says more about those
    before it than what came after. As far as the referee can solve them, all are proven.
    """
    last = out.count[0] - 1
    referee.forget()
    solved = True
    for row in range(last, first - 1, -1):
        solved = solved and referee.settles(out.states, row, utilities)
        if solved:
            referee.keep_best(out.states, row, utilities, out.policy)
        for p in range(utilities.size):
            known = out.results[row, p]
            if solved:
                out.results[row, p] = out.values[row, p] = utilities[p]
                continue
            if np.isfinite(known):  # proven; so is the value
                utilities[p] = known
                continue
            out.results[row, p] = utilities[p]
            if known != BLUNDER:
                after = utilities[p] if row == last else out.values[row + 1, p]
                out.values[row, p] += trace * (after - out.values[row, p])


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
            child = play.way.move(parts, tree, work, desk, moves < play.warm, rng)
            blunder = judge(parts, tree, work, play, child, made)
            if full:
                note(game, parts, tree, work, desk, play, out, number)
            if blunder:
                forgive(out, first)
            moves += 1
            game.apply_action(s, tree.nodes[child].action)
        game.returns(s, work.utilities)
        fill_in(out, first, work.utilities, play.trace, play.referee)
        out.count[1] = number + step
        out.count[2] += moves
    return DONE
