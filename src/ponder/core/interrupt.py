"""Ctrl-C: heard at any moment, and never lost.

Python hears a signal in its main thread only, between two steps of Python: not while machine code
runs, and what is raised while the compiler calls Python back is ignored. Three parts mend that:

- `interruptible`, a block for whoever can stop by itself: Ctrl-C is a question there. One press is
  for all the blocks that stand in each other, and one that nobody looked at is raised at the end.
- A thread that only listens. The main thread's signals are written to its pipe at once, whatever
  that thread does, and where nothing has come of a press within `PATIENCE` it ends the process.
- `insisting` and `watched` say which press that is: in a program of somebody's the second one, in
  the block that calls rules which may never return; on the command line the first one, always.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

PATIENCE = 1.5
"""Seconds that Ctrl-C leaves to what is going on before the process ends."""
INTERRUPTED = 130
"""The status of a process that Ctrl-C has ended."""


class Press:
    """What `interruptible` yields: has Ctrl-C been pressed?"""

    __slots__ = ("answered", "pressed")

    def __init__(self) -> None:
        self.pressed = False
        self.answered = False
        """Has whoever asks seen it?"""

    def is_set(self) -> bool:
        """Has it been? Whoever asks and hears yes must stop: nobody else will."""
        if self.pressed:
            self.answered = True
        return self.pressed


_asked: Press | None = None  # of the outermost `interruptible` that goes on


@contextlib.contextmanager
def interruptible() -> Iterator[Press]:
    """Inside the block Ctrl-C sets what is yielded instead of raising KeyboardInterrupt.

    A second one raises it; so does the end of the outermost block where nobody asked any more.
    Only the main thread gets signals; elsewhere nothing is ever set.
    """
    global _asked
    if threading.current_thread() is not threading.main_thread():
        yield Press()
        return
    if _asked is not None:
        yield _asked
        return
    asked = Press()

    def handle(number: int, frame: FrameType | None) -> None:
        _note()
        if asked.pressed:
            raise KeyboardInterrupt
        asked.pressed = True

    before = signal.getsignal(signal.SIGINT)
    signal.signal(signal.SIGINT, handle)
    try:
        _asked = asked
        with insisting():
            yield asked
    finally:
        _asked = None
        signal.signal(signal.SIGINT, before)
    if asked.pressed and not asked.answered:
        raise KeyboardInterrupt


@contextlib.contextmanager
def insisting() -> Iterator[None]:
    """Inside the block a second Ctrl-C ends the process, whatever the main thread is doing.

    The first one does what it does elsewhere. Nothing happens outside the main thread.
    """
    global _block
    if threading.current_thread() is not threading.main_thread() or _watched():
        yield
        return
    outer, _block = _block, _Block(2, _say_rules)
    before = signal.set_wakeup_fd(_wake_end(), warn_on_full_buffer=False)
    try:
        yield
    finally:
        _block.left.set()
        _block = outer
        signal.set_wakeup_fd(before)


@contextlib.contextmanager
def watched(say: Callable[[str], None]) -> Iterator[Callable[[], bool]]:
    """Inside the block, a whole command line, one Ctrl-C ends the process, with one line.

    It raises KeyboardInterrupt in the main thread. Where the compiler is at work, or a module is
    imported, that would be lost or do harm: there the process ends at once. Nothing is lost: files
    are written whole or not at all. What is yielded tells whether a press stands unanswered.
    """
    global _block
    block = _Block(1, lambda: say("interrupted"))

    def handle(number: int, frame: FrameType | None) -> None:
        _note()
        if _beyond_python(frame):
            _end(block)
        raise KeyboardInterrupt

    before = signal.getsignal(signal.SIGINT)
    outer, _block = _block, block
    wake = signal.set_wakeup_fd(_wake_end(), warn_on_full_buffer=False)
    signal.signal(signal.SIGINT, handle)
    try:
        yield lambda: block.noted
    finally:
        signal.signal(signal.SIGINT, before)
        block.left.set()
        _block = outer
        signal.set_wakeup_fd(wake)


@contextlib.contextmanager
def last_words(say: Callable[[], None]) -> Iterator[None]:
    """If Ctrl-C has to end the process within the block, `say` is called instead of the one line.

    It may run in any thread, beside whatever the main thread does.
    """
    block = _block
    if block is None or not _watched():
        yield
        return
    before, block.say = block.say, say
    try:
        yield
    finally:
        block.say = before


def answered() -> None:
    """The last Ctrl-C was taken for something else than the end, and the program goes on."""
    block = _block
    if block is not None:
        block.answered = time.monotonic()
        block.pressed, block.noted = 0, False


CAN_MASK = hasattr(signal, "pthread_sigmask")
"""Can Ctrl-C be held back while a process begins? Not on Windows; nothing begins plain there."""


@contextlib.contextmanager
def unheard() -> Iterator[None]:
    """Processes that are begun in the block never hear Ctrl-C: who began them ends them."""
    if not CAN_MASK:
        yield
        return
    masked = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, masked)


def begin_again(command: list[str]) -> None:
    """Become another command line of Ponder: it hears what was pressed while Python began."""
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    os.execv(command[0], command)


class _Block:
    """One block that is being run."""

    def __init__(self, presses: int, say: Callable[[], None]) -> None:
        self.presses, self.say = presses, say
        """How many end the process, and what is said then."""
        self.pressed = 0
        """How many the thread that listens has heard."""
        self.noted = False
        """Has the main thread heard one?"""
        self.left = threading.Event()
        self.answered = 0.0


_block: _Block | None = None
_pipe: tuple[int, int] | None = None  # the process, and where its signals are written to


def _note() -> None:
    if _block is not None:
        _block.noted = True


def _watched() -> bool:
    return _block is not None and _block.presses == 1


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
        if block is None or not pressed:
            continue
        heard = time.monotonic()
        block.pressed += pressed
        if block.pressed < block.presses or block.left.wait(PATIENCE):
            continue
        if block.answered < heard - PATIENCE / 2:  # the answer may have come before the news
            _end(block)
        block.pressed = 0


def _beyond_python(frame: FrameType | None) -> bool:
    """Is the compiler at work here, or is a module imported?"""
    while frame is not None:
        name = frame.f_globals.get("__name__", "")
        if name == "importlib._bootstrap" or name.partition(".")[0] in ("numba", "llvmlite"):
            return True
        frame = frame.f_back
    return False


def _say_rules() -> None:
    clear = "\r\x1b[K" if sys.stderr.isatty() else ""
    sys.stderr.write(f"{clear}ponder: interrupted: the rules did not return\n")


def _end(block: _Block) -> None:
    """The last resort: no handler, no clearing up, but what was said is not lost."""
    with contextlib.suppress(Exception):
        block.say()
    leave()


def leave() -> None:
    """End this process and those that it has begun, now, with the status of Ctrl-C."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(Exception):
            stream.flush()
    processes: Any = sys.modules.get("multiprocessing")
    if processes is not None:
        with contextlib.suppress(Exception):
            for child in processes.active_children():
                child.kill()
    os._exit(INTERRUPTED)
