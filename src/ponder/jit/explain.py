"""What the compiler says, for people: errors in one line, and a word when it takes long."""

from __future__ import annotations

import contextlib
import os
import re
import threading
from collections.abc import Callable, Iterator
from typing import Any

from numba.core import errors, event

from ponder.errors import CompileError


@contextlib.contextmanager
def explained(what: str) -> Iterator[None]:
    """Turn a page of Numba into one line that names the part, the place and the fault."""
    try:
        yield
    except Exception as error:
        fault = compile_error(what, error)
        if fault is None:
            raise
        raise fault from None


def compile_error(what: str, error: Exception) -> CompileError | None:
    """What the compiler says with this error, in one line; None if it comes from elsewhere."""
    if isinstance(error, errors.NumbaError):
        return CompileError(f"{what} does not compile: {summary(str(error))}")
    if isinstance(error, KeyError):  # how Numba says that a record lacks a field
        return CompileError(f"{what} does not compile: no field {error} in the state record")
    return None


_FAULT = re.compile(
    r"^(?:\w*Error: )?(Unknown attribute .*|NameError: .*|Cannot unify .*|Untyped global name .*|"
    r"Unsupported .*|Use of unsupported .*|No implementation of function Function\(<built-in .*|"
    r"cannot .*|.*not supported.*|Cannot .*|Undefined variable .*|.* is not .*)$"
)


def summary(message: str) -> str:
    """The innermost complaint of a Numba message and the source line it is about.

    Numba tells the innermost fault first and then the chain of callers.
    """
    message = re.sub(r"\x1b\[[\d;]*m", "", message)
    lines = [line.strip() for line in message.splitlines() if line.strip()]
    faults = [found[1] for line in lines if (found := _FAULT.match(line))]
    shown = [i for i, line in enumerate(lines) if line.startswith(">>> ")]
    fault = (
        faults[0]
        if faults
        else next(
            (line for line in lines if not line.startswith("Failed in")), "unsupported Python"
        )
    )
    if fault.startswith("No implementation") and shown:
        fault = "no such operation: " + lines[shown[-1] if not faults else shown[0]][4:]
        for i in shown:  # the operation of that very fault stands right below it
            if lines[i - 1].startswith("No implementation of function Function(<built-in"):
                fault = "no such operation: " + lines[i][4:]
                break
    if "NRT required" in message:  # Numba's word for memory that is counted
        fault = "rules cannot make arrays, lists or strings, only use the arrays they are given"
    places = re.findall(r'File "([^"]+)", line (\d+)', message)
    own = [p for p in places if p[0] != "<string>" and f"{os.sep}numba{os.sep}" not in p[0]]
    where = f" ({os.path.basename(own[0][0])}, line {own[0][1]})" if own else ""
    return fault.rstrip(":. ")[:300] + where


class _CompileWatch(event.Listener):
    """Calls `notice` once when compiling has taken longer than `patience` seconds."""

    def __init__(self, notice: Callable[[], None], patience: float) -> None:
        self.notice, self.patience = notice, patience
        self.depth = 0
        self.timer: threading.Timer | None = None
        self.told = False

    def on_start(self, event: Any) -> None:
        self.depth += 1
        if self.depth == 1 and not self.told:
            self.timer = threading.Timer(self.patience, self._tell)
            self.timer.daemon = True
            self.timer.start()

    def on_end(self, event: Any) -> None:
        self.depth -= 1
        if self.depth == 0 and self.timer is not None:
            self.timer.cancel()
            self.timer = None

    def _tell(self) -> None:
        if not self.told:
            self.told = True
            self.notice()


@contextlib.contextmanager
def compile_notice(notice: Callable[[], None], patience: float = 0.5) -> Iterator[None]:
    """Inside this block, call `notice()` if the compiler is at work for more than `patience` s."""
    watch = _CompileWatch(notice, patience)
    event.register("numba:compile", watch)
    try:
        yield
    finally:
        event.unregister("numba:compile", watch)
        if watch.timer is not None:
            watch.timer.cancel()
