"""Games with a network beside the kernel: many at once, their questions in one batch.

Every thread plays `AT_ONCE` games side by side and asks about all of them in one call. Which games
stand beside each other follows from their numbers and from the number of threads; since the sums of
a network may differ in the last bit with the size of a batch, a run is the same again only with as
many threads.
"""

from __future__ import annotations

import threading
from typing import Any

import numpy as np

from ponder.core.compiled import guarded
from ponder.core.faults import fault_after, traced
from ponder.core.position import Position
from ponder.errors import GameError
from ponder.learn.beside import predicted
from ponder.learn.leaf_games import ASKED, NEW_GAME, OVER, go_on, new_pieces
from ponder.learn.network import value_count
from ponder.learn.seeing import Sight
from ponder.learn.selfplay import Play, PlayedRows, new_played
from ponder.learn.workers import SelfPlayTree, Workers, taken
from ponder.mcts.evaluate.function import Outside
from ponder.mcts.priors import GivenPriors
from ponder.mcts.search import BROKEN

AT_ONCE = 128
"""Games that a thread plays at once, where the round has as many."""
MOST_ROWS = 1 << 16


class LeafGame(SelfPlayTree):
    """One of the games that a thread plays at once: a tree and scratch space of its own."""

    def __init__(
        self, position: Position, sight: Sight, play: Play, select: Any, backup: Any
    ) -> None:
        super().__init__(position, GivenPriors(), Outside(), play, select, backup)
        spec = self.rules.spec
        self.cells = sight.cells
        self.at = new_pieces()
        self.raw = self.work.states.view(np.uint8).reshape(2, -1)[1]
        # memory that is never written to is never taken
        self.out: PlayedRows = new_played(spec, min(int(spec.max_length) + 2, MOST_ROWS))

    def begin(self, number: int) -> LeafGame:
        """Forget the game in progress; the one of this number begins."""
        self.at.number[0], self.at.phase[0] = number, NEW_GAME
        return self

    def go_on(self, logits: Any, values: Any, codes: Any, seed: int) -> int:
        """Play until the next question (ASKED) or the end of the game (OVER)."""
        status: int = guarded(
            self.rules.name,
            go_on,
            *(self.rules.part, self.parts, self.store.tree, self.work, self.desk, self.rng),
            *(self.play, self.out, self.at, self.cells, self.raw, logits, values, codes, seed),
        )
        if status == BROKEN:
            raise fault_after(self.position, (), seed)
        if status not in (ASKED, OVER):
            raise GameError(
                f"a game of {self.rules.name} could not be played to its end (status {status}): "
                "see ponder check"
            )
        return status


class LeafWorker:
    """One thread's games."""

    def __init__(
        self,
        position: Position,
        sight: Sight,
        predict: Any,
        play: Play,
        select: Any,
        backup: Any,
        at_once: int,
    ) -> None:
        spec = position.rules.spec
        self.position, self.play, self.predict = position, play, predict
        self.make = lambda: LeafGame(position, sight, play, select, backup)
        self.games: list[LeafGame] = [self.make()]
        self.at_once = at_once
        self.codes = np.zeros((at_once, sight.board.cells), np.int32)
        self.logits = np.zeros((at_once, sight.actions), np.float32)
        self.values = np.zeros((at_once, value_count(spec)), np.float32)
        self.failure: Exception | None = None

    def play_games(self, seed: int, numbers: range, stop: Any, keep: Any) -> None:
        """Play the games of these numbers; `keep` takes the rows of each as it ends."""
        left = iter(numbers)
        while len(self.games) < min(self.at_once, len(numbers)):
            self.games.append(self.make())
        going = [game.begin(number) for game, number in zip(self.games, left, strict=False)]
        with traced(self.position, list, seed):
            while going and not stop[0]:
                asking: list[LeafGame] = []
                for i, game in enumerate(going):
                    row = self.logits[i], self.values[i], self.codes[len(asking)]
                    while game.go_on(*row, seed) == OVER:
                        keep(taken(game.out))
                        if (number := next(left, None)) is None:
                            break
                        game.begin(number)
                    else:
                        asking.append(game)
                going, n = asking, len(asking)
                if n:
                    self.logits[:n], self.values[:n] = predicted(
                        *(self.predict, self.codes[:n]),
                        *(self.logits.shape[1], self.values.shape[1]),
                    )


class LeafWorkers(Workers):
    """`Workers` for a network beside the kernel: a predictor that all threads ask."""

    def __init__(
        self,
        position: Position,
        sight: Sight,
        predict: Any,
        play: Play,
        select: Any,
        backup: Any,
        count: int,
        at_once: int = AT_ONCE,
    ) -> None:
        self.stop = np.zeros(1, np.int64)
        self.spec = position.rules.spec
        self.workers: list[Any] = [
            LeafWorker(position, sight, predict, play, select, backup, at_once)
            for _ in range(count)
        ]
        first = self.workers[0]
        first.games[0].begin(0).go_on(first.logits[0], first.values[0], first.codes[0], 0)
        self.threads: list[threading.Thread] = []
        self.pieces: list[PlayedRows] = []

    def _run(self, k: int, seed: int, first: int, end: int) -> None:
        worker = self.workers[k]
        worker.failure = None
        try:
            numbers = range(first, end, len(self.workers))
            worker.play_games(seed, numbers, self.stop, self.pieces.append)
        except Exception as error:
            worker.failure = error
            self.stop[0] = 1
