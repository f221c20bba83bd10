"""A part that runs as plain Python although kernels are compiled: the second opinion.

Methods of a part are ordinary functions, but the module-level kernels they call are compiled.
The *twin* of a part has the same fields and methods whose globals hold the kernels' Python
functions instead.
"""

from __future__ import annotations

import sysconfig
import traceback
import types
from functools import lru_cache
from pathlib import Path
from typing import Any

from ponder.jit import COMPILED, methods_of

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
            own = isinstance(value, types.FunctionType) and value.__globals__ is scope
            if own or hasattr(value, "py_func"):
                copy[name] = plain_function(value)
    return _scopes[id(scope)]


PACKAGE = Path(__file__).parents[1]
LIBRARIES = {Path(sysconfig.get_path(name)) for name in ("stdlib", "purelib", "platlib")}
"""Where Python's own modules and installed ones are: what they raise was asked for by somebody."""


def told(error: BaseException) -> str:
    """The error, and the line of the user's own that it comes from."""
    line = _own_line(error)
    return f"{type(error).__name__}: {error}" + (line and f" ({line})")


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
