"""Rules that break their contract in the middle of a search: what is wrong, and after which moves.

Kernels only notice that something is wrong and stop. What it is, is found out here: the state in
question is looked at once more, one call at a time, and the moves that lead there are named.
"""

from __future__ import annotations

import contextlib
import random
import time
from collections.abc import Iterable
from typing import Any

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
        fault, more = found
        return GameError(f"{fault} ({_after(names + more)}{_seed(seed)})")
    name = position.rules.name
    return GameError(
        f"the rules of {name} break their contract {_after(names)} and then random moves"
        f"{_seed(seed)}: `ponder check` looks closer"
    )


def fault_at(position: Position, states: Any) -> GameError:
    """What is wrong in the last of these records, of which each follows the one before.

    The first one is the position's own.
    """
    here, actions = position, []
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
    return fault_after(position, actions)


def _random_fault(start: Position, rng: random.Random) -> tuple[GameError, list[str]] | None:
    """A fault of `start`, or else one that random games from there meet, and the moves to it."""
    until = time.perf_counter() + SECONDS
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


def _name(here: Position, action: Any) -> str:
    with contextlib.suppress(Exception):
        return here.action_name(action)
    return str(action)


def _after(names: list[str]) -> str:
    return f"after {' '.join(names)}" if names else "at the start"


def _seed(seed: int | None) -> str:
    return "" if seed is None else f", seed {seed}"
