"""Between two moves of a game: keeping the tree, and thinking in the opponent's time.


ponderer = Ponderer(MCTS())
ponderer.start(position_after_my_move, result.tree)
...                                     # the opponent thinks
tree = ponderer.stop()
MCTS().search(position_after_the_answer, seconds=1, tree=tree)
"""

from __future__ import annotations

from threading import Event, Thread
from typing import TYPE_CHECKING, Any, Unpack

from ponder.core.engine import Engine, SessionOptions, Traits, run_search, start_session
from ponder.core.limits import UNLIMITED, Limit
from ponder.core.position import Position
from ponder.core.registry import part_text
from ponder.core.result import SearchResult
from ponder.core.session import Session
from ponder.errors import PonderError
from ponder.mcts.carry import useful_tree
from ponder.mcts.parts import memory_for, parts_of
from ponder.mcts.view import SearchTree

if TYPE_CHECKING:
    from ponder.mcts.engine import MCTSOptions


class Remembering:
    """`engine` for one seat of one game: what it found out about the moves that were then played
    is where its next search begins.

    A limit of simulations counts the new ones.
    """

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.tree: Any = None

    def __repr__(self) -> str:
        return part_text(self.engine)

    @property
    def traits(self) -> Traits:
        return self.engine.traits

    @property
    def limit(self) -> Limit:
        return self.engine.limit

    def resolve(self, position: Position, /) -> Engine:
        return self.engine.resolve(position)

    def new_game(self) -> Remembering:
        """The player for another seat, or another game."""
        return Remembering(self.engine)

    def new_session(self, position: Position, options: SessionOptions, /) -> Session[Any]:
        return self.engine.resolve(position).new_session(position, options)

    def start(
        self, position: Position, *, seed: int | None = None, plan: Limit = UNLIMITED
    ) -> Session[Any]:
        """As the engine's own: a session remembers nothing."""
        return start_session(self.engine, position, SessionOptions(seed, plan))

    def search(
        self, position: Position, limit: Limit | None = None, **options: Unpack[MCTSOptions]
    ) -> SearchResult:
        """As the engine's own."""
        tree = useful_tree(self.tree, position)
        result = run_search(self.engine, position, limit, {**options, "tree": tree})
        self.tree = result.tree
        return result


LONGEST = 3600.0
"""Seconds after which a search that nobody stops ends by itself."""


class Ponderer:
    """Searches one position at a time in a thread of its own."""

    def __init__(self, engine: Engine) -> None:
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
        engine = self.engine.resolve(position)
        position = position.for_kernels()
        parts = parts_of(engine, position)
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
            options = {"stop": stop, "tree": tree}
            found = run_search(self.engine, position, Limit(seconds=LONGEST), options)
        except PonderError:
            return  # the engine will meet the same when it is its turn, and say so
        self._tree = found.tree
