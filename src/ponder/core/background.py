"""Running a kernel that cannot be cut into pieces (a recursion) so that it can still be stopped.

The kernel runs in a thread of its own, without the GIL, and looks at a stop cell at every node
(``read_now(stop, 0)``); meanwhile this thread watches the clock, the stop event and Ctrl-C.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from ponder.core.interrupt import interruptible

TICK = 0.02
"""Seconds between two looks at the clock, and between two words of progress at the least."""


def new_stop_cell() -> Any:
    """An array of one number: 0 while the kernel may go on."""
    return np.zeros(1, np.int64)


def run_until(
    call: Callable[[], Any],
    cell: Any,
    *,
    deadline: float | None = None,
    stop: threading.Event | None = None,
    progress: Callable[[], None] | None = None,
) -> tuple[Any, str | None]:
    """Run ``call()``; returns its result and what stopped it: seconds, stop, interrupt or None.

    `deadline` is a time of ``time.perf_counter()``. When something stops it, cell[0] is set to 1
    and the call is expected to return soon with whatever it has.
    """
    outcome: dict[str, Any] = {}

    def work() -> None:
        try:
            outcome["result"] = call()
        except BaseException as error:
            outcome["error"] = error

    reason: str | None = None
    thread = threading.Thread(target=work, daemon=True)
    with interruptible() as interrupt:
        thread.start()
        wait = 0.001
        while True:
            if deadline is not None:
                wait = max(0.0, min(wait, deadline - time.perf_counter()))
            thread.join(wait)
            if not thread.is_alive():
                break
            if interrupt.is_set():
                reason = "interrupt"
            elif stop is not None and stop.is_set():
                reason = "stop"
            elif deadline is not None and time.perf_counter() >= deadline:
                reason = "seconds"
            if reason is not None:
                cell[0] = 1
                thread.join()
                break
            if progress is not None and wait >= TICK:
                progress()
            wait = min(2 * wait + 0.001, TICK)
    if "error" in outcome:
        raise outcome["error"]
    return outcome["result"], reason
