"""`AtOnceSession`: a session of an engine that cannot be looked into: it answers all at once."""

from __future__ import annotations

import secrets
from typing import Any

from ponder.core.driver import Progress
from ponder.core.history import History
from ponder.core.limits import Limit
from ponder.core.position import Position, check_searchable
from ponder.core.result import SearchResult
from ponder.core.session import Session
from ponder.errors import InputError


class AtOnceRun:
    """A `ponder.core.driver.Run` of one piece: the engine's whole search."""

    unit = "nodes"
    milestone = 0

    def __init__(self, history: History) -> None:
        self._history, self._limit = history, Limit()
        self.result: SearchResult | None = None

    @property
    def done(self) -> int:
        return 0 if self.result is None else 1

    @property
    def ended(self) -> str | None:
        return None if self.result is None else self.result.stopped_by

    def allow(self, limit: Limit) -> None:
        self._limit = limit

    def proceed(self, most: int | None, seconds: float | None) -> None:
        asked = self._history
        self.result = asked.engine.search(asked.position, self._limit, seed=asked.seed)

    def pause(self) -> None:
        pass

    def more(self, share: float, limit: int | None) -> int:
        return 0

    def told(self, seconds: float) -> Progress:
        return Progress(seconds)


class AtOnceSession(Session):
    """The first `run` asks the engine, with its limits; nothing is left to do afterwards."""

    limits = ("seconds", "simulations", "nodes", "depth")

    def begun(self) -> AtOnceRun:
        return AtOnceRun(self._history)

    def reported(self, run: AtOnceRun, seconds: float, stopped_by: str) -> SearchResult:
        if run.result is None:
            raise InputError(f"{self._name} answers all at once: run it before asking for a result")
        return run.result


def start_at_once(engine: Any, position: Position, seed: int | None = None) -> AtOnceSession:
    """A session of any engine that has ``search``."""
    check_searchable(position)
    return AtOnceSession(History(position, engine, secrets.randbits(31) if seed is None else seed))
