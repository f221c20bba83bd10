"""What a Monte Carlo tree search does, event by event: one stream, as for all engines.

kind        path, and facts

selected    to the child chosen, one event for each step down. `player` who chose; `visits` it had
            before; with reasons, `candidates`: every child as the select rule saw it (`why`)
expanded    to the node that got children; `added`, how many nodes were made
evaluated   to the leaf; `values`, a utility for each player; `ended`: is the game over there?
            `settled`: were they proven? `moves`, those of the random game after it, where there
            are such and no dice between
backed_up   to each node of the path, the leaf first; `visits` and `value` it has now, the value
            for whoever chose the move
changed     (); the parts that were switched, by name

Nothing is recorded while nobody looks: the simulations are made again, on a fork.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from ponder.core.events import Event
from ponder.core.position import Position
from ponder.core.registry import part_text
from ponder.mcts.tree import MoveTrace
from ponder.mcts.view import SearchTree
from ponder.mcts.why import why


class Simulation(NamedTuple):
    """One simulation."""

    path: tuple[str, ...]
    """Names of the moves (and outcomes) selected, from the root to the leaf."""
    visits: tuple[int, ...]
    """Visits of the nodes on that path, this one included."""
    worth: tuple[float, ...]
    """Their values afterwards, as the backup rule sees them, for those who chose the moves."""
    added: int
    """Nodes that the expansion made."""
    values: tuple[float, ...]
    """The evaluation: one utility per player."""
    ended: bool
    """Is the game over at the leaf?"""
    settled: bool
    """Was the leaf's value proven, so that nothing had to be evaluated?"""


class Watch:
    """Looks at a run after every simulation."""

    def __init__(self, position: Position, run: Any) -> None:
        self._size, self._dropped = run.store.size, run.dropped
        self._names: dict[tuple[Any, ...], str] = {}
        self._positions: dict[tuple[Any, ...], Position] = {(): position}

    def last(self, run: Any) -> Simulation:
        """The simulation that the run has just made."""
        nodes = run.store.nodes
        walked = [int(node) for node in run.walked]
        below = walked[1:]
        actions = tuple(
            run.action(parent, int(nodes[node].action))
            for parent, node in zip(walked, below, strict=False)
        )
        size, dropped = run.store.size, run.dropped - self._dropped
        added = size - (self._size - dropped)
        self._size, self._dropped = size, run.dropped
        return Simulation(
            tuple(self._name(actions[: i + 1]) for i in range(len(actions))),
            tuple(int(nodes[node].visits) for node in below),
            _worth(run, walked),
            added,
            tuple(run.work.utilities.tolist()),
            self._position(actions).is_terminal,
            bool(run.parts.backup.settled(run.store.tree, walked[-1])),
        )

    def _name(self, actions: tuple[Any, ...]) -> str:
        if actions not in self._names:
            above = self._position(actions[:-1])
            self._names[actions] = above.action_name(actions[-1])
        return self._names[actions]

    def _position(self, actions: tuple[Any, ...]) -> Position:
        if actions not in self._positions:
            self._positions[actions] = self._position(actions[:-1])._after(actions[-1])
        return self._positions[actions]


def _worth(run: Any, walked: list[int]) -> tuple[float, ...]:
    """The values of the nodes below the root that a simulation has passed."""
    tree, backup = run.store.read, run.parts.backup
    owner = max(int(tree.nodes[walked[0]].player), 0)
    values = []
    for node in walked[1:]:
        player = int(tree.nodes[node].player)
        owner = player if player >= 0 else owner  # dice keep the owner of the node above
        values.append(float(backup.shown(tree, node, owner)))
    return tuple(values)


def events_of(session: Any, since: int, until: int, reasons: bool) -> Iterator[Event]:
    """The events after the moment `since`, up to `until`; changes made at `since` are included."""
    changes = session.history.changes
    past = tuple(change for change in changes if change.moment < since)
    twin = session.twin_at(past, since)
    before = session.twin_at(past, since) if reasons else None
    watch = Watch(session.position, twin._run)
    for moment in range(since, until + 1):
        for change in changes:
            if change.moment == moment:
                for one in filter(None, (twin, before)):
                    one._switch(change)
                parts = {kind: part_text(part) for kind, part in change.parts.items()}
                yield Event(moment, "changed", (), parts)
        if moment == until or twin.step() == moment:  # nothing is left to do
            return
        yield from of_simulation(moment + 1, watch.last(twin._run), twin._run, before)
        if before is not None:
            before.step()


def of_simulation(moment: int, one: Simulation, run: Any, before: Any) -> Iterator[Event]:
    """The events of one simulation; `before` is a session without it, for reasons."""
    tree = tree_of(before._run) if before is not None else None
    node = tree.root if tree is not None else None
    players = [int(run.store.nodes[index].player) for index in run.walked]
    for depth in range(len(one.path)):
        facts: dict[str, Any] = {"player": players[depth + 1], "visits": one.visits[depth] - 1}
        if tree is not None and node is not None and node.is_expanded:
            if not node.is_chance:
                facts["candidates"] = [reason.to_json() for reason in why(tree, node)]
            node = next((c for c in node.children if c.name == one.path[depth]), None)
        yield Event(moment, "selected", one.path[: depth + 1], facts)
    if one.added > 0:
        # the children that were made are those of the leaf, or of the node above it
        leaf = int(run.walked[-1])
        at = len(one.path) if run.store.nodes[leaf].first >= 0 else len(one.path) - 1
        yield Event(moment, "expanded", one.path[: max(at, 0)], {"added": one.added})
    facts = {"values": one.values, "ended": one.ended, "settled": one.settled}
    moves = played_after(run, one)
    if moves:
        facts["moves"] = moves
    yield Event(moment, "evaluated", one.path, facts)
    for depth in range(len(one.path), 0, -1):
        facts = {"visits": one.visits[depth - 1], "value": one.worth[depth - 1]}
        yield Event(moment, "backed_up", one.path[:depth], facts)


def tree_of(run: Any) -> SearchTree:
    """The run's own tree, to look at while nothing goes on."""
    return SearchTree(
        run.store, run.position, run.action, part_text(run.engine), run.parts, run.work.memory
    )


def played_after(run: Any, one: Simulation) -> tuple[str, ...]:
    """The moves of the random game after the leaf, by name; () where they are not known."""
    trace = run.work.trace
    if not isinstance(trace, MoveTrace):
        return ()
    here = run.position
    names = []
    for number in trace.actions[: int(trace.length[0])].tolist():
        if here.is_chance:
            return ()
        action = run.rules.action_of(number)
        names.append(here.action_name(action))
        here = here._after(action)
    return tuple(names[len(one.path) :])
