"""Wins at once: has the player to move an action that ends the game as well as can be?

A way of finding them has

    find(self, game, states, k, trial)   an action with which the player to move in states[k] ends
                                         the game and gets the highest utility there is; -1 if
                                         there is none. Not for chance, nor for ended games

The move is looked for at so many places that games may tell it themselves, by the hook
`winning_action`; in other games all legal moves are tried out.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ponder.core.game import Spec, hooks_of, new_list, new_states
from ponder.core.position import Position
from ponder.jit import copy_record_from, inlined


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
