"""Random games to the end (the Monte Carlo random walk), and policies to play them by.

A policy is a NamedTuple with ``action(self, game, s, work, rng)``: the move of the player in turn.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ponder.core.game import CHANCE, hooks_of
from ponder.core.position import Position
from ponder.core.rng import sample, uniform
from ponder.jit import inlined, kernel


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


class Rollout(NamedTuple):
    """One game of uniformly random moves to the end."""

    def fitted(self, position: Position) -> Any:
        return PlainRollout() if position.rules.plain else self

    @inlined
    def estimate(self, game, s, work, rng, longest):
        return play_out(game, UniformMoves(), s, work, rng, longest)


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


class GameRollout(NamedTuple):
    """One game to the end by the game's own policy (captures and patterns in Go, say)."""

    @inlined
    def estimate(self, game, s, work, rng, longest):
        return play_out(game, OwnMoves(), s, work, rng, longest)


class EpsilonRollout(NamedTuple):
    """One game to the end: with probability epsilon a uniform move, else the game's own policy.

    Randomness keeps a policy that is always wrong in some position from being always wrong there.
    """

    epsilon: float = 0.1

    def problem(self) -> str | None:
        return epsilon_problem(self.epsilon)

    def refusal(self, position: Position, engine: Any) -> str | None:
        return lacks_hook("epsilon_rollout", position, "rollout_action", "rollout()")

    @inlined
    def estimate(self, game, s, work, rng, longest):
        return play_out(game, MixedMoves(self.epsilon), s, work, rng, longest)


def epsilon_problem(epsilon: float) -> str | None:
    if not 0 <= epsilon <= 1:
        return f"epsilon is a probability, from 0 to 1, not {epsilon:g}"
    return None


def lacks_hook(rule: str, position: Position, hook: str, instead: str) -> str | None:
    """A sentence if the game does not have the hook that the rule calls."""
    if hook in hooks_of(position.game):
        return None
    return f"{rule} needs a game with {hook}, which {position.rules.name} lacks: use {instead}"
