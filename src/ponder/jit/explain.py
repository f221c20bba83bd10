"""What the compiler says, for people: errors in one line."""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from numba.core import errors

from ponder.errors import CompileError
from ponder.jit.advice import Advice, advice, advice_to_callee, function_source, untold
from ponder.jit.cache import classes_in
from ponder.jit.failures import Failure, failure_of
from ponder.jit.methods import methods_of

PACKAGE = Path(__file__).parents[1]


@contextlib.contextmanager
def explained(what: str) -> Iterator[None]:
    """Turn a page of Numba into one line that names the place, the fault and the remedy."""
    try:
        yield
    except Exception as error:
        fault = compile_error(what, error)
        if fault is None:
            raise
        raise fault from None


def compile_error(what: str, error: BaseException) -> CompileError | None:
    """What the compiler says with this error, in one line; None if it comes from elsewhere.

    `what` was to be compiled; the line names what the fault is in.
    """
    failure = failure_of(error)
    if failure is None:
        if not isinstance(error, errors.NumbaError):
            return None
        failure = Failure(compile_error, (), error, None)  # about an argument, not a function
        return CompileError(f"{what} does not compile: {untold(failure).fault}")
    told = advice(failure)
    if _is_ours(failure.function):  # the fault shows where the method is called
        method = _method_called(failure)
        if method is None:
            return CompileError(f"{what} does not compile: {told.fault}; {told.instead}")
        failure, told = Failure(method, (), error, None), advice_to_callee(failure, method)
    return CompileError(_line_about(failure, told, what))


def _line_about(failure: Failure, told: Advice, what: str) -> str:
    code = failure.function.__code__
    owner, _, name = failure.function.__qualname__.rpartition(".")
    is_method = bool(owner) and not owner.endswith("<locals>")
    line = told.line or failure.line or code.co_firstlineno
    place = f"{Path(code.co_filename).name}, line {line}"
    where = f"in {'method' if is_method else 'function'} `{name}`"
    who = owner.rpartition(".")[2] if is_method else what
    return f"{who} does not compile: {place}, {where}: {told.fault}; {told.instead}"


def _is_ours(function: Callable[..., Any]) -> bool:
    return PACKAGE in Path(function.__code__.co_filename).parents


def _method_called(failure: Failure) -> Callable[..., Any] | None:
    """The user's method that is called in the line of ours where the compiler stopped."""
    called = [
        node.func.attr
        for node in ast.walk(function_source(failure.function))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.lineno == failure.line
    ]
    for cls in classes_in(failure.args):
        for name, method in methods_of(cls).items():
            if name in called and not _is_ours(method):
                return method
    return None
