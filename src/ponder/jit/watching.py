"""What the compiler does in this process, for whoever waits for it."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

from numba.core import event

from ponder.jit.one_compiler import WAITING

COMPILES = "numba:compile"
"""The compiler's own event: it lasts while a function is compiled."""
FILES: dict[str, None] = {}
"""Files of compiled code that this process has loaded or written, in that order."""


class CompileWatch(event.Listener):  # type: ignore[misc]
    """How many functions have been compiled since it began, which one is, and how long it took."""

    def __init__(self, begun: Callable[[], None] = lambda: None) -> None:
        self.functions, self.name = 0, ""
        self._begun, self._lock, self._files = begun, threading.Lock(), len(FILES)
        self._depth, self._since, self._before = 0, 0.0, 0.0

    @property
    def busy(self) -> bool:
        return self._depth > 0

    @property
    def seconds(self) -> float:
        """That the compiler was at work."""
        return self._before + (time.monotonic() - self._since if self.busy else 0.0)

    @property
    def files(self) -> list[str]:
        """Files of compiled code that were used meanwhile."""
        return list(FILES)[self._files :]

    def on_start(self, event: Any) -> None:
        with self._lock:
            self._depth += 1
            if self._depth == 1:
                self._since = time.monotonic()
        if isinstance(event.data, dict) and "dispatcher" in event.data:
            self.functions += 1
            name = event.data["dispatcher"].py_func.__qualname__
            self.name = self.name if "<" in name else name  # not the compiler's own
        elif event.kind == WAITING:
            self.name = "by another program that needs the same"
        self._begun()

    def on_end(self, event: Any) -> None:
        with self._lock:
            self._depth -= 1
            if self._depth == 0:
                self._before += time.monotonic() - self._since


@contextlib.contextmanager
def watching_compiler(watch: CompileWatch) -> Iterator[CompileWatch]:
    """Have the watch told of all that is compiled inside the block, here or elsewhere for it."""
    for kind in (COMPILES, WAITING):
        event.register(kind, watch)
    try:
        yield watch
    finally:
        for kind in (COMPILES, WAITING):
            event.unregister(kind, watch)
