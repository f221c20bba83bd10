"""A small search here and now: a session, a driver and a clock would take longer than it does."""

from __future__ import annotations

import time
from typing import Any

from ponder.core.engine import SearchOptions, SessionOptions
from ponder.core.limits import Limit, StopReason
from ponder.core.parts import is_ours
from ponder.core.position import Position
from ponder.core.result import SearchResult
from ponder.core.tiers import is_attended
from ponder.jit import COMPILED
from ponder.mcts.report import report
from ponder.mcts.run import CompiledRun
from ponder.mcts.session import DEFAULT_MEMORY, run_kind

MOST = 1000
"""Simulations of a small search."""
SOON = 0.02
"""Seconds that it may take, as the last small search of the kind foretells, or one simulation."""


def searched_small(
    engine: Any, position: Position, limit: Limit, options: SearchOptions
) -> SearchResult | None:
    """The whole search; None where it takes longer, or somebody has to look after it.

    Nobody hears Ctrl-C meanwhile, and rules of the user's may never return: so these are not
    searched here, nor is anything in plain Python.
    """
    n = limit.simulations
    if n is None or n > MOST or limit.seconds is not None or not COMPILED or is_attended():
        return None
    if not is_ours(type(position.game)) or run_kind(engine, position) is not CompiledRun:
        return None
    if hasattr(engine.decide, "agreed"):  # which may want more than the limit
        return None
    wanted = SessionOptions(options.get("seed"), limit, options.get("moves"), options.get("tree"))
    history = engine.history(position, wanted)
    tree: Any = wanted.tree
    run = CompiledRun(
        position,
        engine,
        history.seed,
        limit.memory or DEFAULT_MEMORY,
        n,
        moves=history.moves,
        tree=tree,
    )
    known = run.assembly.pace
    if known is not None and known * n > SOON:
        run.assembly.pace = None  # the machine may have been busy: the next one is measured again
        return None
    run.prepare()
    began, assembly = time.perf_counter(), run.assembly
    if assembly.pace is None:  # nothing is known of this game: how long does one take?
        run.advance(1)
        assembly.pace = time.perf_counter() - began
        if assembly.pace * n > SOON:
            return None
    if run.ended is None:
        run.advance(n - run.done)
    seconds = time.perf_counter() - began
    assembly.pace = seconds / max(run.done, 1)
    reason: StopReason = run.ended or "simulations"
    return report(run, seconds, reason)
