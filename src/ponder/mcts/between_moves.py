"""Between two moves of a game: keeping the tree, and thinking in the opponent's time.


ponderer = Ponderer(MCTS())
ponderer.start(position_after_my_move, result.tree)
...                                     # the opponent thinks
tree = ponderer.stop()
MCTS().search(position_after_the_answer, seconds=1, tree=tree)
"""

from __future__ import annotations

from threading import Event, Thread
from typing import Any

from ponder.core.limits import Limit
from ponder.core.position import Position
from ponder.core.registry import part_text
from ponder.core.result import SearchResult
from ponder.errors import PonderError
from ponder.mcts.carry import useful_tree
from ponder.mcts.evaluate.function import as_rule
from ponder.mcts.parts import memory_for, parts_of
from ponder.mcts.view import SearchTree


class Remembering:
    """`engine` for one seat of one game: what it found out about the moves that were then played
    is where its next search begins.

    A limit of simulations counts the new ones.
    """

    def __init__(self, engine: Any) -> None:
        self.engine = engine
        self.tree: Any = None

    def __repr__(self) -> str:
        return part_text(self.engine)

    def search(
        self, position: Position, limit: Limit | None = None, **options: Any
    ) -> SearchResult:
        """As the engine's own."""
        tree = useful_tree(self.tree, position)
        result: SearchResult = self.engine.search(position, limit, tree=tree, **options)
        self.tree = result.tree
        return result


LONGEST = 3600.0
"""Seconds after which a search that nobody stops ends by itself."""


class Ponderer:
    """Searches one position at a time in a thread of its own."""

    def __init__(self, engine: Any) -> None:
        self.engine = engine
        self._stop = Event()
        self._thread: Thread | None = None
        self._tree: SearchTree | None = None

    def start(self, position: Position, tree: SearchTree | None = None) -> None:
        """Begin to search `position`, continuing `tree`; an earlier search is ended first."""
        self.stop()
        self.check(position)
        self._stop, self._tree = Event(), tree
        # a daemon: nobody waits for it when the program ends without `stop`
        self._thread = Thread(target=self._search, args=(position, tree, self._stop), daemon=True)
        self._thread.start()

    def check(self, position: Position) -> None:
        """Refuse an engine that cannot search without an end in sight (`sequential_halving`)."""
        position = position.for_kernels()
        engine = self.engine.fitted(position) if hasattr(self.engine, "fitted") else self.engine
        parts = parts_of(engine._replace(evaluate=as_rule(engine.evaluate)), position)
        memory_for(parts, position.rules.spec, simulations=None)

    def stop(self) -> SearchTree | None:
        """End the search; its tree, or the one it began with if it found nothing."""
        if self._thread is not None:
            self._stop.set()
            self._thread.join()
            self._thread = None
        return self._tree

    def _search(self, position: Position, tree: SearchTree | None, stop: Event) -> None:
        try:
            found = self.engine.search(position, seconds=LONGEST, stop=stop, tree=tree)
        except PonderError:
            return  # the engine will meet the same when it is its turn, and say so
        self._tree = found.tree
