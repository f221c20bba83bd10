"""`WorkRun`: a piece of work with one end (solving, proving, iterating) as the driver sees it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from ponder.core.background import Background
from ponder.core.driver import Progress
from ponder.core.limits import Limit, StopReason
from ponder.core.pausing import NODES


class _Once:
    """Work that is done once; says when it is."""

    def __init__(self, work: Callable[[], None]) -> None:
        self.work, self.done = work, False

    def __call__(self) -> None:
        self.work()
        self.done = True


class WorkRun:
    """A `ponder.core.driver.Run` of ``work()``, which counts nodes in `info` and may be paused."""

    unit: Literal["nodes"] = "nodes"
    milestone = 0
    nbytes = 0

    def __init__(
        self,
        work: Callable[[], None],
        info: Any,
        doing: Callable[[], str] = lambda: "",
        end: Callable[[], StopReason] = lambda: "solved",
        rules: Any = None,
    ) -> None:
        """`doing`: what is being done, in words; `end`: why nothing is left, once that is so;
        `rules`: those whose states must fit into memory."""
        self._rules = rules
        self._info, self._work, self._doing, self._end = info, _Once(work), doing, end
        self._background = Background(self._work, info)

    def prepare(self) -> Any:
        """Allocate and compile; nothing, where the work has been made by then."""
        return self

    @property
    def done(self) -> int:
        return int(self._info[NODES])

    @property
    def ended(self) -> StopReason | None:
        if self._work.done:
            return self._end()
        return "memory" if self._rules is not None and self._rules.full else None

    def allow(self, limit: Limit) -> None:
        pass

    def proceed(self, most: int | None, seconds: float | None) -> None:
        self._background.proceed(most, seconds)

    def pause(self) -> None:
        self._background.pause()

    def close(self) -> None:
        self._background.close()

    def more(self, share: float, limit: int | None) -> int:
        return 0

    def told(self, seconds: float) -> Progress:
        return Progress(seconds, nodes=self.done, doing=self._doing())

    def copy(self) -> None:
        """A recursion cannot be copied."""
