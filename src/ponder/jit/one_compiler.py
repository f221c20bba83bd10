"""One process compiles a kernel, the others wait for it: a lock beside the file to be.

Whoever holds a lock waits for nobody, so nobody waits in a circle: a thread takes one lock at most,
that of the outermost kernel it compiles, before any other; the callees that it compiles meanwhile
take none. Threads of one process compile one after the other anyway.

The system gives back the lock of a process that dies. A holder that neither ends nor gets on (it
was stopped) is waited for `PATIENCE` seconds; then the kernel is compiled here as well, which costs
time and harms nothing: files are written whole, and both write the same.
"""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

from numba.core import event

from ponder.files import UNFINISHED, lock

PATIENCE = 60.0
"""Seconds that a process waits for another one to compile what both need."""
WAITING = "ponder:waiting"
"""The event, of Numba's kind, that lasts while another process is waited for."""
_NAP = 0.02


class _Compiling(threading.local):
    depth = 0
    """How many kernels this thread compiles now, one inside the other."""
    lock: tuple[int, Path] | None = None


_now = _Compiling()


def compiled_once(compile: Callable[..., Any]) -> Callable[..., Any]:
    """The method `compile` of a dispatcher, after which the lock that was taken is given back."""

    @wraps(compile)
    def compiling(sig: Any) -> Any:
        _now.depth += 1
        try:
            return compile(sig)
        finally:
            _now.depth -= 1
            if _now.depth == 0 and _now.lock is not None:
                _give_back(*_now.lock)
                _now.lock = None

    return compiling


def take(path: Path) -> None:
    """Be the one that makes the file at `path`, or wait for the one that does: look again then.

    Does nothing for callees, and where there can be no locks.
    """
    if _now.depth != 1 or _now.lock is not None:
        return
    beside = path.with_name(f".{path.name}{UNFINISHED}")
    with contextlib.suppress(OSError):  # a folder that is only read
        _now.lock = _lock_at(beside)
        if _now.lock is None:
            with event.trigger_event(WAITING):
                until = time.monotonic() + PATIENCE
                while _now.lock is None and time.monotonic() < until:
                    time.sleep(_NAP)
                    _now.lock = _lock_at(beside)


def _lock_at(path: Path) -> tuple[int, Path] | None:
    """The lock with its path; None: another process has it, or has just given it back."""
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    held = False
    try:
        held = lock(handle) and os.path.samestat(os.fstat(handle), os.stat(path))
    except FileNotFoundError:
        pass  # removed by its holder after it was opened here
    finally:
        if not held:
            os.close(handle)
    return (handle, path) if held else None


def _give_back(handle: int, path: Path) -> None:
    with contextlib.suppress(OSError):
        path.unlink()  # while it is held: whoever takes this file for his lock sees that it is gone
    os.close(handle)
    with contextlib.suppress(OSError):
        if os.name == "nt":  # where an open file cannot be removed
            path.unlink()
