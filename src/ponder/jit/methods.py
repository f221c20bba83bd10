"""The methods and constants of a part: what is written in its class."""

from __future__ import annotations

import types as python_types
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

Cls = TypeVar("Cls")
Method = TypeVar("Method", bound=Callable[..., Any])

_TUPLE_API = set(dir(tuple)) | {"_make", "_replace", "_asdict"}


def methods_of(cls: type) -> dict[str, Callable[..., Any]]:
    """The functions written in the class and its bases, without what every NamedTuple has."""
    return {
        name: value
        for base in reversed(cls.__mro__)
        if base not in (tuple, object)
        for name, value in vars(base).items()
        if isinstance(value, python_types.FunctionType)
        and name not in _TUPLE_API
        and not name.startswith("__")
    }


CONSTANTS = (bool, int, float, np.uint64)


def constants_of(cls: type) -> dict[str, Any]:
    """The numbers written in the class and its bases."""
    return {
        name: value
        for base in reversed(cls.__mro__)
        if base not in (tuple, object)
        for name, value in vars(base).items()
        if isinstance(value, CONSTANTS) and not name.startswith("__")
    }


def constants(**facts: Any) -> Callable[[type[Cls]], type[Cls]]:
    """Write facts about a part into its class, to be read like fields.

    In the body of the class type checkers would take them for fields of the NamedTuple. The
    compiler knows those that are numbers: what they rule out is not compiled, what they settle is
    worked out.
    """

    def write(cls: type[Cls]) -> type[Cls]:
        for name, fact in facts.items():
            setattr(cls, name, fact)
        return cls

    return write


def inlined(function: Method) -> Method:
    """Mark a kernel (below ``@kernel``) or a method: always compiled into its callers.

    For the few pieces of an inner loop that are called with many arrays: each array is seven
    words on the stack. The compiler inlines small functions by itself.
    """
    function.is_inlined = True  # type: ignore[attr-defined]
    return function


def is_inlined(function: Callable[..., Any]) -> bool:
    return getattr(function, "is_inlined", False)


def take_methods(cls: type, other: type) -> None:
    """Give `cls` the methods of `other` that it does not have: NamedTuples cannot inherit them."""
    own = methods_of(cls)  # its bases' too
    for name, method in methods_of(other).items():
        if name not in own:
            setattr(cls, name, method)
