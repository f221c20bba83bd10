"""Rules of a compiled game, one state at a time: what `Position` and the commands call.

The kernels here are thin: each is compiled once per game and kept on disk.
"""

from __future__ import annotations

import contextlib
import math
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ponder.core.game import (
    CHANCE,
    Spec,
    hooks_of,
    new_list,
    new_states,
    rules_of,
    spec_problems,
)
from ponder.core.interrupt import insisting
from ponder.core.parts import is_ours
from ponder.core.twin import PlainAtFirst, told, told_by_twin
from ponder.errors import GameError, PonderError
from ponder.jit import BOUNDS_CHECKED, COMPILED, compile_error, kernel, raise_kept

TERMINAL = -4
"""'Player' of a finished game (OpenSpiel's number)."""


class Facts(NamedTuple):
    """All that the rules say of one state."""

    player: int
    """0, 1, 2 ..., CHANCE or TERMINAL."""
    actions: tuple[Any, ...]
    """Legal actions, or outcomes at a chance node; none at the end. Numbers of compiled games,
    with which code for these counts: to people they are of the type `Action`."""
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


def facts_problem(facts: Facts, spec: Spec) -> str | None:
    """A sentence if the facts of a state are not what the spec promises."""
    if facts.player == TERMINAL:
        return utilities_problem("returns", facts.returns, spec.lowest, spec.highest)
    if not CHANCE <= facts.player < spec.players:
        return (
            f"current_player gave {facts.player}, accepted: 0 to {spec.players - 1} "
            f"and CHANCE ({CHANCE})"
        )
    if not facts.actions:
        what = "outcomes" if facts.player == CHANCE else "legal actions"
        return f"there are no {what} in a state that is not terminal"
    most = spec.distinct_actions or spec.max_actions
    if min(facts.actions) < 0 or max(facts.actions) >= most:
        wrong = next(a for a in facts.actions if not 0 <= a < most)
        return f"action {wrong} is outside 0 .. {most - 1} (distinct_actions)"
    return chances_problem(facts.chances) if facts.player == CHANCE else None


def utilities_problem(
    method: str, utilities: tuple[float, ...], lowest: float, highest: float
) -> str | None:
    """A sentence if one of the utilities that the method gave is none of the declared range."""
    for player, utility in enumerate(utilities):
        if math.isnan(utility):
            return f"{method} gives player {player} nothing, or nan"
        if not lowest - ROUNDING <= utility <= highest + ROUNDING:
            return f"{method} gives player {player} {utility:g}, outside [{lowest:g}, {highest:g}]"
    return None


def chances_problem(chances: tuple[float, ...]) -> str | None:
    """A sentence if these are not the probabilities of all that can happen."""
    if not all(p >= 0 for p in chances):  # false for nan, too
        return f"a probability is negative or nan: {chances}"
    total = math.fsum(chances)
    if not math.isclose(total, 1.0, abs_tol=1e-6):
        return f"the probabilities add up to {total:g}, not 1"
    return None


ROUNDING = 1e-9
"""By how much a utility may miss the declared range."""


class RulesRaised(GameError):
    """The rules of a game raised an error: `ponder.core.faults.traced` tells after which moves."""


class CompiledRules:
    """The rules of a compiled game on copies of its records. States are arrays of one record."""

    compiled = True
    plain = False
    full = False
    """See `GraphRules`: states of compiled games are kept nowhere."""

    def __init__(self, game: Any, plain_at_first: bool = False) -> None:
        self.game = game
        self.name = type(game).__name__
        self._run = PlainAtFirst() if plain_at_first else PlainAtFirst(0.0)
        try:
            self.part = rules_of(game)
            self.spec: Spec = game.spec()
        except PonderError:
            raise
        except Exception as error:  # plain Python, called before anything is compiled
            raise GameError(f"{self.name} cannot be made: {told(error)}") from error
        for problem in spec_problems(self.spec):
            raise GameError(f"the spec of {self.name} is wrong: {problem}")
        self.players, self.zero_sum = self.spec.players, bool(self.spec.zero_sum)
        self.utilities = float(self.spec.lowest), float(self.spec.highest)
        self._no_chances = new_list(self.spec, np.float64)
        self._no_returns = np.full(self.players, np.nan)

    @cached_property
    def has_dice(self) -> bool:
        """May chance move in this game?"""
        return "chance_outcomes" in hooks_of(self.game)

    @cached_property
    def own_key(self) -> bool:
        return "key" in hooks_of(self.game)

    def start(self) -> Any:
        states = new_states(self.spec.state, 1)
        self._call(_start, states)
        return states

    def facts(self, states: Any) -> Facts:
        """What the rules say of a state; GameError where that breaks their contract."""
        found = self.told(states)
        problem = facts_problem(found, self.spec)
        if problem:
            raise GameError(f"the rules of {self.name} break their contract: {problem}")
        return found

    def told(self, states: Any) -> Facts:
        """The same, whatever it is."""
        spec = self.spec
        actions, utilities = new_list(spec, np.int32), self._no_returns.copy()
        chances = new_list(spec, np.float64) if self.has_dice else self._no_chances
        player, n = self._call(_describe, states, actions, chances, utilities)
        if player == TERMINAL:
            return Facts(TERMINAL, (), (), tuple(utilities.tolist()))
        if n > spec.max_actions:
            raise GameError(
                f"the rules of {self.name} break their contract: there are {n} actions, "
                f"max_actions is {spec.max_actions}"
            )
        given = tuple(chances[:n].tolist()) if player == CHANCE else ()
        return Facts(player, tuple(actions[: max(n, 0)].tolist()), given, ())

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
        before = tuple(map(_copied, args)) if BOUNDS_CHECKED else ()
        try:
            with patience(self.game):
                return guarded(self.name, self._run, function, self.part, *args)
        except RulesRaised:
            said = told_by_twin(function, self.part, before) if before else ""
            if not said:
                raise
            raise RulesRaised(f"the rules of {self.name} break their contract: {said}") from None


_TRUSTED = contextlib.nullcontext()


def patience(game: Any) -> contextlib.AbstractContextManager[None]:
    """The block to call kernels of this game in: rules of the user's may never return, ours do."""
    return _TRUSTED if is_ours(type(game)) else insisting()


def _copied(value: Any) -> Any:
    return value.copy() if isinstance(value, np.ndarray) else value


def guarded(name: str, function: Any, *args: Any) -> Any:
    """Call a kernel; what the game's own code raises becomes one line that names the game."""
    try:
        answer = function(*args)
        raise_kept()  # what the rules of a plain game have raised meanwhile
        return answer
    except (PonderError, MemoryError):
        raise
    except (Exception, SystemExit) as error:
        fault = compile_error(f"the game {name}", error)
        if fault is not None:
            raise fault from None
        # Machine code does not know its lines; `check` plays the same rules in plain Python.
        unknown = COMPILED and isinstance(error, IndexError)
        where = "; ponder check names method, line and moves" if unknown else ""
        raise RulesRaised(f"the rules of {name} raised {told(error)}{where}") from error
