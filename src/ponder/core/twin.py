"""A part that runs as plain Python although kernels are compiled: the second opinion.

Methods of a part are ordinary functions, but the module-level kernels they call are compiled.
The *twin* of a part has the same fields and methods whose globals hold the kernels' Python
functions instead.
"""

from __future__ import annotations

import re
import sysconfig
import time
import traceback
import types
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from ponder.errors import PonderError
from ponder.jit import BOUNDS_CHECKED, COMPILED, keep_apart, methods_of, natural


def _as_it_is(x: Any) -> Any:
    return x


def _nothing() -> None:
    pass


INTRINSICS = {natural: _as_it_is, keep_apart: _nothing}
"""What kernels call and only the compiler knows, with what it does in plain Python."""
_plain_of = {id(intrinsic): plain for intrinsic, plain in INTRINSICS.items()}

_scopes: dict[int, dict[str, Any]] = {}
_functions: dict[Any, Any] = {}


def twin(part: Any) -> Any:
    """The part, and the parts inside it, with every method in plain Python."""
    if not COMPILED:
        return part
    cls: Any = type(part)
    return _twin_class(cls)._make(_field(value) for value in part)


def _field(value: Any) -> Any:
    return twin(value) if isinstance(value, tuple) and hasattr(value, "_fields") else value


@lru_cache(maxsize=256)
def _twin_class(cls: Any) -> Any:
    methods = {name: plain_function(method) for name, method in methods_of(cls).items()}
    return type(cls.__name__, (cls,), {"__slots__": (), **methods})


def plain_function(function: Any) -> Any:
    """The same function in the plain scope of its module."""
    function = getattr(function, "py_func", function)
    if function not in _functions:
        made = types.FunctionType(
            function.__code__,
            _plain_scope(function.__globals__),
            function.__name__,
            function.__defaults__,
            function.__closure__,
        )
        made.__kwdefaults__ = function.__kwdefaults__
        _functions[function] = made
    return _functions[function]


def _plain_scope(scope: dict[str, Any]) -> dict[str, Any]:
    """A copy of a module's globals in which compiled kernels are plain functions."""
    if id(scope) not in _scopes:
        copy = _scopes[id(scope)] = dict(scope)
        for name, value in scope.items():
            if id(value) in _plain_of:
                copy[name] = _plain_of[id(value)]
                continue
            own = isinstance(value, types.FunctionType) and value.__globals__ is scope
            if own or hasattr(value, "py_func"):
                copy[name] = plain_function(value)
    return _scopes[id(scope)]


PLAIN_SECONDS = 0.25
"""Most positions are looked at a few times only, and whatever is wrong with a search is found by
then: plain Python does it before the compiler would have begun. It says the same."""


class PlainAtFirst:
    """Calls kernels as plain Python until that has taken some time, and the compiled ones then."""

    def __init__(self, seconds: float = PLAIN_SECONDS) -> None:
        self._left = seconds if COMPILED and not BOUNDS_CHECKED else 0.0

    def __call__(self, function: Any, *args: Any) -> Any:
        if self._left <= 0.0:
            return function(*args)
        before = [(array, array.copy()) for array in args if isinstance(array, np.ndarray)]
        began = time.thread_time()
        try:
            with np.errstate(all="ignore"):  # `ponder check` tells of overflow
                return plain_function(function)(*map(_field, args))
        except PonderError:
            raise
        except Exception:  # the compiler says which line is wrong, and what to write instead
            self._left = 0.0
            for array, values in before:
                array[...] = values
            return function(*args)
        finally:
            self._left -= time.thread_time() - began


PACKAGE = Path(__file__).parents[1]
LIBRARIES = {Path(sysconfig.get_path(name)) for name in ("stdlib", "purelib", "platlib")} | {
    Path(np.__file__).parent
}
"""Where Python's own modules and installed ones are: what they raise was asked for by somebody."""


def told(error: BaseException) -> str:
    """The error, and the line of the user's own that it comes from."""
    line = _own_line(error)
    return f"{type(error).__name__}: {_said(error)}" + (line and f" ({line})")


def _said(error: BaseException) -> str:
    """What it says; of a field that the state has not, in our words: NumPy calls it a record."""
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
    state = frames[-1].f_locals.get("self") if frames else None
    wrong = re.search(r"has no attribute '(\w+)'", str(error))
    if not isinstance(error, AttributeError) or not isinstance(state, np.void) or not wrong:
        return str(error)
    fields = state.dtype.names or ()
    close = get_close_matches(wrong[1], fields, 1)
    hint = f"did you mean {close[0]}?" if close else f"it has {', '.join(fields)}"
    return f"the state has no field {wrong[1]!r}; {hint}"


def told_by_twin(function: Any, part: Any, args: tuple[Any, ...]) -> str:
    """Call a kernel with the part's twin: which method raises what, and in which line. Machine code
    does not know; "" where nothing is raised."""
    try:
        plain_function(function)(twin(part), *args)
    except Exception as error:
        methods = [
            frame.f_code.co_name
            for frame, _ in traceback.walk_tb(error.__traceback__)
            if frame.f_code.co_name in methods_of(type(part))
        ]
        return f"{methods[0]} raised {told(error)}" if methods else ""
    return ""


def _own_line(error: BaseException) -> str:
    calls = traceback.extract_tb(error.__traceback__)
    others = [call for call in calls if PACKAGE not in Path(call.filename).parents]
    own = [call for call in others if not LIBRARIES & set(Path(call.filename).parents)]
    for call in (own or others)[-1:]:
        return f"{Path(call.filename).name}, line {call.lineno}"
    return ""
