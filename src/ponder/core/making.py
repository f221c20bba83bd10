"""Engines, parts, games and presets are made with sentences in place of bare TypeErrors.

>>> from ponder.errors import InputError
>>> from ponder.select import UCB1
>>> try:
...     UCB1(cc=1.4)
... except InputError as error:
...     print(error)
UCB1 has no parameter 'cc'; did you mean c? accepted: c
"""

from __future__ import annotations

import functools
import inspect
import operator
from typing import Any, TypeVar, cast

from ponder.core.parts import arguments_problem, no_parameter
from ponder.core.registry import NEEDED, misplaced
from ponder.errors import InputError, kind_of, quoted

Made = TypeVar("Made")


def registered(made: Made) -> Made:
    """The class, or the function that makes an engine: it refuses wrong arguments in a sentence.

    What `_make` and `_replace` build, as the library does in its inner loops, is not looked at.
    """
    made_so: Made = _function(made) if inspect.isfunction(made) else _class(made)
    return made_so


def _class(cls: Any) -> Any:
    make, name = cls.__new__, cls.__name__  # `distinguish` may change the name later
    fields = tuple(field for field in cls._fields if field in NEEDED)
    pick = operator.attrgetter(*fields, *fields[:1]) if fields else tuple
    fitting: set[tuple[type, ...]] = set()  # the classes of parts that were looked at before

    @functools.wraps(make)
    def new(kind: Any, *args: Any, **given: Any) -> Any:
        try:
            return make(kind, *args, **given)
        except TypeError:
            raise InputError(_wrong(name, cls, args, given)) from None

    @functools.wraps(make)
    def new_of_parts(kind: Any, *args: Any, **given: Any) -> Any:
        try:
            part = make(kind, *args, **given)
        except TypeError:
            raise InputError(_wrong(name, cls, args, given)) from None
        kinds = tuple(map(type, pick(part)))
        if kinds not in fitting:
            for field in fields:
                _refuse_misfit(cls, name, field, getattr(part, field))
            if not {str, type} & set(kinds):
                fitting.add(kinds)
        return part

    cls.__new__ = new_of_parts if fields else new
    if hasattr(cls, "search"):  # an engine; the `start` of a game is compiled as it is written
        for method in ("search", "start"):
            if hasattr(cls, method):
                setattr(cls, method, telling(getattr(cls, method), name))
    return cls


def telling(called: Made, owner: str = "") -> Made:
    """The function, or method of `owner`: it refuses what it cannot be called with in a sentence.

    Of what it does take, those that are given by keyword alone are named. A function with
    `**options` looks at these by itself.
    """
    function: Any = called
    signature = inspect.signature(function)
    takes = signature.parameters
    looks_itself = any(one.kind is one.VAR_KEYWORD for one in takes.values())
    options = [name for name, one in takes.items() if one.kind is one.KEYWORD_ONLY]
    name = function.__name__ + (owner and f" of {owner}")

    @functools.wraps(function)
    def call(*args: Any, **given: Any) -> Any:
        try:
            return function(*args, **given)
        except TypeError:
            unknown = [key for key in given if key not in takes]
            if unknown and not looks_itself:
                raise InputError(no_parameter(name, unknown[0], options)) from None
            try:
                signature.bind(*args, **given)
            except TypeError as error:
                named = f"; by name it takes {', '.join(options)}" if options else ""
                raise InputError(f"{name}: {error}{named}") from None
            raise

    return cast(Made, call)


def _function(function: Any) -> Any:
    takes = inspect.signature(function)

    @functools.wraps(function)
    def make(*args: Any, **given: Any) -> Any:
        try:
            takes.bind(*args, **given)
        except TypeError as error:
            raise InputError(f"{function.__name__}: {error}; it takes {takes}") from None
        return function(*args, **given)

    return make


def _wrong(name: str, cls: Any, args: tuple[Any, ...], given: dict[str, Any]) -> str:
    problem = arguments_problem(name, cls, args, given)
    assert problem, f"{name} was refused its arguments"
    return problem


def _refuse_misfit(cls: Any, name: str, field: str, value: Any) -> None:
    """InputError unless the value is a part for the field, or what may stand for one."""
    if isinstance(value, type) and hasattr(value, "_fields"):
        shown = value.__name__
        raise InputError(f"{field} of {name} must be a part, {shown}(), not the class {shown}")
    if any(callable(getattr(value, method, None)) for method in NEEDED[field]):
        if not hasattr(type(value), "_fields"):
            raise InputError(
                f"{field} of {name} must be a NamedTuple, as all rules are, not {kind_of(value)}"
            )
        return
    if value is None and cls._field_defaults.get(field, 0) is None:
        return
    if field == "evaluate" and (callable(value) or hasattr(value, "evaluating")):
        return
    text = isinstance(value, str)
    if field == "evaluate" and text and value.endswith(".py"):
        raise InputError(
            f"{quoted(value)} is a file: a function of it is {quoted(value + ':NAME')}"
        )
    hint = f"; a text is read by engine({quoted(f'mcts({field}={value})')})" if text else ""
    raise InputError(misplaced(field, value) + hint)
