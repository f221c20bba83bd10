"""Ctrl-C during a search: the first one asks it to stop, a second one insists.

A kernel that never returns (an endless loop in somebody's rules) keeps the main thread from hearing
any signal. It does not hold Python's lock, though: the second Ctrl-C wakes another thread, which
gives the main thread `PATIENCE` seconds and then ends the process. Whoever calls a kernel from the
main thread with rules that nobody knows does so in `interruptible` or `insisting`.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Iterator
from typing import Any

PATIENCE = 2.0
"""Seconds that a second Ctrl-C leaves to a search before the process ends."""
INTERRUPTED = 130
"""The status of a process that Ctrl-C has ended."""


@contextlib.contextmanager
def interruptible() -> Iterator[threading.Event]:
    """Inside the block Ctrl-C sets the yielded event instead of raising KeyboardInterrupt.

    A second one raises it; where nothing hears of that, the process ends with one line and status
    130. Only the main thread gets signals; elsewhere the event simply stays unset.
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
        with insisting():
            yield pressed
    finally:
        signal.signal(signal.SIGINT, before)


@contextlib.contextmanager
def insisting() -> Iterator[None]:
    """Inside the block a second Ctrl-C ends the process, whatever the main thread is doing.

    The first one does what it does elsewhere. Nothing happens outside the main thread.
    """
    global _block
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    wake = _wake_end()
    outer, _block = _block, _Block()
    before = signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    try:
        yield
    finally:
        _block.left.set()
        _block = outer
        signal.set_wakeup_fd(before)


class _Block:
    """One block that is being run."""

    def __init__(self) -> None:
        self.pressed = 0
        self.left = threading.Event()


_block: _Block | None = None
_pipe: tuple[int, int] | None = None  # the process, and where its signals are written to


def _wake_end() -> int:
    """Where signals are written to; the thread that reads them is started once per process."""
    global _pipe
    if _pipe is None or _pipe[0] != os.getpid():  # a forked process has no such thread
        read, write = os.pipe()
        os.set_blocking(write, False)
        threading.Thread(target=_listen, args=(read,), daemon=True).start()
        _pipe = os.getpid(), write
    return _pipe[1]


def _listen(read: int) -> None:
    while True:
        pressed = os.read(read, 64).count(signal.SIGINT)
        block = _block
        if block is not None and pressed:
            block.pressed += pressed
            if block.pressed > 1 and not block.left.wait(PATIENCE):
                _end()


def _end() -> None:
    """The last resort: no handler, no clearing up, but what was said is not lost."""
    with contextlib.suppress(Exception):
        sys.stdout.flush()
    clear = "\r\x1b[K" if sys.stderr.isatty() else ""
    with contextlib.suppress(Exception):
        sys.stderr.write(f"{clear}ponder: interrupted: the rules did not return\n")
        sys.stderr.flush()
    os._exit(INTERRUPTED)
