"""Random games in which nobody overlooks a win, or hands one to the next player."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ponder.core.game import CHANCE, Spec
from ponder.core.position import Position
from ponder.core.rng import below
from ponder.jit import copy_record_from, inlined, kernel
from ponder.mcts.evaluate.rollout import play_out
from ponder.mcts.wins import KnownWins, new_trial, wins_of


@kernel
def is_safe(game, wins, action, states, trial):
    """Does the action, in states[1], neither lose at once nor let the next player win at once?"""
    mover = game.current_player(states[1])
    copy_record_from(trial.states, 0, states, 1)
    after = trial.states[0]
    game.apply_action(after, action)
    if game.is_terminal(after):
        game.returns(after, trial.utilities)
        return trial.utilities[mover] > wins.lowest
    following = game.current_player(after)
    if following == CHANCE:
        return True
    return following == mover or wins.find(game, trial.states, 0, trial) < 0


class DecisiveMoves(NamedTuple):
    """A win if there is one, else a random safe move, else any random move."""

    anti: bool
    wins: Any

    def action(self, game, s, work, rng):
        trial = work.memory.evaluate
        win = self.wins.find(game, work.states, 1, trial)
        if win >= 0:
            return win
        pick = np.int64(game.random_action(s, work.actions, rng))
        if pick < 0:
            return pick  # the rules are broken
        if not self.anti or is_safe(game, self.wins, pick, work.states, trial):
            return pick
        n = game.legal_actions(s, work.actions)
        for i in range(n):
            j = i + below(rng, n - i)
            a = work.actions[j]
            work.actions[j] = work.actions[i]
            work.actions[i] = a
            if is_safe(game, self.wins, np.int64(a), work.states, trial):
                return np.int64(a)
        return pick


class Decisive(NamedTuple):
    """One random game to the end with decisive and anti-decisive moves (Teytaud & Teytaud 2010).

    A move that wins at once (the game ends with the highest utility of its range) is played; else,
    unless `anti` is False, a uniform one of the moves after which the next player cannot win at
    once; else any. Games tell winning moves by the hook `winning_action`; for others all legal
    moves are tried out, which costs as many times more as there are moves.
    """

    anti: bool = True

    def fitted(self, position: Position) -> Any:
        return FittedDecisive(self.anti, wins_of(position))

    @inlined
    def estimate(self, game, s, work, rng, longest):
        return play_out(game, DecisiveMoves(self.anti, KnownWins(0.0)), s, work, rng, longest)


class FittedDecisive(NamedTuple):
    """`Decisive` with the way in which this game's wins are found."""

    anti: bool
    wins: Any

    def memory(self, spec: Spec, simulations: int | None) -> Any:
        return new_trial(spec)

    @inlined
    def estimate(self, game, s, work, rng, longest):
        return play_out(game, DecisiveMoves(self.anti, self.wins), s, work, rng, longest)
