"""Random games to the end (the Monte Carlo random walk), and policies to play them by.

A policy is a NamedTuple with ``action(self, game, s, work, rng)``: the move of the player in turn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ponder.core.game import CHANCE, Spec, hooks_of
from ponder.core.making import registered
from ponder.core.position import Position
from ponder.core.rng import below, sample, uniform
from ponder.jit import constants, inlined, kernel
from ponder.mcts.defaults import lacks_hook, of_the_game

if TYPE_CHECKING:
    from ponder.mcts.engine import MCTS
    from ponder.mcts.protocols import EvaluateRule


class UniformMoves(NamedTuple):
    """Every legal move is as likely as any other."""

    @inlined
    def action(self, game, s, work, rng):
        return game.random_action(s, work.actions, rng)


class OwnMoves(NamedTuple):
    """The game's own policy, `rollout_action`; games without one play uniformly."""

    @inlined
    def action(self, game, s, work, rng):
        return game.rollout_action(s, work.actions, rng)


class MixedMoves(NamedTuple):
    """With probability epsilon a uniform move, else the game's own."""

    epsilon: float

    @inlined
    def action(self, game, s, work, rng):
        if uniform(rng) < self.epsilon:
            return game.random_action(s, work.actions, rng)
        return game.rollout_action(s, work.actions, rng)


@kernel
@inlined
def step(game, policy, s, work, rng):
    """One move of the policy, or one roll of the dice; False if the rules offer none."""
    player = game.current_player(s)
    if player == CHANCE:
        n = game.chance_outcomes(s, work.actions, work.chances)
        if n < 1 or n > work.actions.size:
            return False
        action = work.actions[sample(rng, work.chances, n)]
    else:
        action = policy.action(game, s, work, rng)
        if game.LISTS_MOVES and action < 0:
            return False
        work.trace.note(player, action)
    game.apply_action(s, action)
    return True


@kernel
@inlined
def gives_nothing(work):
    """The rules are broken: a value that is none ends the search, and the state shows the fault."""
    work.utilities[0] = np.nan
    return True


@kernel
@inlined
def play_out(game, policy, s, work, rng, longest):
    """Moves of the policy to the end of the game; its returns. False if it does not end."""
    plies = 0
    while not game.is_terminal(s):
        if plies > longest:
            return False
        if not step(game, policy, s, work, rng):
            return gives_nothing(work)
        plies += 1
    game.returns(s, work.utilities)
    return True


@registered
class Rollout(NamedTuple):
    """One game of uniformly random moves to the end."""

    @of_the_game
    def fitted(self, position: Position) -> EvaluateRule:
        if position.rules.plain:
            return PlainRollout()
        return WholeRollout() if "random_rollout" in hooks_of(position.game) else self

    @inlined
    def estimate(self, game, s, work, rng, longest):
        return play_out(game, UniformMoves(), s, work, rng, longest)


class WholeRollout(NamedTuple):
    """`Rollout` of a game that has `random_rollout`: the same game, unless somebody asks for its
    moves."""

    @inlined
    def estimate(self, game, s, work, rng, longest):
        if work.trace.is_kept():
            return play_out(game, UniformMoves(), s, work, rng, longest)
        if not game.is_terminal(s):
            game.random_rollout(s, work.actions, rng)
        game.returns(s, work.utilities)
        return True


class PlainRollout(NamedTuple):
    """`Rollout` of a plain Python game: one call for a whole game, whose states need not be kept.
    Where somebody asks for its moves it is the same game, move by move."""

    @inlined
    def estimate(self, game, s, work, rng, longest):
        if work.trace.is_kept():
            return play_noted(game, s, work, rng, longest)
        return game.random_game(s, work.utilities, rng, longest)


@kernel
def play_noted(game, s, work, rng, longest):
    """What ``game.random_game`` does, with the moves noted."""
    plies = 0
    while plies <= longest:
        game.draw(rng)
        for used in range(game.draws.size):
            if game.is_terminal(s):
                game.returns(s, work.utilities)
                return True
            if plies + used > longest:
                return False
            player, action = game.current_player(s), game.drawn_action(s, used)
            if player != CHANCE:
                work.trace.note(player, action)
            game.apply_action(s, action)
        plies += game.draws.size
    return False


@registered
class GameRollout(NamedTuple):
    """One game to the end by the game's own policy (captures and patterns in Go, say)."""

    @inlined
    def estimate(self, game, s, work, rng, longest):
        return play_out(game, OwnMoves(), s, work, rng, longest)


@registered
class EpsilonRollout(NamedTuple):
    """One game to the end: with probability epsilon a uniform move, else the game's own policy.

    Randomness keeps a policy that is always wrong in some position from being always wrong there.
    """

    epsilon: float = 0.1

    def problem(self) -> str | None:
        return epsilon_problem(self.epsilon)

    @of_the_game
    def refusal(self, position: Position, engine: MCTS) -> str | None:
        return lacks_hook("epsilon_rollout", position, "rollout_action", "rollout()")

    @inlined
    def estimate(self, game, s, work, rng, longest):
        return play_out(game, MixedMoves(self.epsilon), s, work, rng, longest)


def epsilon_problem(epsilon: float) -> str | None:
    if not 0 <= epsilon <= 1:
        return f"epsilon is a probability, from 0 to 1, not {epsilon:g}"
    return None


MOST_ENTRIES = 1 << 22
"""Players times distinct actions: more would be tables of more than 64 megabytes."""


class MastTable(NamedTuple):
    """Of each player and action: utilities of the simulations that contain it."""

    sums: Any  # [players, distinct_actions] f8
    counts: Any  # [players, distinct_actions] i8


@kernel
def add_moves(table, work):
    """Add the simulation to the averages of the moves in it, once each."""
    trace = work.trace
    for i in range(trace.length[0]):
        player, action = trace.players[i], trace.actions[i]
        if trace.first[player, action] < 0:
            trace.first[player, action] = i
            table.sums[player, action] += work.utilities[player]
            table.counts[player, action] += 1
    for i in range(trace.length[0]):
        trace.first[trace.players[i], trace.actions[i]] = -1


class MastMoves(NamedTuple):
    """With probability epsilon a uniform move, else the one with the best average so far."""

    epsilon: float

    def action(self, game, s, work, rng):
        if uniform(rng) < self.epsilon:
            return np.int64(game.random_action(s, work.actions, rng))
        table = work.memory.evaluate
        player = game.current_player(s)
        n = game.legal_actions(s, work.actions)
        if n < 1 or n > work.actions.size:
            return np.int64(-1)  # the rules are broken
        best, ties, pick = -1e300, 0, work.actions[0]
        for i in range(n):
            a = work.actions[i]
            if a < 0 or a >= table.counts.shape[1]:
                return np.int64(-1)
            count = table.counts[player, a]
            score = table.sums[player, a] / count if count > 0 else 1e300
            if score > best:
                best, ties, pick = score, 0, a
            if score == best:
                ties += 1
                if below(rng, ties) == 0:  # of k equal ones each stays with probability 1 / k
                    pick = a
        return np.int64(pick)


@registered
@constants(TRACE=True)
class Mast(NamedTuple):
    """One game to the end by the move-average sampling technique (Finnsson & Bjornsson 2008).

        Q(player, action) = mean utility of the player over all simulations that contain the action

    whether in the tree or after it, and however often in one simulation. With probability epsilon
    a move is uniform, else it has the highest Q; actions that have not occurred count as the best,
    and ties are broken at random. 0.4 after Tak, Winands & Bjornsson 2012, who found it better
    than Gibbs sampling.
    """

    epsilon: float = 0.4

    def problem(self) -> str | None:
        return epsilon_problem(self.epsilon)

    @of_the_game
    def refusal(self, position: Position, engine: MCTS) -> str | None:
        spec = position.rules.spec
        if spec.players * (spec.distinct_actions or spec.max_actions) > MOST_ENTRIES:
            return f"mast keeps a table of all actions, and {position.rules.name} has too many"
        return None

    def memory(self, spec: Spec, simulations: int | None) -> Any:
        shape = (spec.players, spec.distinct_actions or spec.max_actions)
        return MastTable(np.zeros(shape), np.zeros(shape, np.int64))

    @inlined
    def estimate(self, game, s, work, rng, longest):
        return play_out(game, MastMoves(self.epsilon), s, work, rng, longest)

    @inlined
    def after(self, tree, work, depth):
        add_moves(work.memory.evaluate, work)
