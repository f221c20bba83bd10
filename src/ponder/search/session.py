"""Sessions of the classical searches: alpha-beta, minimax, max^n, expectiminimax and the others.

    session = AlphaBeta().start(position("othello"))
    session.run(seconds=1)
    session.run(depth=8)       # continues where it was
    session.step()             # one more node
    session.result()
    session.events(since=1000)

The moment is the number of nodes visited. The recursion runs in a thread of its own and waits
inside while the session is paused (`ponder.core.pausing`). It cannot be copied; but nothing about
it is random, so going back is to begin anew and run to that node: some millions a second.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, Self

from ponder.core.compiled import patience
from ponder.core.driver import Progress, drive
from ponder.core.engine import OnProgress, Stop
from ponder.core.events import Event
from ponder.core.history import History
from ponder.core.limits import Limit, StopReason
from ponder.core.pausing import ABORTED, NODES, abort_at
from ponder.core.position import Position
from ponder.core.result import SearchResult
from ponder.core.session import Capability, Session
from ponder.jit import COMPILED
from ponder.search.events import NO_TRACE, EventLog
from ponder.search.work import WorkRun

AT_ONCE, AT_ONCE_BY_TABLE = (20_000, 2_000) if COMPILED else (20, 20)
"""Nodes that take about a millisecond, of a search without a table and with one: searched without a
thread of their own."""
MOST_EVENTS = 1_000_000


class Course:
    """Depth after depth: what the thread of a search carries out.

    A `searcher` searches one depth (``search(depth)``) and keeps what it finds: see `Deepening`
    and `ponder.search.searcher`. `plan`: the depth that was announced, where some are left out.
    """

    def __init__(self, searcher: Any, plan: int | None) -> None:
        self.searcher = searcher
        self.target = longest = searcher.longest
        self.first = min(plan or longest, longest) if searcher.straight(plan) else 1
        self.finished = 0

    @property
    def next(self) -> int:
        """The depth that is searched now, or next."""
        return self.finished + 1 if self.finished else self.first

    @property
    def ended(self) -> StopReason | None:
        if self.searcher.ended is not None:
            found: StopReason = self.searcher.ended
            return found
        return "depth" if self.finished >= self.target else None

    def go_on(self) -> None:
        """Search until nothing is left to do."""
        while self.ended is None and self.search_next():
            pass

    def search_next(self) -> bool:
        """Search one depth; False if it was told to end."""
        depth = self.next
        self.searcher.search(depth)
        if self.searcher.info[ABORTED]:
            return False
        self.finished = depth
        return True

    def told(self, seconds: float) -> Progress:
        best, value = self.searcher.told()
        nodes, doing = int(self.searcher.info[NODES]), f"depth {self.next}"
        return Progress(seconds, None, nodes, self.finished, best, value, doing)


class DepthRun(WorkRun):
    """A `ponder.core.driver.Run` of a course, of the searcher that `make` makes."""

    searcher: Any
    course: Course

    def __init__(self, make: Callable[[], Any], plan: int | None) -> None:
        self._make, self._plan, self._closed = make, plan, False

    def prepare(self) -> Self:
        self.searcher = self._make()
        self.course = Course(self.searcher, self._plan)
        super().__init__(self.course.go_on, self.searcher.info)
        return self

    @property
    def ended(self) -> StopReason | None:
        if self.course.ended is not None:
            return self.course.ended
        return "memory" if self.searcher.position.rules.full else None

    @property
    def milestone(self) -> int:  # type: ignore[override]
        return self.course.finished

    def allow(self, limit: Limit) -> None:
        self.course.target = min(limit.depth or self.searcher.longest, self.searcher.longest)

    def close(self) -> None:
        """End it for good; its arrays may serve another search."""
        super().close()
        if not self._closed:
            self._closed = True  # what is handed back may be another's by now
            self.searcher.hand_back()

    def told(self, seconds: float) -> Progress:
        return self.course.told(seconds)


CAPABILITIES = Capability.STEP | Capability.REWIND | Capability.SAVE | Capability.EVENTS
"""Of every recursion, whose nodes are counted."""


class ClassicalSession(Session[DepthRun]):
    """A search of the minimax family in progress; the moment is the number of nodes visited."""

    def __init__(self, history: History, searcher: Callable[[Any], Any]) -> None:
        """`searcher` makes one, given a part of `ponder.search.events`."""
        super().__init__(history, CAPABILITIES)
        self._searcher = searcher

    def _new_run(self) -> DepthRun:
        return DepthRun(partial(self._searcher, NO_TRACE), self._history.depth)

    def _drive(
        self,
        limit: Limit,
        stops: tuple[Stop, ...],
        progress: Callable[[Progress], object] | None,
        since: int,
    ) -> StopReason:
        """A depth, if it is the only limit, is announced by the first run: searches that shallow
        depths do not help go straight there."""
        alone = limit.depth if limit.seconds is None and limit.nodes is None else None
        if alone is not None and self.moment == 0 and self._history.depth is None:
            self._history = replace(self._history, depth=alone)
            searcher = self._run.searcher
            self._run = DepthRun(lambda: searcher, alone).prepare()
        return super()._drive(limit, stops, progress, since)

    def _report(self, run: DepthRun, seconds: float, reason: StopReason) -> SearchResult:
        run.pause()
        result: SearchResult = run.searcher.report(reason, seconds, self.seed)
        return result.told_of(self.position)

    def events(self, since: int = 0, most: int = MOST_EVENTS) -> list[Event]:
        """What has happened after the moment `since`, up to now: the first `most` events.

        See `ponder.search.events` for what they say.
        """
        self._require(Capability.EVENTS)
        with self._turn:
            self._run.pause()
            now, searcher = self.moment, self._run.searcher
        if since >= now:
            return []
        plies = searcher.longest + 2
        log = EventLog(searcher.position, plies, since=since, most=most, vector=searcher.vector)
        with log.deaf():
            run = DepthRun(partial(self._searcher, log.part), self._history.depth).prepare()
        drive(run, Limit(nodes=now), exact=True)
        try:
            return log.events(now, run.searcher.event_utility)
        finally:
            run.close()

    def close(self) -> None:
        """End it: it can be asked for nothing more."""
        self._run.close()


def searched_at_once(
    searcher: Any,
    position: Position,
    depth: int,
    progress: OnProgress | None = None,
) -> SearchResult | None:
    """A whole search to this depth here and now; None if it takes more than a few nodes.

    No session, no thread, no stop: a short search takes less time than these.
    """
    began = time.perf_counter()
    course = Course(searcher, depth)
    course.target = min(depth, course.target)
    abort_at(searcher.info, AT_ONCE_BY_TABLE if searcher.engine.table else AT_ONCE)
    try:
        with patience(position.game):
            while course.ended is None:
                if not course.search_next():
                    return None
        seconds = time.perf_counter() - began
        if progress is not None:
            progress(course.told(seconds))
        result: SearchResult = searcher.report(course.ended, seconds, 0)
        return result.told_of(position)
    finally:
        searcher.hand_back()
