"""Limits: when a search has to end. All that are given hold; the first one reached ends it."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Literal, Protocol, TypedDict

from ponder.core.parts import MOST_WHOLE
from ponder.core.registry import part_text
from ponder.errors import InputError, quoted

StopReason = Literal[
    "seconds",
    "simulations",
    "nodes",
    "depth",
    "memory",
    "solved",
    "visits",
    "stop",
    "interrupt",
    "book",
]
"""What ended a search: a limit, the search itself (solved, visits), somebody, a book's answer."""

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
        if other is UNLIMITED:
            return self
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
LIMITS = tuple(Limit.__dataclass_fields__)
"""The names of all limits, in the order in which they are listed for people."""
WORK = LIMITS[:-1]
"""Those that say how much work a search may take: all but memory."""


class HasLimit(Protocol):
    """What has a limit of its own."""

    @property
    def limit(self) -> Limit: ...


class Obeying(Protocol):
    """What says which limits it obeys."""

    @property
    def limits(self) -> frozenset[str]: ...


class Limited(HasLimit, Protocol):
    """An engine, as far as limits are concerned."""

    @property
    def traits(self) -> Obeying: ...


def merged_limit(given: Limit | None, by_name: dict[str, Any], engine: Limited) -> Limit:
    """The limit of one search: what it is given, as a whole or by name, over the engine's own.

    The only place where limits are merged. A limit that the engine does not obey is refused.
    """
    if given is None:
        if not by_name:
            return engine.limit
        given = limit_by_name(by_name)
    elif not isinstance(given, Limit):
        raise InputError(f"limits are given as Limit(seconds=1) or by name, not as {quoted(given)}")
    obeyed = engine.traits.limits
    for limit, value in given.__dict__.items():
        if value is not None and limit not in obeyed:
            name = part_text(engine).partition("(")[0]
            raise InputError(
                f"{name} is limited by {listed_limits(obeyed)}; {limit} is a limit of other engines"
            )
    return given.over(engine.limit)


def limit_by_name(by_name: dict[str, Any]) -> Limit:
    """The limit with these fields; one object for equal ones."""
    try:
        return limit_of_fields(**by_name)
    except TypeError:  # what has no hash is no number: refused in words
        return Limit(**by_name)


def listed_limits(names: Collection[str]) -> str:
    """The names of limits as a list for people: seconds, simulations and memory."""
    *most, last = [name for name in LIMITS if name in names]
    return f"{', '.join(most)} and {last}" if most else last


@lru_cache(maxsize=256, typed=True)  # typed: True must not pass for 1
def limit_of_fields(
    seconds: float | None = None,
    simulations: int | None = None,
    nodes: int | None = None,
    depth: int | None = None,
    memory: float | None = None,
) -> Limit:
    """The limit that an engine's own fields make; one object for equal fields."""
    made = Limit(seconds, simulations, nodes, depth, memory)
    return UNLIMITED if made == UNLIMITED else made


def limit_problem(engine: HasLimit) -> str | None:
    """A sentence if one of the engine's own limits cannot be one."""
    try:
        _ = engine.limit
    except InputError as error:
        return str(error)
    return None


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
