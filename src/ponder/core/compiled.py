"""Rules of a compiled game, one state at a time: what `Position` and the commands call.

The kernels here are thin: each is compiled once per game and kept on disk.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ponder.core.game import CHANCE, Spec, hooks_of, new_states, rules_of
from ponder.errors import GameError, PonderError
from ponder.jit import compile_error, kernel, raise_kept

TERMINAL = -4
"""'Player' of a finished game (OpenSpiel's number)."""


class Facts(NamedTuple):
    """All that the rules say of one state."""

    player: int
    """0, 1, 2 ..., CHANCE or TERMINAL."""
    actions: tuple[Any, ...]
    """Legal actions, or outcomes at a chance node; none at the end."""
    chances: tuple[float, ...]
    """Probabilities of the outcomes; empty unless player is CHANCE."""
    returns: tuple[float, ...]
    """One utility per player; empty unless the game is over."""


@kernel
def _start(game, states):
    game.start(states[0])


@kernel
def _describe(game, states, actions, chances, utilities):
    s = states[0]
    if game.is_terminal(s):
        game.returns(s, utilities)
        return TERMINAL, 0
    player = int(game.current_player(s))
    if player == CHANCE:
        return player, int(game.chance_outcomes(s, actions, chances))
    return player, int(game.legal_actions(s, actions))


@kernel
def _advance(game, states, action):
    game.apply_action(states[0], action)


@kernel
def _key(game, states):
    return game.key(states[0])


@kernel
def _evaluate(game, states, utilities):
    game.evaluate(states[0], utilities)


class CompiledRules:
    """The rules of a compiled game on copies of its records. States are arrays of one record."""

    compiled = True
    plain = False

    def __init__(self, game: Any) -> None:
        self.game = game
        self.part = rules_of(game)
        self.spec: Spec = game.spec()
        self.name = type(game).__name__
        self.players = self.spec.players
        self.utilities = float(self.spec.lowest), float(self.spec.highest)

    @cached_property
    def own_key(self) -> bool:
        return "key" in hooks_of(self.game)

    def start(self) -> Any:
        states = new_states(self.spec.state, 1)
        self._call(_start, states)
        return states

    def facts(self, states: Any, spare: int = 1) -> Facts:
        """What the rules say of a state; `spare` places more than promised are kept for the
        actions, so that a game that exceeds its max_actions by so many is seen and does no harm.
        """
        spec = self.spec
        actions = np.zeros(spec.max_actions + spare, np.int32)
        chances = np.zeros(spec.max_actions + spare)
        utilities = np.zeros(spec.players)
        player, n = self._call(_describe, states, actions, chances, utilities)
        if player == TERMINAL:
            return Facts(TERMINAL, (), (), tuple(utilities.tolist()))
        if not 0 < n <= spec.max_actions:
            raise GameError(
                f"{self.name} gave {n} actions; its spec says 1 to {spec.max_actions} (max_actions)"
            )
        if not CHANCE <= player < spec.players:
            raise GameError(
                f"{self.name}.current_player gave {player}; "
                f"accepted are 0 to {spec.players - 1} and CHANCE ({CHANCE})"
            )
        given = tuple(chances[:n].tolist()) if player == CHANCE else ()
        return Facts(player, tuple(actions[:n].tolist()), given, ())

    def advance(self, states: Any, action: int) -> Any:
        after = states.copy()
        self._call(_advance, after, action)
        return after

    def key(self, states: Any) -> Any:
        """Equal for equal positions: the game's own key, else the bytes of the record."""
        return int(self._call(_key, states)) if self.own_key else states.tobytes()

    def evaluate(self, states: Any) -> tuple[float, ...]:
        utilities = np.zeros(self.spec.players)
        self._call(_evaluate, states, utilities)
        return tuple(utilities.tolist())

    def number_of(self, action: int) -> int:
        """The action as kernels know it: itself. (Those of plain Python games have numbers.)"""
        return action

    def action_of(self, number: int) -> int:
        return number

    def for_people(self, states: Any) -> tuple[Any, Any]:
        """The rules and the state that a position shown to people has: these."""
        return self, states

    @property
    def case(self) -> Any:
        """Equal for games whose kernels and scratch arrays are of the same kind and size."""
        return type(self.game), self.game

    def _call(self, function: Any, *args: Any) -> Any:
        return guarded(self.name, function, self.part, *args)


def guarded(name: str, function: Any, *args: Any) -> Any:
    """Call a kernel; what the game's own code raises becomes one line that names the game."""
    try:
        answer = function(*args)
        raise_kept()  # what the rules of a plain game have raised meanwhile
        return answer
    except (PonderError, MemoryError):
        raise
    except Exception as error:
        fault = compile_error(f"the game {name}", error)
        if fault is not None:
            raise fault from None
        raise GameError(f"the rules of {name} raised {type(error).__name__}: {error}") from error
