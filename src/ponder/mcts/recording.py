"""A search simulation by simulation: recorded, written to a file, replayed, compared.

    log = Recording()
    MCTS().search(position("connect4"), simulations=500, seed=1, trace=log)
    log.save("search.jsonl")
    Replay.load("search.jsonl").at(100)      # the statistics after 100 simulations

Each simulation is one event: the path that was selected, how many nodes were added, the values of
the evaluation, the visits and the value of each node on the path afterwards. A simulation changes
no other nodes, so the tree at any moment follows from the events before it, whatever the backup
rule: a recording can be stepped through forwards and backwards. Recording costs nothing when nobody
records: only then the driver makes one simulation at a time.

A file has a line for the search, one a simulation, and a last one with their number and a checksum:
what was cut short or changed is refused.
"""

from __future__ import annotations

import json
import math
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from ponder.core.position import Position
from ponder.errors import InputError
from ponder.files import json_object, read_file, save_file
from ponder.mcts.report import root_rows

FORMAT, END = "ponder recording 2", "end of recording"
MOST = 1_000_000
"""Simulations kept; a recording of more drops the rest, and says so."""


class Simulation(NamedTuple):
    """One simulation."""

    number: int
    path: tuple[str, ...]
    """Names of the moves (and outcomes) selected, from the root to the leaf."""
    visits: tuple[int, ...]
    """Visits of the nodes on that path, this one included."""
    worth: tuple[float, ...]
    """Their values afterwards, as the backup rule sees them, for those who chose the moves."""
    added: int
    """Nodes that the expansion made."""
    dropped: int
    """Nodes that were given up before, for want of memory."""
    values: tuple[float, ...]
    """The evaluation: one utility per player."""
    settled: bool
    """Was the leaf's value proven, so that nothing had to be evaluated?"""

    def to_json(self) -> dict[str, Any]:
        return {
            "n": self.number,
            "path": list(self.path),
            "visits": list(self.visits),
            "worth": list(self.worth),
            "added": self.added,
            "dropped": self.dropped,
            "values": list(self.values),
            "settled": self.settled,
        }


class Recording:
    """Collects the simulations of one search; give it to ``search(trace=...)``."""

    def __init__(self, most: int = MOST) -> None:
        self.most, self.total = most, 0
        self.head: dict[str, Any] = {}
        self.simulations: list[Simulation] = []
        self._size = self._dropped = 0
        self._names: dict[tuple[Any, ...], str] = {}
        self._positions: dict[tuple[Any, ...], Position] = {}

    def begin(self, position: Position, engine: str, seed: int, run: Any) -> None:
        """The search is about to begin; what it continues is noted."""
        carried = [
            {"name": row.name, "visits": row.visits, "value": row.value}
            for row in root_rows(run)
            if row.visits
        ]
        self.head = {
            "format": FORMAT,
            **position.to_json(),
            "engine": engine,
            "seed": seed,
            "carried": carried,
        }
        self._size, self._dropped = run.store.size, run.dropped
        self._positions = {(): position}

    def note(self, run: Any) -> None:
        """The run has just made one simulation."""
        self.total += 1
        if len(self.simulations) >= self.most:
            return
        nodes = run.store.nodes
        walked = [int(node) for node in run.walked]
        places = walked[1:]
        actions = tuple(
            run.action(parent, int(nodes[node].action))
            for parent, node in zip(walked, places, strict=False)
        )
        size, dropped = run.store.size, run.dropped - self._dropped
        self.simulations.append(
            Simulation(
                self.total,
                tuple(self._name(actions[: i + 1]) for i in range(len(actions))),
                tuple(int(nodes[node].visits) for node in places),
                self._worth(run, walked),
                size - (self._size - dropped),
                dropped,
                tuple(run.work.utilities.tolist()),
                bool(run.parts.backup.settled(run.store.tree, walked[-1])),
            )
        )
        self._size, self._dropped = size, run.dropped

    def _worth(self, run: Any, walked: list[int]) -> tuple[float, ...]:
        """The values of the nodes below the root that a simulation has passed."""
        tree, backup = run.store.read, run.parts.backup
        owner = max(int(tree.nodes[walked[0]].player), 0)
        values = []
        for node in walked[1:]:
            player = int(tree.nodes[node].player)
            owner = player if player >= 0 else owner  # dice keep the owner of the node above
            values.append(float(backup.shown(tree, node, owner)))
        return tuple(values)

    def _name(self, actions: tuple[Any, ...]) -> str:
        if actions not in self._names:
            above = self._position(actions[:-1])
            self._names[actions] = above.action_name(actions[-1])
        return self._names[actions]

    def _position(self, actions: tuple[Any, ...]) -> Position:
        if actions not in self._positions:
            self._positions[actions] = self._position(actions[:-1])._after(actions[-1])
        return self._positions[actions]

    @property
    def dropped(self) -> int:
        """Simulations for which there was no room."""
        return self.total - len(self.simulations)

    def __len__(self) -> int:
        return len(self.simulations)

    def __iter__(self) -> Iterator[Simulation]:
        return iter(self.simulations)

    def text(self) -> str:
        """The recording as it is written to a file."""
        lines = [json.dumps(self.head), *(json.dumps(one.to_json()) for one in self)]
        body = "\n".join(lines) + "\n"
        end = {
            "format": END,
            "simulations": len(self),
            "dropped": self.dropped,
            "checksum": zlib.crc32(body.encode()),
        }
        return body + json.dumps(end) + "\n"

    def save(self, path: str | Path) -> None:
        save_file(path, self.text().encode())


class Statistics(NamedTuple):
    """A node at some moment of a replay."""

    visits: int
    """As the search counted them: in a tree that it continued, those before it too."""
    value: float | None
    """As the backup rule saw it, for the player who chose the move; None of the root."""
    simulations: int
    """How many of the recorded ones passed here."""
    totals: tuple[float, ...]
    """Sum of their evaluations, one per player."""

    @property
    def means(self) -> tuple[float, ...]:
        """Mean of their evaluations; of a node that none has passed, nothing."""
        return tuple(total / self.simulations for total in self.totals) if self.simulations else ()


class Replay:
    """A recorded search that can be looked at after any number of simulations."""

    def __init__(self, head: dict[str, Any], simulations: list[Simulation]) -> None:
        self.head, self.simulations = head, simulations

    @property
    def position(self) -> Position:
        return Position.from_json(self.head)

    def at(self, number: int) -> dict[tuple[str, ...], Statistics]:
        """Every node visited in the first `number` simulations, as it was then, by its path.

        Root moves that the search continued are there from the beginning.
        """
        if not 0 <= number <= len(self.simulations):
            raise InputError(
                f"there are {len(self.simulations):,} simulations in the recording, not {number:,}"
            )
        found: dict[tuple[str, ...], Statistics] = {}
        for row in self.head["carried"]:
            found[row["name"],] = Statistics(row["visits"], row["value"], 0, ())
        for one in self.simulations[:number]:
            now = [(one.number, None), *zip(one.visits, one.worth, strict=True)]
            for length, (visits, value) in enumerate(now):
                path = one.path[:length]
                before = found.get(path)
                times, totals = (before.simulations, before.totals) if before else (0, ())
                sums = zip(totals or (0.0,) * len(one.values), one.values, strict=True)
                found[path] = Statistics(visits, value, times + 1, tuple(a + b for a, b in sums))
        return found

    @staticmethod
    def load(path: str | Path) -> Replay:
        """Read a recording; a file that was cut short, changed or is something else is refused."""
        lines = read_file(path).splitlines(keepends=True)
        try:
            head = json_object(lines[0])
            if head["format"] != FORMAT:
                raise ValueError
        except (ValueError, KeyError, IndexError):
            raise InputError(f"{path} is not a recorded search") from None
        if not _is_whole(lines):
            raise InputError(f"{path} is damaged: it was cut short, or changed since")
        try:
            position = Position.from_json(head)
        except InputError as error:
            raise InputError(f"{path} cannot be used: {error}") from None
        known = {position.action_name(action) for action in position.legal_actions}
        if not _is_head(head, known):
            raise InputError(f"{path} is not a recorded search")
        simulations = []
        for number, line in enumerate(lines[1:-1], 1):
            try:
                one = _simulation(json_object(line))
                if one.number != number or len(one.values) != position.players:
                    raise ValueError
                if one.path and one.path[0] not in known:
                    raise ValueError
            except (ValueError, KeyError, TypeError, OverflowError):
                raise InputError(f"line {number + 1} of {path} is not a simulation") from None
            simulations.append(one)
        return Replay(head, simulations)


def _is_whole(lines: list[bytes]) -> bool:
    """Does the last line tell the number of simulations and the checksum of all others?"""
    try:
        end = json_object(lines[-1])
        told = end["format"], end["simulations"], end["checksum"]
    except (ValueError, KeyError):
        return False
    return told == (END, len(lines) - 2, zlib.crc32(b"".join(lines[:-1])))


def _is_head(head: dict[str, Any], known: set[str]) -> bool:
    """Are the engine, the seed and the statistics that were there before what they should be?"""
    try:
        rows = [(row["name"], row["visits"], row["value"]) for row in head["carried"]]
        return (
            isinstance(head["engine"], str)
            and isinstance(head["seed"], int)
            and {name for name, _, _ in rows} <= known
            and all(isinstance(n, int) and isinstance(v, float) for _, n, v in rows)
        )
    except (KeyError, TypeError):
        return False


def _simulation(data: dict[str, Any]) -> Simulation:
    """A simulation from its line; what cannot be one raises an error."""
    one = Simulation(
        int(data["n"]),
        tuple(map(str, data["path"])),
        tuple(map(int, data["visits"])),
        tuple(map(float, data["worth"])),
        int(data["added"]),
        int(data["dropped"]),
        tuple(map(float, data["values"])),
        bool(data["settled"]),
    )
    if not len(one.path) == len(one.visits) == len(one.worth):
        raise ValueError
    if not all(map(math.isfinite, one.worth + one.values)):
        raise ValueError
    return one


class Difference(NamedTuple):
    """Where two recordings part."""

    number: int
    """The first simulation that differs, counted from 1."""
    one: Simulation | None
    two: Simulation | None
    """None: this recording was over by then."""


def first_difference(one: Replay, two: Replay) -> Difference | None:
    """The first simulation in which two searches differ; None if they are the same."""
    for i in range(max(len(one.simulations), len(two.simulations))):
        a = one.simulations[i] if i < len(one.simulations) else None
        b = two.simulations[i] if i < len(two.simulations) else None
        if a != b:
            return Difference(i + 1, a, b)
    return None
