"""Which function did not compile: the innermost one. The compiler's errors do not say.

A method of a part is compiled while its caller is, so an error comes out at the bottom of a stack
of functions; on the way Numba keeps its text only.
"""

from __future__ import annotations

import threading
import types as python_types
from collections.abc import Callable
from functools import wraps
from typing import Any, NamedTuple

from numba.core import ir


class Failure(NamedTuple):
    """A function that does not compile, and what the compiler says to it."""

    function: Callable[..., Any]
    args: tuple[Any, ...]
    """Numba's types of its arguments."""
    error: Exception
    line: int | None
    """Of the function's file; None where the compiler does not say."""


class _Compiling(threading.local):
    """What this thread compiles now, outermost first: for each function the callee that failed."""

    def __init__(self) -> None:
        self.failed: list[Failure | None] = []


_compiling = _Compiling()


def noting_failures(
    function: Callable[..., Any], compile: Callable[..., Any]
) -> Callable[..., Any]:
    """The method `compile` of a dispatcher, with the innermost failure noted in what it raises."""

    @wraps(compile)
    def noting(sig: Any) -> Any:
        failed = _compiling.failed
        failed.append(None)
        try:
            compiled = compile(sig)
        except Exception as error:
            cause = failed.pop()
            noted = failure_of(error)  # the compiler remembers errors, and raises them again
            if noted is None:
                noted = cause or Failure(function, tuple(sig), error, _line(function, error))
                error.ponder_failure = noted  # type: ignore[attr-defined]
            if failed:
                failed[-1] = noted
            raise
        except BaseException:  # Ctrl-C
            failed.pop()
            raise
        failed.pop()
        if failed and failed[-1] is not None and failed[-1].function is function:
            failed[-1] = None  # it failed for a literal number, not for any number
        return compiled

    return noting


def failure_of(error: BaseException) -> Failure | None:
    """The innermost failure behind an error of the compiler; None for an error from elsewhere."""
    return getattr(error, "ponder_failure", None)


def _line(function: Callable[..., Any], error: Exception) -> int | None:
    """The line of the function's own file that the compiler was at."""
    file = function.__code__.co_filename
    found = _loc_in(getattr(error, "loc", None), file)
    traces, trace = [], error.__traceback__
    while trace is not None:
        traces.append(trace)
        trace = trace.tb_next
    for trace in reversed(traces):  # the compiler's own variables: innermost first
        if found is not None:
            break
        found = _line_of_frame(trace.tb_frame, file)
    return found


def _line_of_frame(frame: python_types.FrameType, file: str) -> int | None:
    for name in ("loc", "inst", "expr", "self"):
        value = frame.f_locals.get(name)
        found = _loc_in(value, file) or _loc_in(getattr(value, "loc", None), file)
        if found is not None:
            return found
    return None


def _loc_in(value: Any, file: str) -> int | None:
    return value.line if isinstance(value, ir.Loc) and value.filename == file else None
