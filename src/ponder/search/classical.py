"""Minimax, expectiminimax, max^n, paranoid and best-reply search: started, or searched at once."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from threading import Event
from typing import Any

from ponder.core.driver import Progress
from ponder.core.history import History
from ponder.core.limits import DEFAULT_SECONDS, Limit, merged, own_limit
from ponder.core.parts import canonical
from ponder.core.position import Position, check_searchable
from ponder.core.result import SearchResult
from ponder.errors import InputError
from ponder.search.method import SearchMethod
from ponder.search.searcher import searcher_for
from ponder.search.session import ClassicalSession, searched


def start_classically(
    engine: Any,
    method: SearchMethod,
    position: Position,
    *,
    depth: int | None = None,
    memory: float | None = None,
    seed: int | None = None,
) -> ClassicalSession:
    """A search of the engine in progress.

    `depth` is announced: a search that shallow depths do not help goes straight there.
    """
    given = Limit(depth=depth, memory=memory)
    own = limits_of(engine, method, memory=memory)
    check_searchable(position, chance=method.chance)
    engine = canonical(engine)
    alone = own.depth if own.seconds is None and own.nodes is None else None
    inner, memory = position.for_kernels(), given.memory or own.memory
    seed = secrets.randbits(32) if seed is None else seed
    history = History(position, engine, seed, memory=memory, depth=given.depth or alone)
    return ClassicalSession(
        history, lambda trace: searcher_for(engine, method, inner, memory, trace)
    )


def search_classically(
    engine: Any,
    method: SearchMethod,
    position: Position,
    limit: Limit | None = None,
    *,
    seed: int | None = None,
    stop: Event | None = None,
    progress: Callable[[Progress], None] | None = None,
    **limits: Any,
) -> SearchResult:
    """Search deeper and deeper until a limit is reached, the game's end, or stopped.

    `limits` are fields of `Limit` by name, where no `limit` is given.

    A search limited by depth alone goes straight there, unless shallow searches help the deep one
    to prune. A stop returns what the last finished depth found.
    """
    limit = limits_of(engine, method, limit, **limits)
    alone = limit.depth if limit.seconds is None and limit.nodes is None else None
    session = start_classically(
        engine, method, position, depth=alone, memory=limit.memory, seed=seed
    )
    return searched(session, limit, stop, progress)


def limits_of(
    engine: Any, method: SearchMethod, limit: Limit | None = None, **by_name: Any
) -> Limit:
    """The limits given, else the engine's own, else the default time."""
    chosen = merged(limit, own_limit(engine), **by_name)
    if chosen.simulations or (chosen.memory and not method.table):
        raise InputError(f"{method.name} is limited by {', '.join(limit_names(method))}")
    return Limit(seconds=DEFAULT_SECONDS, memory=chosen.memory) if chosen.is_empty else chosen


def limit_names(method: SearchMethod) -> tuple[str, ...]:
    return (
        ("depth", "nodes", "seconds", "memory") if method.table else ("depth", "nodes", "seconds")
    )
