"""Limits: when a search has to end. All that are given hold; the first one reached ends it."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, TypedDict

from ponder.core.parts import MOST_WHOLE
from ponder.errors import InputError, quoted

DEFAULT_SECONDS = 1.0
"""What a search gets when nobody says anything."""
MOST_MEMORY = 10**9
"""Megabytes: a petabyte, which no machine has."""


class LimitsByName(TypedDict, total=False):
    """The fields of `Limit` as keywords."""

    seconds: float | None
    simulations: int | None
    nodes: int | None
    depth: int | None
    memory: float | None


@dataclass(frozen=True)
class Limit:
    """Seconds of wall-clock time, simulations, nodes, plies of depth, megabytes of tree."""

    seconds: float | None = None
    simulations: int | None = None
    nodes: int | None = None
    depth: int | None = None
    memory: float | None = None

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if value is not None:
                object.__setattr__(self, name, _positive(name, value))

    @classmethod
    def whole_moves(cls, moves: int, players: int = 2) -> Limit:
        """So many whole moves deep: a move is one ply of every player.

        As some lectures count depth: it is taken off at the last player's turn, so that 4 moves of
        two players are 8 plies.
        """
        return cls(depth=_positive("depth", moves) * players)

    def over(self, other: Limit) -> Limit:
        """These limits, with what is missing taken from `other`.

        An amount of work given here (seconds, simulations, nodes, depth) replaces all of
        `other`'s; the memory cap is taken separately.
        """
        source = other if self.is_empty else self
        memory = other.memory if self.memory is None else self.memory
        if memory == source.memory:
            return source
        return replace(source, memory=memory)

    @property
    def is_empty(self) -> bool:
        """No amount of work is given (a memory cap alone is none)."""
        return (self.seconds, self.simulations, self.nodes, self.depth) == (None,) * 4


UNLIMITED = Limit()


def merged(given: Limit | None, own: Limit, **by_name: Any) -> Limit:
    """The limits of one search: what it is given, as a whole or by name, over the engine's own."""
    if given is not None and not isinstance(given, Limit):
        raise InputError(f"limits are given as Limit(seconds=1) or by name, not as {quoted(given)}")
    return (given or Limit(**by_name)).over(own)


def limit_problem(engine: Any) -> str | None:
    """A sentence if one of the engine's own limits cannot be one."""
    try:
        own_limit(engine)
    except InputError as error:
        return str(error)
    return None


def own_limit(engine: Any) -> Limit:
    """What the engine's fields of these names say (`seconds`, `depth` ...), those that it has."""
    return Limit(**{name: getattr(engine, name, None) for name in Limit.__dataclass_fields__})


def _positive(name: str, value: Any) -> Any:
    whole = name in ("simulations", "nodes", "depth")
    kind = "a whole number above 0" if whole else "a number above 0"
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InputError(f"{name} must be {kind}, not {quoted(value)}")
    broken = isinstance(value, float) and (math.isnan(value) or (whole and not value.is_integer()))
    if broken or value <= 0:
        raise InputError(f"{name} must be {kind}, not {quoted(value)}")
    if whole and value > MOST_WHOLE:
        raise InputError(f"{name} must be at most {MOST_WHOLE}")
    if name == "memory" and value > MOST_MEMORY:
        raise InputError(f"memory must be at most {MOST_MEMORY:,} (megabytes), not {quoted(value)}")
    return int(value) if whole else float(value)
