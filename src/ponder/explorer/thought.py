"""`Thought`: a search of one position to the end of its limits, in a thread of its own.

For an engine's move, a hint, or a judgement. Unlike a `Live` session nobody steers it: the engine
searches just as in a match, and the answer follows from position, limits and seed.
"""

from __future__ import annotations

import math
import time
from threading import Event, Thread
from typing import Any

from ponder.core.driver import Progress
from ponder.core.limits import Limit
from ponder.core.position import Position
from ponder.core.result import SearchResult, best_name, finite
from ponder.explorer.frames import update
from ponder.explorer.live import cleaned
from ponder.jit import CompileWatch, watching_compiler

LOOK = 0.02
"""Seconds between two looks at the thread."""
EVERY = 0.1
"""Seconds between two updates."""
PATIENCE = 0.5
"""Seconds of compiling that nobody needs to be told of."""
MOST_ROWS = 40


class Thought:
    """A `Job` of the worker that ends by itself."""

    def __init__(self, name: str, position: Position, engine: Any, limit: Limit, seed: int) -> None:
        self.name, self.running, self.seen = name, True, True
        self._watch = CompileWatch()
        self._stop, self._sent, self._told = Event(), 0.0, False
        self._progress: Progress | None = None
        self._result: SearchResult | None = None
        self._error: Exception | None = None
        options: dict[str, Any] = {"stop": self._stop, "progress": self._hear, "seed": seed}
        if not limit.is_empty:
            options["limit"] = limit
        self._thread = Thread(target=self._search, args=(engine, position, options), daemon=True)
        self._thread.start()

    def _search(self, engine: Any, position: Position, options: dict[str, Any]) -> None:
        try:
            with watching_compiler(self._watch):
                self._result = engine.search(position, **options)
        except Exception as error:
            self._error = error

    @property
    def stage(self) -> str:
        """compiling, while the search cannot begin for that; else empty."""
        waits = self._progress is None and self._watch.seconds > PATIENCE
        return "compiling" if waits and self._watch.busy else ""

    def _hear(self, progress: Progress) -> None:
        self._progress = progress

    def hurry(self) -> None:
        """Be content with what has been found."""
        self._stop.set()

    def end(self) -> None:
        """Nobody wants to know any more."""
        self._stop.set()
        self.running = False

    def due(self) -> float:
        return LOOK if self.running else math.inf

    def advance(self, arrived: Event) -> None:
        """Look whether the search has ended."""
        if self.running and not self._thread.is_alive():
            self.running = False
            if self._error is not None:
                raise self._error

    def wants_to_tell(self) -> bool:
        if self._result is not None and not self.running:
            return not self._told
        ready = self.seen and self.running and (self._progress is not None or self.stage != "")
        return ready and time.perf_counter() - self._sent >= EVERY

    def frame(self) -> bytes:
        self.seen, self._sent = False, time.perf_counter()
        header: dict[str, Any] = {"told": "update", "session": self.name, "done": not self.running}
        if self._result is not None and not self.running:
            self._told = True
            header |= outcome(self._result)
        elif self.stage:
            header["stage"] = self.stage
        elif self._progress is not None:
            header |= {
                "best": self._progress.best,
                "value": finite(self._progress.value),
                "effort": self._progress.simulations or self._progress.nodes or 0,
                "unit": self._progress.unit,
            }
        return update(header, None)


def outcome(result: SearchResult) -> dict[str, Any]:
    """What a page is told of a search that has ended."""
    return {
        "best": best_name(result),
        "choice": result.choice,
        "value": finite(result.value),
        "values": [finite(value) for value in result.values],
        "line": [move.name for move in result.pv],
        "effort": result.simulations or result.nodes or 0,
        "unit": "nodes" if result.simulations is None else "simulations",
        "seconds": result.seconds,
        "candidates": [cleaned(row.to_json()) for row in result.moves[:MOST_ROWS]],
        "engine": result.engine,
    }
