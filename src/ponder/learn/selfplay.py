"""Self-play: whole games inside one kernel, without Python.

Every game has a number, and its random numbers follow from the seed of the run and that number
alone: whoever plays it, on whatever thread, with the same network it is the same game.

A move (Silver et al. 2017, 2018): the root gets its children with the network's priors, then noise
on them; simulations as in any other search (`ponder.mcts.search`); the visits are what the policy
is to learn, and a move is drawn by them. What is to be learned is written down for every position
in which a player moved; results are filled in when the game has ended, so an unfinished game leaves
nothing behind.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ponder.core.game import CHANCE, Spec, new_states
from ponder.core.rng import below, sample, uniform
from ponder.jit import (
    U,
    constants,
    copy_record,
    copy_record_from,
    inlined,
    kernel,
    read_now,
    wrap_add,
    wrap_multiply,
)
from ponder.mcts.children import highest_score
from ponder.mcts.search import BROKEN, DONE, grow, simulate
from ponder.mcts.select.puct import Reduction, exploration_of, shared_terms
from ponder.mcts.select.thompson import gamma
from ponder.mcts.tree import ROOT

FORCED = 1e6
"""More than any score: a child that has to be visited."""


@constants(NEEDS=("prior",), TERMS=("value", "prior"))
class SelfPlayPUCT(NamedTuple):
    """`PUCT`, with forced playouts at the root (Wu 2019): a child that was visited at all gets

        sqrt(forced * prior * visits of the root)

    visits at least, so that noise is followed up. `unforced` takes them out of what is learned.
    """

    c_init: float = 1.25
    c_base: float = 19652.0
    fpu: Any = Reduction()
    own: bool = True
    forced: float = 0.0

    @inlined
    def choose(self, game, parts, tree, work, depth, rng):
        return highest_score(self, game, parts, tree, work, depth)

    @inlined
    def mixed(self):
        return True

    @inlined
    def shared(self, game, parts, tree, work, depth, n, log):
        exploration, urgency, visited = shared_terms(self, parts, tree, work.path[depth], n)
        forced = self.forced * visited if depth == 0 else 0.0
        return exploration, urgency, forced

    @inlined
    def terms(self, shared, tree, child, visits, inverse, root, mean):
        exploration, urgency, forced = shared
        value = mean if visits > 0 else urgency
        prior = tree.nodes[child].prior
        if visits > 0 and visits * visits < forced * prior:
            value += FORCED
        return value, exploration * prior / (1.0 + visits)


class Play(NamedTuple):
    """How games are played."""

    simulations: int
    """For a move whose visits are learned."""
    cheap: int
    """For a move that is only played (playout cap randomisation, Wu 2019)."""
    full_share: float
    """How many moves are of the first kind."""
    noise: float
    """The share of Dirichlet noise in the priors of the root."""
    concentration: float
    """Its parameter is this divided by the number of moves, 1 at most."""
    warm: int
    """So many moves of a game are drawn by visits, later ones by their cube."""
    opening_share: float
    """How many games begin with random moves ..."""
    opening_moves: int
    """... and with how many at most."""


class PlayedRows(NamedTuple):
    """Positions in which a player has moved, of finished games."""

    states: Any  # [rows] the game's records
    policy: Any  # [rows, max_actions] f4: shares of the visits, in the order of legal_actions
    results: Any  # [rows, players] f4: the returns of the game
    values: Any  # [rows, players] f4: what the search thought
    games: Any  # [rows] i8: the number of the game
    count: Any  # [3] i8: rows in use, the next game, moves played


class PlayingDesk(NamedTuple):
    """NetworkScratch space of one thread."""

    states: Any  # [2] the game in progress; zeros
    scores: Any  # [max_actions] f8
    actions: Any  # [max_actions] i4
    slots: Any  # [distinct actions] i4: a child by its action


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
def add_noise(tree, share, concentration, scores, rng):
    """P <- (1 - share) P + share Dirichlet(alpha), at the root's children."""
    nodes = tree.nodes
    first, count = nodes[ROOT].first, nodes[ROOT].count
    alpha = min(1.0, concentration / count)
    total = 0.0
    for i in range(count):
        # gamma(alpha) = gamma(alpha + 1) * u^(1 / alpha), for alpha below 1
        scores[i] = gamma(rng, alpha + 1.0) * (1.0 - uniform(rng)) ** (1.0 / alpha)
        total += scores[i]
    if total <= 0.0:
        return
    for i in range(count):
        prior = nodes[first + i].prior
        nodes[first + i].prior = (1.0 - share) * prior + share * scores[i] / total


@kernel
def unforced(parts, tree, work, rule):
    """Take visits that were only forced back from the root's children, before they are learned.

    The most visited child keeps its own; every other one loses visits as long as its score stays
    below that child's (policy target pruning, Wu 2019). One visit left is none.
    """
    nodes = tree.nodes
    first, count = nodes[ROOT].first, nodes[ROOT].count
    best = first
    total = 0
    for child in range(first, first + count):
        total += nodes[child].visits
        if nodes[child].visits > nodes[best].visits:
            best = child
    exploration = exploration_of(rule, tree, total + 1.0)
    visits = nodes[best].visits
    top = parts.backup.worth(tree, best, 1.0 / visits)
    top += exploration * nodes[best].prior / (1.0 + visits)
    for child in range(first, first + count):
        visits = nodes[child].visits
        if child == best or visits == 0:
            continue
        mean = parts.backup.worth(tree, child, 1.0 / visits)
        spare = int(math.sqrt(rule.forced * nodes[child].prior * total))
        while visits > 0 and spare > 0:
            if mean + exploration * nodes[child].prior / visits >= top:
                break
            visits -= 1
            spare -= 1
        nodes[child].visits = 0 if visits <= 1 else visits


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
    """Search the position on the desk; DONE, or what went wrong."""
    clear(game, tree, work, desk)
    if not grow(game, parts, tree, work, ROOT, rng):
        return BROKEN
    if full and play.noise > 0.0:
        add_noise(tree, play.noise, play.concentration, desk.scores, rng)
    n = play.simulations if full else play.cheap
    return simulate(game, parts, tree, work, rng, n, True)[1]


@kernel
def note(game, parts, tree, work, desk, play, out, number):
    """Write down what is to be learned of the position on the desk."""
    nodes = tree.nodes
    row = out.count[0]
    copy_record_from(out.states, row, desk.states, 0)
    out.games[row] = number
    for p in range(work.totals.size):
        out.values[row, p] = work.totals[p] / play.simulations
    first, count = nodes[ROOT].first, nodes[ROOT].count
    total = 0
    for i in range(count):
        desk.slots[nodes[first + i].action] = first + i
        total += nodes[first + i].visits
    n = game.legal_actions(desk.states[0], desk.actions)
    for i in range(n):
        out.policy[row, i] = nodes[desk.slots[desk.actions[i]]].visits / total
    for i in range(n, out.policy.shape[1]):
        out.policy[row, i] = 0.0
    out.count[0] = row + 1


@kernel
def drawn_move(tree, desk, exponent, rng):
    """A child of the root, drawn by its visits to the power of `exponent`."""
    nodes = tree.nodes
    first, count = nodes[ROOT].first, nodes[ROOT].count
    most = 1
    for i in range(count):
        most = max(most, nodes[first + i].visits)
    total = 0.0
    for i in range(count):
        desk.scores[i] = (nodes[first + i].visits / most) ** exponent
        total += desk.scores[i]
    x = uniform(rng) * total
    pick = first
    for i in range(count):
        if nodes[first + i].visits > 0:
            pick = first + i
            x -= desk.scores[i]
            if x < 0.0:
                break
    return nodes[pick].action


@kernel
def begin_game(game, desk, work, rng, play):
    """Set the desk to the start, or to a position a few random moves later; never to an end."""
    while True:
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
                return


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
        begin_game(game, desk, work, rng, play)
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
            status = think(game, parts, tree, work, desk, rng, play, full)
            if status != DONE:
                return status
            action = drawn_move(tree, desk, 1.0 if moves < play.warm else 3.0, rng)
            if full:
                if parts.select.forced > 0.0:
                    unforced(parts, tree, work, parts.select)
                note(game, parts, tree, work, desk, play, out, number)
            moves += 1
            game.apply_action(s, action)
        game.returns(s, work.utilities)
        for row in range(first, out.count[0]):
            for p in range(work.utilities.size):
                out.results[row, p] = work.utilities[p]
        out.count[1] = number + step
        out.count[2] += moves
    return DONE
