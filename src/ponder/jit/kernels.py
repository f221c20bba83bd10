"""Kernels and parts: `kernel` compiles a function, `register_part` the methods of a NamedTuple."""

from __future__ import annotations

import types as python_types
from collections.abc import Callable
from typing import Any

import numba
from numba import types
from numba.extending import overload_method

from ponder.jit.cache import KernelCache
from ponder.jit.methods import methods_of
from ponder.jit.settings import COMPILED, OPTIONS


def kernel(function: Callable[..., Any]) -> Any:
    """Compile `function` on first use for each combination of argument types; cache on disk."""
    if not COMPILED:
        return function
    dispatcher = numba.njit(**OPTIONS)(function)
    dispatcher._cache = KernelCache(function)
    return dispatcher


_bodies: dict[Callable[..., Any], Any] = {}
_operations: set[tuple[str, int]] = set()


def _operation(name: str, arity: int) -> None:
    """Let kernels call ``part.name(...)`` on any NamedTuple whose class defines it so."""
    _operations.add((name, arity))

    def body_of(part: Any) -> Any:
        method = getattr(getattr(part, "instance_class", None), name, None)
        if not isinstance(method, python_types.FunctionType):
            return None
        if method.__code__.co_argcount != arity:
            return None
        if method not in _bodies:
            _bodies[method] = kernel(method)
        return _bodies[method]

    # Spelt out for each number of arguments: forwarding *args compiles more slowly.
    names = ", ".join(["self", *(f"a{i}" for i in range(1, arity))])
    source = f"""
def resolve({names}):
    body = body_of(self)
    return None if body is None else lambda {names}: body({names})
"""
    scope: dict[str, Any] = {"body_of": body_of}
    exec(source, scope)
    overload_method(types.BaseNamedTuple, name)(scope["resolve"])


def register_part(cls: type) -> None:
    """Make every method of the NamedTuple class `cls` callable from kernels. Cheap to repeat."""
    if not COMPILED:
        return
    for name, method in methods_of(cls).items():
        arity = method.__code__.co_argcount
        if (name, arity) not in _operations:
            _operation(name, arity)
