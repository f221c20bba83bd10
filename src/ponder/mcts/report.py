"""What a search in progress, or a finished one, has found."""

from __future__ import annotations

from typing import Any

import numpy as np

from ponder.core.game import CHANCE
from ponder.core.limits import StopReason
from ponder.core.position import Position
from ponder.core.result import MoveRow, OutcomeRow, SearchResult, expected, players_shown
from ponder.mcts.carry import squares_below
from ponder.mcts.decide import MostVisits, choice, decide, decided, fitted
from ponder.mcts.keep import KeepRootSums
from ponder.mcts.modes import Transposing
from ponder.mcts.parts import fields_of, needs_of
from ponder.mcts.tree import MOST_VISITS, ROOT
from ponder.mcts.view import SearchTree


def root_rows(run: Any, tried: bool = False, tree: Any = None) -> list[MoveRow]:
    """One row per root move, or per `tried` one, in the game's order of moves.

    `tree`: the store as it is read just now, where the caller reads it as well.
    """
    rows = children_of_root(run, tree)
    rows = [row for row in rows if row.visits] if tried else rows
    order = {action: i for i, action in enumerate(run.position.legal_actions)}
    return sorted(rows, key=lambda row: order[row.action])


def outcome_rows(run: Any) -> list[OutcomeRow]:
    """One row per outcome, where chance moves at the root, in the game's order."""
    position = run.position
    rows = {row.action: row for row in children_of_root(run)}
    nothing = MoveRow(0, 0, None)  # stopped before the first simulation
    made = []
    for action, probability in position.chance_outcomes:
        row = rows.get(action, nothing)
        made.append(OutcomeRow(action, probability, row.visits, row.value, row.values, position))
    return made


def children_of_root(run: Any, tree: Any = None) -> list[MoveRow]:
    """Their rows, in the tree's order, with every player's value where that is of interest."""
    read = run.store.read if tree is None else tree
    action = run.action if run.rules.plain else None
    rows = move_rows(read, run.parts, ROOT, run.work.squares, run.position, action)
    if not players_shown(run.position):
        return rows
    pairs = zip(rows, values_below(run), strict=True)
    return [row._replace(values=values) for row, values in pairs]


def move_rows(
    tree: Any, parts: Any, node: int, squares: Any, position: Any = None, action: Any = None
) -> list[MoveRow]:
    """One row per child of a node, in the tree's order.

    `tree` is a `TreeStore.read`; `squares` are the sums of the children's squared utilities;
    `position` is where the moves are made. The actions are as the tree numbers them, unless
    ``action(node, number)`` knows others.
    """
    first, children = tree.nodes.children(node)
    # nobody chose among outcomes: their values belong to the owner of the node above
    owner = max((children[0] if children else tree.nodes[node]).player, 0)
    names, shown = tree.nodes.names, parts.backup.shown
    has_prior, proves = "prior" in names, "low" in names
    sums = squares[: len(children)].tolist()
    rows = []
    for i, child in enumerate(children):
        value, spread, n = None, None, child.visits
        if n:
            value = float(shown(tree, first + i, owner))
            spread = max(0.0, sums[i] / n - (child.value / n) ** 2) ** 0.5
        known = child.action if action is None else action(node, child.action)
        prior = child.prior if has_prior else None
        low, high = (float(child.low[owner]), float(child.high[owner])) if proves else (None, None)
        rows.append(MoveRow(known, n, value, spread, prior, low, high, None, position))
    return rows


def values_below(run: Any) -> list[tuple[float, ...] | None]:
    """Of each child of the root one utility per player, where the search knows them."""
    store, parts, owner = run.store, run.parts, owner_of(run.position)
    tree, children, backup = store.read, store.children(ROOT), parts.backup
    players, first = len(run.work.totals), int(tree.nodes[ROOT].first)
    vectors = "backed" in needs_of(backup)
    found: list[tuple[float, ...] | None] = []
    for i, visits in enumerate(children.visits.tolist()):
        if vectors and visits:
            found.append(tuple(float(backup.shown(tree, first + i, p)) for p in range(players)))
            continue
        mean = None
        if isinstance(parts.keep, KeepRootSums):
            kept = run.work.memory.keep
            mean = kept.sums[i] / kept.counts[i] if kept.counts[i] else None
        elif "sums" in children.dtype.names and visits:
            mean = children[i].sums / visits
        if mean is None:
            found.append(None)
            continue
        mean[owner] = backup.shown(tree, first + i, owner)
        if "low" in fields_of(parts):
            mean = np.clip(mean, children[i].low, children[i].high)
        found.append(tuple(mean.tolist()))
    return found


def best_line(tree: SearchTree, read: Any, rule: Any, seed: int, first: Any) -> tuple[Any, ...]:
    """The principal variation: `first`, then what the decide rule would play, up to chance.

    `read` is the store as it is read just now.

    At every node `decide` is asked as at the root: what is proven comes first. Where positions
    share children the line ends before one repeats, and where the game does.
    """
    store, line = tree._store, [first]
    proves = "low" in store.dtype.names
    firsts, counts, visits, players, numbers = (
        store.column(name) for name in ("first", "count", "visits", "player", "action")
    )
    seen = {int(firsts[ROOT])}
    here = tree.position.play(first) if isinstance(store.mode, Transposing) else None
    below = slice(int(firsts[ROOT]), int(firsts[ROOT]) + int(counts[ROOT]))
    told = tree._action if tree.position.rules.plain else _itself
    actions = [told(ROOT, n) for n in numbers[below].tolist()]
    if first not in actions:
        return (first,)
    node = below.start + actions.index(first)
    while True:
        start = int(firsts[node])
        tried = visits[max(start, 0) : max(start, 0) + int(counts[node])].tolist()
        if not any(tried) or players[start] == CHANCE:
            return tuple(line)
        if start in seen or (here is not None and here.is_terminal):
            return tuple(line)
        seen.add(start)
        most = max(tried)
        if isinstance(rule, MostVisits) and not proves and tried.count(most) == 1:
            best = tried.index(most)  # what `decide` would say, without a row for every child
        else:
            rows = move_rows(read, tree.parts, node, squares_below(store, node))
            best = decide(rule, rows, seed + len(line))  # as `ponder play` seeds its moves
        line.append(told(node, int(numbers[start + best])))
        node = start + best
        here = None if here is None else here.play(line[-1])


def _itself(parent: int, number: int) -> int:
    """The action behind a node's number in a compiled game."""
    return number


def owner_of(position: Position) -> int:
    """Whom the values of the root belong to: the player to move; player 0 where chance moves."""
    return max(position.current_player, 0)


def root_values(run: Any, tree: Any = None) -> tuple[float, ...]:
    """One utility per player: what the backup rule makes of the root, within what is proven."""
    tree, backup = run.store.read if tree is None else tree, run.parts.backup
    owner, root = owner_of(run.position), tree.nodes[ROOT]
    if len(run.carried):
        values = (run.work.totals + carried_totals(run)) / max(run.done + carried_visits(run), 1)
    else:
        values = run.work.totals / max(run.done, 1)
    if root.visits > 1:  # the first one is for being made
        together = values.sum()
        for player in range(len(values)) if "backed" in needs_of(backup) else (owner,):
            values[player] = backup.shown(tree, ROOT, player)
        if isinstance(run.store.mode, Transposing) and len(values) == 2:
            # not the mean of the evaluations; the utilities of the two add up to a constant
            values[1 - owner] = together - values[owner]
    if "low" in run.store.dtype.names:
        values = np.clip(values, root.low, root.high)
    return tuple(values.tolist())


def values_of(row: MoveRow, position: Position, whole: tuple[float, ...]) -> tuple[float, ...]:
    """A move's utility for every player; `whole` are those of the root.

    Where nobody keeps the others' utilities of a move (a keep rule of one's own), theirs are the
    root's.
    """
    if row.values is not None:
        return row.values
    if row.value is None:
        return ()
    owner = owner_of(position)
    # opposed: what the one gains by it the other loses
    both = sum(whole) if len(whole) == 2 and not players_shown(position) else None
    return tuple(
        row.value if player == owner else value if both is None else both - row.value
        for player, value in enumerate(whole)
    )


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


def ranked(rows: list[MoveRow], chosen: int) -> list[MoveRow]:
    """The chosen move, then the others by visits, then by value."""

    def rank(i: int) -> tuple[bool, int, float]:
        return i != chosen, -rows[i].visits, -(rows[i].value or 0.0)

    return [rows[i] for i in sorted(range(len(rows)), key=rank)]


def report(run: Any, seconds: float, stopped_by: StopReason, last: bool = True) -> SearchResult:
    """What a search has found; `last`: it is over, and its tree comes with the result."""
    run = run.shown(last)
    engine, seed = run.engine, run.seed
    position = run.position
    tree = run.store.read  # each node is read once for all that is told of it
    whole = values = root_values(run, tree)
    rule = fitted(engine.decide, position)
    rows: list[MoveRow] = []
    outcomes: list[OutcomeRow] = []
    action, why, chance = None, "", position.is_chance
    if chance:
        outcomes = outcome_rows(run)
        values = expected(outcomes, values)
    else:
        rows = root_rows(run, tree=tree)
        if not rows:  # before the first simulation there are none
            action, values = position.legal_actions[0], ()
        else:
            found = decided(rule, rows, seed)
            chosen = found[0]
            action = rows[chosen].action
            why = choice(rule, rows, found)
            values = values_of(rows[chosen], position, whole)
            rows = ranked(rows, chosen)
    stores = run.stores  # of several threads, each may have its own
    notes = []
    if run.full:
        cap = sum(store.megabytes for store in stores)
        notes.append(f"the tree reached its memory cap ({cap:.0f} MB) and stopped growing")
    if run.recycled:
        times = "once" if run.recycled == 1 else f"{run.recycled} times"
        notes.append(f"the tree reached its memory cap; little visited parts were dropped {times}")
    if stopped_by == "visits":
        notes.append(f"a tree counts up to {MOST_VISITS:,} visits: start again to search further")
    spec = run.engine_text
    grown = SearchTree(run.store, position, run.action, spec, run.parts, run.work.memory)
    return SearchResult(
        position=position,
        engine=spec,
        action=action,
        value=values[owner_of(position)] if values else None,
        values=values,
        line=() if chance else best_line(grown, tree, rule, seed, action),
        moves=tuple(rows),
        outcomes=tuple(outcomes),
        seconds=seconds,
        stopped_by=stopped_by,
        seed=seed,
        deepest=run.store.deepest,
        simulations=run.done,
        memory=sum(store.bytes_used for store in stores),
        notes=tuple(notes),
        tree=grown if last else None,
        root_values=whole if rows and values else None,
        root_rule=run.backup_text,
        choice=why,
    )
