"""Ctrl-C during a search: the first one asks it to stop, a second one is as rude as ever."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator
from typing import Any


@contextlib.contextmanager
def interruptible() -> Iterator[threading.Event]:
    """Inside the block Ctrl-C sets the yielded event instead of raising KeyboardInterrupt.

    Only the main thread gets signals; elsewhere the event simply stays unset.
    """
    pressed = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield pressed
        return

    def handle(number: int, frame: Any) -> None:
        if pressed.is_set():
            raise KeyboardInterrupt
        pressed.set()

    before = signal.getsignal(signal.SIGINT)
    signal.signal(signal.SIGINT, handle)
    try:
        yield pressed
    finally:
        signal.signal(signal.SIGINT, before)
