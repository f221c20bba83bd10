"""What a search in progress, or a finished one, has found."""

from __future__ import annotations

from typing import Any

import numpy as np

from ponder.core.position import Position
from ponder.core.registry import part_text
from ponder.core.result import MoveRow, SearchResult
from ponder.mcts.decide import decide, fitted
from ponder.mcts.modes import Graph
from ponder.mcts.parts import fields_of, needs_of
from ponder.mcts.tree import ROOT
from ponder.mcts.view import SearchTree, most_visited_line


def root_rows(run: Any) -> list[MoveRow]:
    """One row per root move, in the game's order of moves."""
    store, position = run.store, run.position
    rows = move_rows(store, run.parts, ROOT, owner_of(position), run.work.squares)
    order = {action: i for i, action in enumerate(position.legal_actions)}
    made = [
        row._replace(action=action, name=position.action_name(action))
        for row in rows
        for action in (run.action(ROOT, row.action),)
    ]
    return sorted(made, key=lambda row: order[row.action])


def move_rows(store: Any, parts: Any, node: int, owner: int, squares: Any) -> list[MoveRow]:
    """One row per child of a node, in the tree's order; the actions as the tree numbers them.

    `owner` is the player whom the children's values belong to, `squares` the sums of their squared
    utilities.
    """
    tree, children = store.tree, store.children(node)
    first, kept = int(tree.nodes[node].first), fields_of(parts)
    visits, sums = children.visits.tolist(), children.value.tolist()
    nothing = [None] * len(children)
    priors = children.prior.tolist() if "prior" in kept else nothing
    low = children.low[:, owner].tolist() if "low" in kept else nothing
    high = children.high[:, owner].tolist() if "low" in kept else nothing
    rows = []
    for i, number in enumerate(children.action.tolist()):
        value, spread, n = None, None, visits[i]
        if n:
            value = float(parts.backup.shown(tree, first + i, owner))
            spread = max(0.0, float(squares[i]) / n - (sums[i] / n) ** 2) ** 0.5
        rows.append(MoveRow(number, "", n, value, spread, priors[i], low[i], high[i]))
    return rows


def owner_of(position: Position) -> int:
    """Whom the values of the root belong to: the player to move; player 0 where chance moves."""
    return max(position.current_player, 0)


def root_values(run: Any) -> tuple[float, ...]:
    """One utility per player: what the backup rule makes of the root, within what is proven."""
    tree, backup = run.store.tree, run.parts.backup
    owner, root = owner_of(run.position), tree.nodes[ROOT]
    values = (run.work.totals + carried_totals(run)) / max(run.done + carried_visits(run), 1)
    if root.visits > 1:  # the first one is for being made
        together = values.sum()
        for player in range(len(values)) if "backed" in needs_of(backup) else (owner,):
            values[player] = backup.shown(tree, ROOT, player)
        if isinstance(run.store.mode, Graph) and len(values) == 2:
            # not the mean of the evaluations; the utilities of the two add up to a constant
            values[1 - owner] = together - values[owner]
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
    mover, visits = owner_of(run.position), carried_visits(run)
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
        chosen = decide(fitted(engine.decide, position), rows, seed)
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
        value=values[owner_of(position)],
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
