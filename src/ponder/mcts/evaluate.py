"""Evaluate rules (default policies): what is a leaf worth to each player?

A rule has ``evaluate(self, game, s, work, rng, longest)``: it writes one utility per player into
``work.utilities`` and may change the state s; False if the game outlasted `longest` more actions.
"""

from typing import NamedTuple

from ponder.core.game import CHANCE
from ponder.core.rng import sample
from ponder.jit import inlined, kernel


class UniformMoves(NamedTuple):
    """Every legal move is as likely as any other."""

    @inlined
    def action(self, game, s, actions, rng):
        return game.random_action(s, actions, rng)


class OwnMoves(NamedTuple):
    """The game's own policy, `rollout_action`; games without one play uniformly."""

    @inlined
    def action(self, game, s, actions, rng):
        return game.rollout_action(s, actions, rng)


@kernel
@inlined
def play_out(game, policy, s, actions, chances, utilities, rng, longest):
    """Moves of the policy to the end of the game; its returns. False if it does not end."""
    plies = 0
    while not game.is_terminal(s):
        if plies > longest:
            return False
        if game.current_player(s) == CHANCE:
            n = game.chance_outcomes(s, actions, chances)
            action = actions[sample(rng, chances, n)]
        else:
            action = policy.action(game, s, actions, rng)
        game.apply_action(s, action)
        plies += 1
    game.returns(s, utilities)
    return True


class Rollout(NamedTuple):
    """One game of uniformly random moves to the end (the Monte Carlo random walk)."""

    @inlined
    def evaluate(self, game, s, work, rng, longest):
        return play_out(
            game, UniformMoves(), s, work.actions, work.chances, work.utilities, rng, longest
        )


class GameRollout(NamedTuple):
    """One game to the end by the game's own policy (captures and patterns in Go, say)."""

    @inlined
    def evaluate(self, game, s, work, rng, longest):
        return play_out(
            game, OwnMoves(), s, work.actions, work.chances, work.utilities, rng, longest
        )
