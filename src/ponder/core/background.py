"""`Background`: work in a thread of its own that can be paused, continued and dropped.

The work is ordinary Python that calls kernels made to be paused (`ponder.core.pausing`). They run
without Python's lock; pausing one lets it wait where it is, so nothing is lost.
"""

from __future__ import annotations

import atexit
import threading
import time
from collections.abc import Callable
from typing import Any
from weakref import WeakSet, finalize

import numpy as np

from ponder.core.interrupt import interruptible
from ponder.core.pausing import ENDING, LOOK_AT, NO_LIMIT, NODES, PAUSE_AT, RESTING, TURN, Ended

TICK = 0.02
"""Seconds between two looks at the clock."""
SHORT = 0.0001
"""Seconds: the first of ever longer waits for a kernel to come to rest."""


class _Outcome:
    """What became of the work: known to its thread, which must not know the `Background`."""

    error: BaseException | None = None


def _carry_out(work: Callable[[], None], outcome: _Outcome) -> None:
    try:
        work()
    except Ended:
        pass
    except BaseException as error:
        outcome.error = error


def _end(info: Any) -> None:
    """Let whatever works with this array return soon."""
    info[ENDING] = 1
    info[LOOK_AT] = 0


_alive: WeakSet[Background] = WeakSet()


@atexit.register
def _end_all() -> None:
    """No thread of ours runs on while Python is taken down."""
    for background in list(_alive):
        background.close(1.0)  # rules that never return must not keep Python from ending


class Background:
    """``work()`` in a thread of its own, begun by the first `proceed`, paused by way of `info`.

    Work that has ended may be begun again: `proceed` does so. When nobody holds the object any
    more, its thread ends: so `work` must not hold it.
    """

    def __init__(self, work: Callable[[], None], info: Any) -> None:
        self._work, self._info = work, info
        self._thread: threading.Thread | None = None
        self._outcome = _Outcome()
        self._dropped: Any = None

    @property
    def working(self) -> bool:
        """Is there a thread, at rest or not? (False: the work has not begun, or has ended.)"""
        return self._thread is not None and self._thread.is_alive()

    @property
    def resting(self) -> bool:
        """Does nothing go on?"""
        return not self.working or bool(self._info[RESTING] == self._info[TURN])

    def proceed(self, most: int | None, seconds: float | None) -> None:
        """Go on for a short while: until `most` more nodes, or the end, or at most `seconds`.

        Work that was left going is only waited for: it keeps the limit that it has.
        """
        info = self._info
        if self.resting:
            info[PAUSE_AT] = NO_LIMIT if most is None else info[NODES] + most
            info[TURN] += 1
            if not self.working:
                info[LOOK_AT] = 0  # the last limit may have been a later one
                self._begin()
        self._wait(TICK if seconds is None else min(TICK, max(seconds, SHORT)))
        if self._outcome.error is not None and not self.working:
            raise self._outcome.error

    def _begin(self) -> None:
        if self._dropped is None:
            self._dropped = finalize(self, _end, self._info)
            self._dropped.atexit = False  # see `_end_all`
            _alive.add(self)
        self._outcome = _Outcome()
        arguments = self._work, self._outcome
        self._thread = threading.Thread(target=_carry_out, args=arguments, daemon=True)
        self._thread.start()

    def _wait(self, seconds: float) -> None:
        """Until nothing goes on, at most for so long."""
        assert self._thread is not None
        end = time.perf_counter() + seconds
        if self._info[PAUSE_AT] == NO_LIMIT:
            self._thread.join(seconds)  # which ends at once when the thread does
            return
        length = SHORT
        while not self.resting and (left := end - time.perf_counter()) > 0.0:
            self._thread.join(min(length, left))
            length *= 2

    def pause(self) -> None:
        """Nothing goes on any more when this returns."""
        if self.resting:
            return
        self._info[PAUSE_AT] = 0
        self._info[TURN] += 1
        length = SHORT
        while not self.resting:
            self._info[LOOK_AT] = 0  # again and again: the kernel may just have set it itself
            self._thread.join(length)  # type: ignore[union-attr]
            length = min(2 * length, TICK)

    def close(self, seconds: float | None = None) -> None:
        """End the work, wherever it is; wait for that, at most for so many seconds."""
        if self._thread is None or self._dropped is None:
            return
        _end(self._info)
        self._thread.join(seconds)
        self._dropped.detach()  # the array may serve another search from now on


def new_stop_cell() -> Any:
    """An array of one number: 0 while the kernel may go on."""
    return np.zeros(1, np.int64)


def run_until(
    call: Callable[[], Any],
    cell: Any,
    *,
    stop: threading.Event | None = None,
    progress: Callable[[], None] | None = None,
) -> tuple[Any, str | None]:
    """Run ``call()``; returns its result and what stopped it: stop, interrupt or None.

    For kernels that can be stopped, not paused: when something stops it, cell[0] is set to 1 and
    the call is expected to return soon with whatever it has.
    """
    found: list[Any] = []
    outcome = _Outcome()
    thread = threading.Thread(
        target=_carry_out, args=(lambda: found.append(call()), outcome), daemon=True
    )
    reason: str | None = None
    with interruptible() as interrupt:
        thread.start()
        while thread.is_alive():
            thread.join(TICK)
            if reason is None and thread.is_alive():
                if interrupt.is_set():
                    reason = "interrupt"
                elif stop is not None and stop.is_set():
                    reason = "stop"
                elif progress is not None:
                    progress()
                if reason is not None:
                    cell[0] = 1
        if interrupt.is_set():  # also one that came with the end
            reason = "interrupt"
    if outcome.error is not None:
        raise outcome.error
    return found[0], reason
