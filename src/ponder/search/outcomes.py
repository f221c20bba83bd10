"""Where chance moves at the root: what every outcome is worth, and the expectation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ponder.core.limits import StopReason
from ponder.core.registry import part_text
from ponder.core.result import OutcomeRow, SearchResult, players_shown
from ponder.search.method import DepthResult


def outcomes_found(searcher: Any, reason: StopReason, seconds: float, seed: int) -> SearchResult:
    """What a search of the minimax family has found before the dice fall.

    The expectation is that of the outcomes of which something is known.
    """
    position, found = searcher.position, searcher.found or searcher.unfinished()
    known = {} if found is None else found.rows
    vector, notes, rows = searcher.method.vector, list[str](), []
    for action, probability in position.chance_outcomes:
        worth = known.get(action)
        values = tuple(worth) if worth and vector and players_shown(position) else None
        value = worth[0] if worth and vector else worth
        rows.append(OutcomeRow(action, probability, 0, value, values, position))
    if len(known) < len(rows):
        notes.append("stopped before all outcomes were searched")
    weight = sum(row.probability for row in rows if row.action in known) or 1.0

    def mean(of: Mapping[Any, float]) -> float:
        total = sum(row.probability * of[row.action] for row in rows if row.action in of)
        return total / weight + 0.0

    if vector:
        players = range(position.players)
        average: Any = tuple(mean({a: worth[p] for a, worth in known.items()}) for p in players)
    else:
        average = mean(known)
    values = searcher.all_values(DepthResult(average, (), known, False), notes)
    return SearchResult(
        position=position,
        engine=part_text(searcher.engine),
        action=None,
        value=values[0],
        values=values,
        line=(),
        moves=(),
        outcomes=tuple(rows),
        seconds=seconds,
        stopped_by=reason,
        seed=seed,
        depth=searcher.finished,
        deepest=searcher.deepest,
        nodes=searcher.nodes,
        memory=searcher.memory,
        notes=tuple(notes),
    )
