"""Rules that break their contract in the middle of a search: what is wrong, and after which moves.

Kernels only notice that something is wrong and stop. What it is, is found out here: the state in
question is looked at once more, one call at a time, and the moves that lead there are named.
"""

from __future__ import annotations

import contextlib
import random
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NoReturn

from ponder.core.compiled import RulesRaised
from ponder.core.game import CHANCE
from ponder.core.position import Position
from ponder.errors import GameError

SECONDS = 1.0
"""How long random games are played to find the moves of a fault that random moves have met."""


def fault_after(position: Position, actions: Iterable[Any], seed: int | None = None) -> GameError:
    """What is wrong somewhere after these actions: there, or in random games from there on."""
    here, names = position, list(position.history_names)
    for action in actions:
        names.append(_name(here, action))
        here = here._after(action)
    found = _random_fault(here, random.Random(seed))
    if found is not None:
        return _told(found[0], names + found[1], seed)
    name = position.rules.name
    return GameError(
        f"the rules of {name} break their contract {_after(names)} and then random moves"
        f"{_seed(seed)}: `ponder check` looks closer"
    )


def fault_at(position: Position, states: Any) -> GameError:
    """What is wrong in the last of these records, of which each follows the one before.

    The first one is the position's own.
    """
    return fault_after(position, actions_along(position, states))


def actions_along(position: Position, states: Any) -> list[Any]:
    """The actions that lead from the position to the first of these records, from there to the
    second ..., as far as they do."""
    here, actions = position, list[Any]()
    with contextlib.suppress(GameError):  # in the last of them, say
        for i in range(1, len(states)):
            wanted = states[i : i + 1].tobytes()
            for action in here.legal_actions:
                after = here._after(action)
                if after.raw_state.tobytes() == wanted:
                    actions.append(action)
                    here = after
                    break
            else:
                break  # a null move, say: no action leads on
    return actions


@contextlib.contextmanager
def traced(
    position: Position, line: Callable[[], Sequence[Any]], seed: int | None = None
) -> Iterator[None]:
    """Inside the block, what the rules raise is told with the moves that lead there.

    `line`: the actions that the search was looking at, from the position on, as far as is known.
    """
    try:
        yield
    except RulesRaised as error:
        raise_told(error, position, line, seed)


def raise_told(
    error: RulesRaised,
    position: Position,
    line: Callable[[], Sequence[Any]],
    seed: int | None = None,
) -> NoReturn:
    """Raise what the rules have raised in a search, told with the moves that lead there."""
    if position.rules.plain or not position.rules.compiled:
        raise error  # their own Python has told the line
    raise _fault_along(position, line(), seed) or error from None


def _fault_along(position: Position, line: Sequence[Any], seed: int | None) -> GameError | None:
    """What the rules raise at the positions along a line, or one action beside it, or in random
    games from there; None if they do not."""
    here, names = position, list(position.history_names)
    places = [(here, names)]
    for action in line:
        try:
            names, here = [*names, _name(here, action)], here._after(action)
            places.append((here, names))
        except GameError as error:
            return _told(error, names, seed)
    until = time.perf_counter() + SECONDS
    for here, names in reversed(places):
        more = list[str]()
        try:
            for action in here.legal_actions:
                more = [_name(here, action)]
                _ = here._after(action).facts
                if time.perf_counter() > until:
                    break
            more = []
        except GameError as error:
            return _told(error, names + more, seed)
    rng = random.Random(seed)
    for here, names in reversed(places):
        found = _random_fault(here, rng, SECONDS / len(places))
        if found is not None:
            return _told(found[0], names + found[1], seed)
    return None


def _random_fault(
    start: Position, rng: random.Random, seconds: float = SECONDS
) -> tuple[GameError, list[str]] | None:
    """A fault of `start`, or else one that random games from there meet, and the moves to it."""
    until = time.perf_counter() + seconds
    while time.perf_counter() < until:
        here, names = start, list[str]()
        try:
            while not here.is_terminal and time.perf_counter() < until:
                weights = here.facts.chances if here.current_player == CHANCE else None
                action = rng.choices(here.legal_actions, weights)[0]
                names.append(_name(here, action))
                here = here._after(action)
        except GameError as error:
            return error, names
    return None


def _told(fault: GameError, names: list[str], seed: int | None) -> GameError:
    return GameError(f"{fault} ({_after(names)}{_seed(seed)})")


def _name(here: Position, action: Any) -> str:
    with contextlib.suppress(Exception):
        return here.action_name(action)
    return str(action)


def _after(names: list[str]) -> str:
    return f"after {' '.join(names)}" if names else "at the start"


def _seed(seed: int | None) -> str:
    return "" if seed is None else f", seed {seed}"
