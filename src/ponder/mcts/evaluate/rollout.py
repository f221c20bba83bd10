"""Random games to the end (the Monte Carlo random walk)."""

from typing import NamedTuple

from ponder.core.game import CHANCE
from ponder.core.rng import sample
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


@kernel
@inlined
def play_out(game, policy, s, work, rng, longest):
    """Moves of the policy to the end of the game; its returns. False if it does not end."""
    plies = 0
    while not game.is_terminal(s):
        if plies > longest:
            return False
        player = game.current_player(s)
        if player == CHANCE:
            n = game.chance_outcomes(s, work.actions, work.chances)
            action = work.actions[sample(rng, work.chances, n)]
        else:
            action = policy.action(game, s, work, rng)
            work.trace.note(player, action)
        game.apply_action(s, action)
        plies += 1
    game.returns(s, work.utilities)
    return True


class Rollout(NamedTuple):
    """One game of uniformly random moves to the end."""

    @inlined
    def estimate(self, game, s, work, rng, longest):
        return play_out(game, UniformMoves(), s, work, rng, longest)


class GameRollout(NamedTuple):
    """One game to the end by the game's own policy (captures and patterns in Go, say)."""

    @inlined
    def estimate(self, game, s, work, rng, longest):
        return play_out(game, OwnMoves(), s, work, rng, longest)
