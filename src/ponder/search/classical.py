"""Minimax, expectiminimax, max^n, paranoid and best-reply search: what they have alike."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from threading import Event
from typing import Any

from ponder.core.driver import Progress
from ponder.core.history import History
from ponder.core.limits import DEFAULT_SECONDS, Limit, limit_problem, merged, own_limit
from ponder.core.parts import canonical
from ponder.core.position import Position, check_searchable
from ponder.core.result import SearchResult
from ponder.errors import InputError
from ponder.search.foresight import refuse_blind
from ponder.search.method import SearchMethod
from ponder.search.searcher import DEEPEST_SEARCH, no_chance, searcher_for
from ponder.search.session import ClassicalSession, searched


class ClassicalEngine:
    """An engine of the minimax family: a NamedTuple of its own fields comes before this class."""

    __slots__ = ()

    def problem(self) -> str | None:
        """A sentence if a parameter is not usable."""
        return limit_problem(self)

    def method(self, position: Position) -> SearchMethod:
        """What kind of search it is; refuses games that it is not for. Abstract."""
        raise NotImplementedError

    def refuse(self, position: Position, depth: int | None = None) -> None:
        """InputError if it cannot search here, to this depth; nothing is compiled."""
        self._for_kernels(position, depth or own_limit(self).depth)

    def _for_kernels(self, position: Position, depth: int | None) -> Position:
        """The position as kernels take it; refuses what this search is not for."""
        check_searchable(position, chance=True)
        method = self.method(position)
        if not method.chance and position.dice_ahead:
            raise no_chance(method, position)
        inner = position.for_kernels()
        refuse_blind(position, depth, min(inner.rules.spec.max_length, DEEPEST_SEARCH))
        return inner

    def start(
        self,
        position: Position,
        *,
        depth: int | None = None,
        memory: float | None = None,
        seed: int | None = None,
    ) -> ClassicalSession:
        """A search in progress.

        `depth` is announced: a search that shallow depths do not help goes straight there.
        """
        check_searchable(position, chance=True)
        method, given = self.method(position), Limit(depth=depth, memory=memory)
        own = limits_of(self, method, memory=memory)
        engine: Any = canonical(self)
        alone = own.depth if own.seconds is None and own.nodes is None else None
        inner = self._for_kernels(position, given.depth or alone)
        memory = given.memory or own.memory
        seed = secrets.randbits(32) if seed is None else seed
        history = History(position, engine, seed, memory=memory, depth=given.depth or alone)
        return ClassicalSession(
            history, lambda trace: searcher_for(engine, method, inner, memory, trace)
        )

    def search(
        self,
        position: Position,
        limit: Limit | None = None,
        *,
        depth: int | None = None,
        nodes: int | None = None,
        seconds: float | None = None,
        simulations: int | None = None,
        memory: float | None = None,
        seed: int | None = None,
        stop: Event | None = None,
        progress: Callable[[Progress], None] | None = None,
    ) -> SearchResult:
        """Search deeper and deeper until a limit is reached, the game's end, or stopped.

        A search limited by depth alone goes straight there, unless shallow searches help the deep
        one to prune. A stop returns what the last finished depth found. `simulations` are refused.
        """
        check_searchable(position, chance=True)
        by_name = {"depth": depth, "nodes": nodes, "seconds": seconds, "memory": memory}
        chosen = limits_of(self, self.method(position), limit, simulations=simulations, **by_name)
        alone = chosen.depth if chosen.seconds is None and chosen.nodes is None else None
        session = self.start(position, depth=alone, memory=chosen.memory, seed=seed)
        return searched(session, chosen, stop, progress)


def limits_of(
    engine: Any, method: SearchMethod, limit: Limit | None = None, **by_name: Any
) -> Limit:
    """The limits given, else the engine's own, else the default time."""
    chosen = merged(limit, own_limit(engine), **by_name)
    if chosen.simulations or (chosen.memory and not method.table):
        names = ("depth", "nodes", "seconds", *(("memory",) if method.table else ()))
        raise InputError(f"{method.name} is limited by {', '.join(names)}")
    return Limit(seconds=DEFAULT_SECONDS, memory=chosen.memory) if chosen.is_empty else chosen
