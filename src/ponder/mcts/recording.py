"""A search simulation by simulation: recorded, written to a file, replayed, compared.

    log = Recording()
    MCTS().search(position("connect4"), simulations=500, seed=1, trace=log)
    log.save("search.jsonl")
    Replay.load("search.jsonl").at(100)      # the statistics after 100 simulations

Each simulation is one event: the path that was selected, how many nodes were added, the values of
the evaluation, how often each node on the path had been visited before. Statistics at any moment
follow from the events before it, so a recording can be stepped through forwards and backwards.
Recording costs nothing when nobody records: the driver then makes one simulation at a time.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from ponder.core.position import Position
from ponder.errors import InputError
from ponder.files import write_atomically

FORMAT = "ponder recording 1"
MOST = 1_000_000
"""Simulations kept; a recording of more drops the rest, and says so."""


class Simulation(NamedTuple):
    """One simulation."""

    number: int
    path: tuple[str, ...]
    """Names of the moves (and outcomes) selected, from the root to the leaf."""
    visits: tuple[int, ...]
    """Visits of the nodes on that path, this one included."""
    added: int
    """Nodes that the expansion made."""
    values: tuple[float, ...]
    """The evaluation: one utility a player."""
    settled: bool
    """Was the leaf's value proven, so that nothing had to be evaluated?"""

    def to_json(self) -> dict[str, Any]:
        return {
            "n": self.number,
            "path": list(self.path),
            "visits": list(self.visits),
            "added": self.added,
            "values": list(self.values),
            "settled": self.settled,
        }


class Recording:
    """Collects the simulations of one search; give it to ``search(trace=...)``."""

    def __init__(self, most: int = MOST) -> None:
        self.most, self.total = most, 0
        self.head: dict[str, Any] = {}
        self.simulations: list[Simulation] = []
        self._size = 0
        self._names: dict[tuple[int, ...], str] = {}
        self._positions: dict[tuple[int, ...], Position] = {}

    def begin(self, position: Position, engine: str, seed: int, run: Any) -> None:
        """The search is about to begin."""
        self.head = {"format": FORMAT, **position.to_json(), "engine": engine, "seed": seed}
        self._size = run.store.size
        self._positions = {(): position}

    def note(self, run: Any) -> None:
        """The run has just made one simulation."""
        self.total += 1
        if len(self.simulations) >= self.most:
            return
        nodes, depth = run.store.nodes, run.store.last_depth
        places = [int(node) for node in run.work.path[1 : depth + 1]]
        parents = [int(node) for node in run.work.path[:depth]]
        actions = tuple(
            run.action(parent, int(nodes[node].action))
            for parent, node in zip(parents, places, strict=True)
        )
        leaf = int(run.work.path[depth])
        self.simulations.append(
            Simulation(
                self.total,
                tuple(self._name(actions[: i + 1]) for i in range(depth)),
                tuple(int(nodes[node].visits) for node in places),
                run.store.size - self._size,
                tuple(run.work.utilities.tolist()),
                bool(run.parts.backup.settled(run.store.tree, leaf)),
            )
        )
        self._size = run.store.size

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
        """The recording as it is written to a file: a line for the search, one a simulation."""
        lines = [json.dumps(self.head), *(json.dumps(one.to_json()) for one in self)]
        return "\n".join(lines) + "\n"

    def save(self, path: str | Path) -> None:
        try:
            write_atomically(Path(path), self.text().encode())
        except OSError as error:
            raise InputError(f"cannot write {path}: {error.strerror}") from None


class Statistics(NamedTuple):
    """A node at some moment of a replay."""

    visits: int
    totals: tuple[float, ...]
    """Sum of the evaluations, one a player."""

    @property
    def means(self) -> tuple[float, ...]:
        return tuple(total / self.visits for total in self.totals)


class Replay:
    """A recorded search that can be looked at after any number of simulations."""

    def __init__(self, head: dict[str, Any], simulations: list[Simulation]) -> None:
        self.head, self.simulations = head, simulations

    @property
    def position(self) -> Position:
        return Position.from_json(self.head)

    def at(self, number: int) -> dict[tuple[str, ...], Statistics]:
        """Statistics of every node visited in the first `number` simulations, by its path."""
        if not 0 <= number <= len(self.simulations):
            raise InputError(
                f"there are {len(self.simulations):,} simulations in the recording, not {number:,}"
            )
        sums: dict[tuple[str, ...], list[float]] = {}
        for one in self.simulations[:number]:
            for length in range(len(one.path) + 1):
                node = sums.setdefault(one.path[:length], [0.0] * (len(one.values) + 1))
                node[0] += 1
                for p, value in enumerate(one.values):
                    node[p + 1] += value
        return {path: Statistics(int(n), tuple(rest)) for path, (n, *rest) in sums.items()}

    @staticmethod
    def load(path: str | Path) -> Replay:
        """Read a recording; a file that was cut short or is something else is refused."""
        try:
            lines = Path(path).read_text().splitlines()
        except (OSError, UnicodeDecodeError) as error:
            reason = getattr(error, "strerror", None) or "it is no text"
            raise InputError(f"cannot read {path}: {reason}") from None
        try:
            head = json.loads(lines[0])
            if head["format"] != FORMAT:
                raise ValueError
        except (ValueError, KeyError, TypeError, IndexError):
            raise InputError(f"{path} is not a recorded search") from None
        simulations = []
        for number, line in enumerate(lines[1:], 2):
            try:
                data = json.loads(line)
                simulations.append(
                    Simulation(
                        int(data["n"]),
                        tuple(map(str, data["path"])),
                        tuple(map(int, data["visits"])),
                        int(data["added"]),
                        tuple(map(float, data["values"])),
                        bool(data["settled"]),
                    )
                )
            except (ValueError, KeyError, TypeError):
                raise InputError(f"line {number} of {path} is not a simulation") from None
        return Replay(head, simulations)


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
