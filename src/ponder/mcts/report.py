"""What a search in progress, or a finished one, has found."""

from __future__ import annotations

from typing import Any

import numpy as np

from ponder.core.registry import part_text
from ponder.core.result import MoveRow, SearchResult
from ponder.mcts.decide import decide
from ponder.mcts.parts import needs_of
from ponder.mcts.tree import ROOT
from ponder.mcts.view import SearchTree, most_visited_line


def root_rows(run: Any) -> list[MoveRow]:
    """One row a root move, in the game's order of moves; values as the backup rule sees them."""
    position, children = run.position, run.store.children(ROOT)
    backup, tree = run.parts.backup, run.store.tree
    own, proves = has_own_values(run), "low" in children.dtype.names
    first, mover = int(tree.nodes[ROOT].first), position.current_player
    columns = (children[name].tolist() for name in ("action", "visits", "value"))
    rows = []
    for i, (number, visits, value, squares) in enumerate(
        zip(*columns, run.work.squares[: len(children)].tolist(), strict=True)
    ):
        action, mean, spread, low, high = run.action(ROOT, number), None, None, None, None
        if visits:
            mean = value / visits
            spread = max(0.0, squares / visits - mean * mean) ** 0.5
            if own:
                mean = float(backup.worth(tree, first + i, 1.0 / visits))
        if proves:
            low, high = float(children[i].low[mover]), float(children[i].high[mover])
            mean = None if mean is None else min(max(mean, low), high)
        name = position.action_name(action)
        rows.append(MoveRow(action, name, visits, mean, spread, low=low, high=high))
    order = {action: i for i, action in enumerate(position.legal_actions)}
    return sorted(rows, key=lambda row: order[row.action])


def has_own_values(run: Any) -> bool:
    """Does the backup rule keep values of its own, other than the mean?"""
    return not needs_of(run.parts.backup).isdisjoint(("backed", "low"))


def root_values(run: Any) -> tuple[float, ...]:
    """One utility a player: the backup rule's vector of the root, within what is proven."""
    root = run.store.nodes[ROOT]
    values = (run.work.totals + carried_totals(run)) / max(run.done + carried_visits(run), 1)
    if run.done and "backed" in needs_of(run.parts.backup):
        values = root.backed
    if "low" in root.dtype.names:
        values = np.clip(values, root.low, root.high)
    return tuple(values.tolist())


def carried_visits(run: Any) -> int:
    return int(run.carried.visits.sum())


def carried_totals(run: Any) -> Any:
    """Sums of utilities in the tree that was carried on.

    The mover's are in the tree. Of two players whose utilities add up to a constant, the other's
    follow; further players get what this search found, for want of anything better.
    """
    mover, visits = run.position.current_player, carried_visits(run)
    totals = run.work.totals / max(run.done, 1) * visits
    if visits:
        spec = run.rules.spec
        totals[mover] = run.carried.value.sum()
        if spec.players == 2 and spec.zero_sum:
            totals[1 - mover] = (spec.lowest + spec.highest) * visits - totals[mover]
    return totals


def report(run: Any, seconds: float, stopped_by: str, last: bool = True) -> SearchResult:
    """What a search has found; `last`: it is over, and its tree comes with the result."""
    run = run.shown(last)
    engine, seed = run.engine, run.seed
    position = run.position
    rows = root_rows(run)
    if rows:
        chosen = decide(engine.decide, rows, seed)
        action = rows[chosen].action
        ranked = sorted(
            range(len(rows)),
            key=lambda i: (i != chosen, -rows[i].visits, -(rows[i].value or 0.0)),
        )
    else:  # stopped before the first simulation
        action, ranked = position.legal_actions[0], []
    values = root_values(run)
    stores = getattr(run, "stores", (run.store,))  # of several threads, each may have its own
    notes = []
    if run.full:
        cap = sum(store.megabytes for store in stores)
        notes.append(f"the tree reached its memory cap ({cap:.0f} MB) and stopped growing")
    if run.recycled:
        times = "once" if run.recycled == 1 else f"{run.recycled} times"
        notes.append(f"the tree reached its memory cap; little visited parts were dropped {times}")
    spec = part_text(engine)
    tree = SearchTree(run.store, position, run.action, spec, run.parts, run.work.memory)
    return SearchResult(
        position=position,
        engine=spec,
        action=action,
        value=values[position.current_player],
        values=values,
        line=most_visited_line(tree, action),
        moves=tuple(rows[i] for i in ranked),
        seconds=seconds,
        stopped_by=stopped_by,
        seed=seed,
        depth=run.store.deepest,
        simulations=run.done,
        memory=sum(store.bytes_used for store in stores),
        notes=tuple(notes),
        tree=tree if last else None,
    )
