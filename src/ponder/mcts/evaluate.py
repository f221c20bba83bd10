"""Evaluate rules (default policies): what is a leaf worth to each player?

A rule has ``evaluate(self, game, s, work, rng, longest)``: it writes one utility per player into
``work.utilities`` and may change the state s; False if the game outlasted `longest` more actions.
"""

from typing import NamedTuple

from ponder.core.game import CHANCE
from ponder.core.rng import sample
from ponder.jit import inlined, kernel


@kernel
@inlined
def play_out(game, s, actions, chances, utilities, rng, longest):
    """Uniformly random moves to the end of the game; its returns. False if it does not end."""
    plies = 0
    while not game.is_terminal(s):
        if plies > longest:
            return False
        if game.current_player(s) == CHANCE:
            n = game.chance_outcomes(s, actions, chances)
            action = actions[sample(rng, chances, n)]
        else:
            action = game.random_action(s, actions, rng)
        game.apply_action(s, action)
        plies += 1
    game.returns(s, utilities)
    return True


class Rollout(NamedTuple):
    """One game of uniformly random moves to the end (the Monte Carlo random walk)."""

    @inlined
    def evaluate(self, game, s, work, rng, longest):
        return play_out(game, s, work.actions, work.chances, work.utilities, rng, longest)
