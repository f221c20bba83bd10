"""Where chance moves at the root: every outcome searched by itself, and the expectation."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import fields, replace
from threading import Event
from typing import Any

from ponder.core.driver import Progress
from ponder.core.limits import DEFAULT_SECONDS, Limit, merged
from ponder.core.parts import canonical
from ponder.core.position import Position, check_searchable
from ponder.core.registry import part_text
from ponder.core.result import OutcomeRow, SearchResult, expected, players_shown


def search_outcomes(
    engine: Any,
    position: Position,
    limit: Limit | None = None,
    *,
    seed: int | None = None,
    stop: Event | None = None,
    progress: Callable[[Progress], None] | None = None,
    **limits: Any,
) -> SearchResult:
    """What each outcome is worth to `engine`, as far as the limits go.

    Each is searched to the `depth` given; nodes and seconds are shared among them. `limits` are
    fields of `Limit` by name, where no `limit` is given.
    """
    check_searchable(position, chance=True)
    own = Limit(**{f.name: getattr(engine, f.name, None) for f in fields(Limit)})
    limit = merged(limit, own, **limits)
    if limit.is_empty:
        limit = replace(limit, seconds=DEFAULT_SECONDS)
    seed = secrets.randbits(32) if seed is None else seed
    spent, visited, found = 0.0, 0, []
    outcomes = position.chance_outcomes
    for i, (action, _) in enumerate(outcomes):
        after, left = position._after(action), len(outcomes) - i
        if after.is_terminal:
            found.append((after.returns, None))
            continue
        share = Limit(
            depth=limit.depth,
            nodes=None if limit.nodes is None else max(1, (limit.nodes - visited) // left),
            seconds=None if limit.seconds is None else max(1e-3, (limit.seconds - spent) / left),
            memory=limit.memory,
        )
        result = engine.search(after, share, seed=seed, stop=stop, progress=progress)
        spent, visited = spent + result.seconds, visited + (result.nodes or 0)
        found.append((result.values, result))
        if result.stopped_by in ("interrupt", "stop"):
            break
    return _told(engine, position, found, visited, spent, seed)


def _told(
    engine: Any, position: Position, found: list[Any], nodes: int, seconds: float, seed: int
) -> SearchResult:
    """The outcomes that were searched, and those that were not reached any more."""
    rows = []
    for i, (action, probability) in enumerate(position.chance_outcomes):
        values = found[i][0] if i < len(found) else None
        shown = values if players_shown(position) else None
        worth = None if values is None else values[0]
        rows.append(OutcomeRow(action, probability, 0, worth, shown, position))
    results = [result for _, result in found if result is not None]
    reasons = [r.stopped_by for r in results if r.stopped_by != "solved"]
    depths = [r.depth for r in results if r.depth is not None]
    farthest = [r.deepest for r in results if r.deepest is not None]
    weight = sum(row.probability for row in rows[: len(found)])
    known = tuple(
        sum(row.probability * values[p] for row, (values, _) in zip(rows, found, strict=False))
        / weight
        for p in range(position.players)
    )
    values = expected(rows, known)
    return SearchResult(
        position=position,
        engine=part_text(canonical(engine)),
        action=None,
        value=values[0],
        values=values,
        line=(),
        moves=(),
        outcomes=tuple(rows),
        seconds=seconds,
        stopped_by=reasons[-1] if reasons else "solved",
        seed=seed,
        depth=min(depths, default=None),
        deepest=1 + max(farthest) if farthest else None,
        nodes=nodes,
        notes=() if len(found) == len(rows) else ("stopped before all outcomes were searched",),
    )
