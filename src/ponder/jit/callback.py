"""Ordinary Python called from a kernel, by an address that is data: code kept on disk serves every
process.

Kernels run without Python's lock; the call takes it. An exception cannot pass through machine
code: it is kept for the thread, the kernel gets `FAILED` and has to end soon, and whoever called
the kernel raises what was kept (`raise_kept`).
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable

from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

from ponder.jit.settings import COMPILED

PROTOTYPE = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)
FAILED = -1
"""What a kernel gets for a call that raised; no callback returns it otherwise."""


class _Kept(threading.local):
    error: BaseException | None = None


_kept = _Kept()


class Callback:
    """`function(int, int) -> int` for kernels, as long as this object lives."""

    def __init__(self, function: Callable[[int, int], int]) -> None:
        def run(a: int, b: int) -> int:
            try:
                return function(a, b)
            except BaseException as error:
                if _kept.error is None:  # the first one is the cause
                    _kept.error = error
                return FAILED

        self._entry = PROTOTYPE(run)
        self.address: int = ctypes.cast(self._entry, ctypes.c_void_p).value or 0


def raise_kept() -> None:
    """Raise what a callback has raised in this thread since the last time."""
    error = _kept.error
    if error is not None:
        _kept.error = None
        raise error


def call_python(address: int, a: int, b: int) -> int:
    """What the `Callback` at `address` says of two numbers."""
    return int(PROTOTYPE(int(address))(int(a), int(b)))


if COMPILED:

    @intrinsic
    def _call(typing_context, address, a, b):  # type: ignore[no-untyped-def]
        def generate(context, builder, signature, args):  # type: ignore[no-untyped-def]
            word = ir.IntType(64)
            function = ir.FunctionType(word, [word, word])
            return builder.call(builder.inttoptr(args[0], function.as_pointer()), args[1:])

        return types.int64(types.int64, types.int64, types.int64), generate

    @overload(call_python)
    def _call_overload(address, a, b):  # type: ignore[no-untyped-def]
        return lambda address, a, b: _call(address, a, b)
