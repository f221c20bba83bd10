"""`AtOnceSession`: a session of an engine that cannot be looked into: it answers all at once."""

from __future__ import annotations

import secrets
from typing import Literal

from ponder.core.driver import Progress
from ponder.core.engine import QuickEngine, SessionOptions, name_of
from ponder.core.history import History
from ponder.core.limits import UNLIMITED, Limit, StopReason
from ponder.core.position import Position, check_searchable
from ponder.core.result import SearchResult
from ponder.core.session import NOTHING, Session
from ponder.errors import InputError


class AtOnceRun:
    """A `ponder.core.driver.Run` of one piece: the engine's whole search."""

    unit: Literal["nodes"] = "nodes"
    milestone = 0

    def __init__(self, engine: QuickEngine, history: History) -> None:
        self._engine, self._history, self._limit = engine, history, UNLIMITED
        self.result: SearchResult | None = None

    def prepare(self) -> None:
        """There is nothing to prepare."""

    @property
    def done(self) -> int:
        return 0 if self.result is None else 1

    @property
    def ended(self) -> StopReason | None:
        return None if self.result is None else self.result.stopped_by

    def allow(self, limit: Limit) -> None:
        self._limit = limit

    def proceed(self, most: int | None, seconds: float | None) -> None:
        asked = self._history
        self.result = self._engine.search_small(asked.position, self._limit, {"seed": asked.seed})

    def pause(self) -> None:
        pass

    def more(self, share: float, limit: int | None) -> int:
        return 0

    def told(self, seconds: float) -> Progress:
        return Progress(seconds)

    def copy(self) -> None:
        """What is answered at once is not gone back into."""


class AtOnceSession(Session[AtOnceRun]):
    """The first `run` asks the engine, with its limits; nothing is left to do afterwards."""

    def __init__(self, engine: QuickEngine, history: History) -> None:
        super().__init__(history, NOTHING)
        self._answers = engine

    def _new_run(self) -> AtOnceRun:
        return AtOnceRun(self._answers, self._history)

    def _report(self, run: AtOnceRun, seconds: float, reason: StopReason) -> SearchResult:
        if run.result is None:
            name = name_of(self._answers)
            raise InputError(f"{name} answers all at once: run it before asking for a result")
        return run.result


def answering_session(
    engine: QuickEngine, position: Position, options: SessionOptions
) -> AtOnceSession:
    """A session of an engine whose `search_small` always answers."""
    check_searchable(position)
    seed = secrets.randbits(31) if options.seed is None else options.seed
    return AtOnceSession(engine, History(position, engine, seed))
