"""Games played by several threads at once; kernels release Python's lock."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import numpy as np

from ponder.core.compiled import guarded
from ponder.core.faults import fault_after, traced
from ponder.core.position import Position
from ponder.core.rng import new_rng
from ponder.errors import GameError
from ponder.learn.ladder import rated_pair, rating_player
from ponder.learn.net import FittedNet, NetPriors
from ponder.learn.network import Network
from ponder.learn.remembered import remembered_image
from ponder.learn.selfplay import Play, PlayedRows, new_desk, new_played, play_games
from ponder.mcts.assembly import node_types
from ponder.mcts.expand import AllChildren
from ponder.mcts.modes import MEGABYTE
from ponder.mcts.parts import Parts, completed
from ponder.mcts.run import new_store, new_work
from ponder.mcts.search import BROKEN, DONE

ROOM = 4096
"""Rows that a thread has room for, games of ordinary length being shorter by far."""


class SelfPlayTree:
    """A tree and scratch space for games one after the other."""

    def __init__(
        self,
        position: Position,
        priors: Any,
        evaluate: Any,
        play: Play,
        select: Any,
        backup: Any,
    ) -> None:
        self.position = position
        self.play = play._replace(referee=play.referee.for_thread())
        self.rules = position.rules
        spec = self.rules.spec
        self.parts = Parts(
            completed("select", select),
            completed("expand", AllChildren(completed("priors", priors))),
            completed("evaluate", evaluate),
            completed("backup", completed("backup", backup).fitted(position)),
        )
        nodes = 1 + (max(play.simulations, play.cheap) + 2) * spec.max_actions
        self.store = new_store(node_types(self.parts, spec), spec, 1.0)
        self.store.limit = nodes
        self.store.megabytes = nodes * self.store.node_bytes / MEGABYTE
        self.store.reserve(nodes)
        self.work = new_work(self.parts, spec, position, max(play.simulations, play.cheap))
        self.desk = new_desk(spec)
        self.rng = new_rng(0)


class SelfPlayWorker(SelfPlayTree):
    """One thread's games."""

    def __init__(
        self,
        position: Position,
        network: Network,
        cells: int,
        play: Play,
        select: Any,
        backup: Any,
    ) -> None:
        spec = position.rules.spec
        self.network, self.memory = network, remembered_image(spec)
        rule, priors = FittedNet(network, cells, self.memory), NetPriors(network, self.memory)
        super().__init__(position, priors, rule, play, select, backup)
        self.longest = int(spec.max_length) + 1
        self.out: PlayedRows = new_played(spec, max(ROOM, 2 * min(self.longest, 1 << 16)))
        self.longest = min(self.longest, len(self.out.games))
        self.failure: Exception | None = None

    def begin(self, first: int) -> None:
        """Games from this number on are next, with a network that may have changed."""
        self.failure = None
        self.out.count[:] = (0, first, 0)
        self.memory.forget()

    def play_on(self, seed: int, step: int, end: int, stop: Any) -> None:
        """Play games from count[1] on until `end` or until the room is used up."""
        with traced(self.position, list, seed):
            status = guarded(
                self.rules.name,
                play_games,
                self.rules.part,
                self.parts,
                self.store.tree,
                self.work,
                self.desk,
                self.rng,
                self.play,
                self.out,
                stop,
                seed,
                step,
                end,
                self.longest,
            )
        if status == BROKEN:
            raise fault_after(self.position, (), seed)
        if status != DONE:
            raise GameError(
                f"a game of {self.rules.name} could not be played to its end (status {status}): "
                "see ponder check"
            )

    def take(self) -> PlayedRows:
        """Copies of the rows in use."""
        return taken(self.out)


class Workers:
    """As many threads as asked for; all use the same network, whose arrays may be written to
    between two rounds."""

    kind: Any = SelfPlayWorker

    def __init__(
        self,
        position: Position,
        network: Network,
        cells: int,
        play: Play,
        select: Any,
        backup: Any,
        count: int,
    ) -> None:
        self.stop = np.zeros(1, np.int64)
        self.spec = position.rules.spec
        self.workers = [
            self.kind(position, network, cells, play, select, backup) for _ in range(count)
        ]
        self.workers[0].play_on(0, 1, 0, self.stop)  # compiles
        self.threads: list[threading.Thread] = []
        self.pieces: list[PlayedRows] = []

    def begin(self, seed: int, first: int, end: int) -> None:
        """Let the games first .. end - 1 be played."""
        self.stop[0] = 0
        self.pieces = []
        self.threads = [
            threading.Thread(target=self._run, args=(k, seed, first + k, end), daemon=True)
            for k in range(len(self.workers))
        ]
        for thread in self.threads:
            thread.start()

    def _run(self, k: int, seed: int, first: int, end: int) -> None:
        worker = self.workers[k]
        worker.begin(first)
        try:
            while worker.out.count[1] < end and not self.stop[0]:
                worker.play_on(seed, len(self.workers), end, self.stop)
                self.pieces.append(worker.take())
                worker.out.count[0] = worker.out.count[2] = 0
        except Exception as error:
            worker.failure = error
            self.stop[0] = 1

    @property
    def busy(self) -> bool:
        return any(thread.is_alive() for thread in self.threads)

    def wait(self, seconds: float) -> None:
        """Wait for the games to end, but not for longer than this."""
        for thread in self.threads:
            thread.join(seconds / len(self.threads))

    def cancel(self) -> None:
        """End the round; its unfinished games are forgotten."""
        self.stop[0] = 1
        for thread in self.threads:
            thread.join()

    def results(self) -> PlayedRows:
        """All games of the round, in the order of their numbers."""
        for worker in self.workers:
            if worker.failure is not None:
                raise worker.failure
        return together(self.pieces)

    @property
    def start(self) -> Position:
        """Where rated games begin."""
        position: Position = self.workers[0].position
        return position

    def rated(
        self, network: Path, module: str, rung: int, plies: int, seeds: range
    ) -> list[list[float]]:
        """The points of a network against an opponent of the ladder, for each seed."""
        start, player = self.start, rating_player(str(network), module)
        return [rated_pair(start, player, rung, plies, seed) for seed in seeds]

    def close(self) -> None:
        """Threads end with their games."""


def together(pieces: list[PlayedRows]) -> PlayedRows:
    """All rows, in the order of their games."""
    columns = [np.concatenate(column) for column in zip(*pieces, strict=True)]
    count = np.array([len(columns[4]), 0, int(columns[5].reshape(-1, 3)[:, 2].sum())])
    order = np.argsort(columns[4], kind="stable")
    made = [column[order] for column in columns[:5]]
    made[0] = made[0].view(np.recarray)
    return PlayedRows._make([*made, count])


def taken(out: PlayedRows) -> PlayedRows:
    """Copies of the rows in use."""
    n = int(out.count[0])
    return PlayedRows._make([*(column[:n].copy() for column in out[:5]), out.count.copy()])
