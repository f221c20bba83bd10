"""A part that runs as plain Python although kernels are compiled: the second opinion.

Methods of a part are ordinary functions, but the module-level kernels they call are compiled.
The *twin* of a part has the same fields and methods whose globals hold the kernels' Python
functions instead.
"""

from __future__ import annotations

import types
from functools import lru_cache
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
