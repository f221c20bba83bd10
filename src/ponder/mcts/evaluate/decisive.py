"""Wins at once: how they are found, and random games in which nobody overlooks one.

A way of finding them has

    find(self, game, states, k, trial)   an action with which the player to move in states[k] ends
                                         the game and gets the highest utility there is; -1 if
                                         there is none. Not for chance, nor for ended games

Winning moves are looked for so often that games may tell them themselves, by the hook
`winning_action`; in other games all legal moves are tried out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ponder.core.game import CHANCE, Spec, hooks_of, new_list, new_states
from ponder.core.making import registered
from ponder.core.position import Position
from ponder.core.rng import below
from ponder.jit import copy_record_from, inlined, kernel
from ponder.mcts.defaults import of_the_game
from ponder.mcts.evaluate.rollout import play_out

if TYPE_CHECKING:
    from ponder.mcts.protocols import EvaluateRule


class Trial(NamedTuple):
    """Where moves are tried out."""

    states: Any  # [2] the game's records: 0 after the own move, 1 after a further one
    actions: Any  # [max_actions] i4
    utilities: Any  # [players] f8

    def for_thread(self) -> Trial:
        return Trial(*(array.copy() for array in self))


def new_trial(spec: Spec) -> Trial:
    return Trial(new_states(spec.state, 2), new_list(spec, np.int32), np.zeros(spec.players))


class NoWins(NamedTuple):
    """Nobody looks."""

    @inlined
    def find(self, game, states, k, trial):
        return np.int64(-1)


class KnownWins(NamedTuple):
    """The game tells its winning moves."""

    lowest: float

    @inlined
    def find(self, game, states, k, trial):
        return np.int64(game.winning_action(states[k], trial.actions))


class TriedWins(NamedTuple):
    """Every legal move is tried out: does it end the game with the highest utility there is?"""

    lowest: float
    highest: float

    def find(self, game, states, k, trial):
        player = game.current_player(states[k])
        n = min(game.legal_actions(states[k], trial.actions), trial.actions.size)
        for i in range(n):
            copy_record_from(trial.states, 1, states, k)
            after = trial.states[1]
            game.apply_action(after, trial.actions[i])
            if game.is_terminal(after):
                game.returns(after, trial.utilities)
                if trial.utilities[player] >= self.highest:
                    return np.int64(trial.actions[i])
        return np.int64(-1)


def tells_wins(position: Position) -> bool:
    """Does the game know its winning moves by itself?"""
    return "winning_action" in hooks_of(position.game)


def wins_of(position: Position) -> Any:
    """How wins at once are found in this game."""
    spec = position.rules.spec
    lowest, highest = float(spec.lowest), float(spec.highest)
    return KnownWins(lowest) if tells_wins(position) else TriedWins(lowest, highest)


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


@registered
class Decisive(NamedTuple):
    """One random game to the end with decisive and anti-decisive moves (Teytaud & Teytaud 2010).

    A move that wins at once (the game ends with the highest utility of its range) is played; else,
    unless `anti` is False, a uniform one of the moves after which the next player cannot win at
    once; else any. Games tell winning moves by the hook `winning_action`; for others all legal
    moves are tried out, which costs as many times more as there are moves.
    """

    anti: bool = True

    @of_the_game
    def fitted(self, position: Position) -> EvaluateRule:
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
