"""Threads at one array: operations that no other thread can come between.

Each is an ordinary function, which plain mode runs, with a compiled twin of one instruction (a
short loop for sums of floats). `field` must be written out in the call: it is part of the code.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import wraps
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

from ponder.jit.settings import COMPILED

_one_at_a_time = threading.Lock()


def undisturbed(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function; in plain mode one call at a time, as threads change places between any two
    steps of Python."""
    if COMPILED:
        return function

    @wraps(function)
    def alone(*args: Any) -> Any:
        with _one_at_a_time:
            return function(*args)

    return alone


@undisturbed
def add_at(array: Any, index: int, amount: Any) -> Any:
    """``array[index] += amount``; returns what was there before.

    Who sees the sum with `read_now` sees everything that was written before it.
    """
    before = array[index]
    array[index] = before + amount
    return before


@undisturbed
def add_field(array: Any, index: int, field: str, amount: Any) -> None:
    """``array[index].field += amount`` of a whole-number or float field."""
    array[index][field] += amount


@undisturbed
def claim_field(array: Any, index: int, field: str, expected: int, value: int) -> bool:
    """If ``array[index].field`` is `expected`, make it `value`; says whether it did."""
    if array[index][field] != expected:
        return False
    array[index][field] = value
    return True


def publish_field(array: Any, index: int, field: str, value: int) -> None:
    """``array[index].field = value``; whoever sees it sees everything written before it."""
    array[index][field] = value


if COMPILED:

    def _place(context: Any, builder: Any, array_type: Any, array: Any, index: Any) -> Any:
        """The address of array[index], as a number."""
        struct = context.make_array(array_type)(context, builder, array)
        word = ir.IntType(64)
        size = word(array_type.dtype.bitwidth // 8)
        return builder.add(builder.ptrtoint(struct.data, word), builder.mul(index, size))

    def _field_pointer(context, builder, signature, args, field):  # type: ignore[no-untyped-def]
        array_type = signature.args[0]
        record = array_type.dtype
        address = _place(context, builder, array_type, args[0], args[1])
        kind = context.get_value_type(record.typeof(field))
        address = builder.add(address, ir.IntType(64)(record.offset(field)))
        return builder.inttoptr(address, kind.as_pointer())

    @intrinsic
    def _add_at(typing_context, array, index, amount):  # type: ignore[no-untyped-def]
        def generate(context, builder, signature, args):  # type: ignore[no-untyped-def]
            array_type = signature.args[0]
            kind = context.get_value_type(array_type.dtype)
            address = _place(context, builder, array_type, args[0], args[1])
            pointer = builder.inttoptr(address, kind.as_pointer())
            return builder.atomic_rmw("add", pointer, args[2], "acq_rel")

        if not isinstance(array.dtype, types.Integer):
            return None
        return array.dtype(array, types.intp, array.dtype), generate

    @intrinsic
    def _add_field(typing_context, array, index, field, amount):  # type: ignore[no-untyped-def]
        if not isinstance(field, types.StringLiteral):
            return None
        name = field.literal_value
        kind = array.dtype.typeof(name)

        def generate(context, builder, signature, args):  # type: ignore[no-untyped-def]
            pointer = _field_pointer(context, builder, signature, args, name)
            if isinstance(kind, types.Integer):
                builder.atomic_rmw("add", pointer, args[3], "monotonic")
                return context.get_dummy_value()
            # No processor adds floats in memory: compare and exchange the bits until it works.
            word = ir.IntType(kind.bitwidth)
            bits = builder.bitcast(pointer, word.as_pointer())
            seen = cgutils.alloca_once_value(
                builder, builder.load_atomic(bits, "monotonic", kind.bitwidth // 8)
            )
            again = builder.append_basic_block("again")
            finished = builder.append_basic_block("finished")
            builder.branch(again)
            builder.position_at_end(again)
            old = builder.load(seen)
            total = builder.fadd(builder.bitcast(old, args[3].type), args[3])
            outcome = builder.cmpxchg(
                bits, old, builder.bitcast(total, word), "monotonic", "monotonic"
            )
            builder.store(builder.extract_value(outcome, 0), seen)
            builder.cbranch(builder.extract_value(outcome, 1), finished, again)
            builder.position_at_end(finished)
            return context.get_dummy_value()

        return types.void(array, types.intp, field, kind), generate

    @intrinsic
    def _claim_field(typing_context, array, index, field, expected, value):  # type: ignore[no-untyped-def]
        if not isinstance(field, types.StringLiteral):
            return None
        name = field.literal_value
        kind = array.dtype.typeof(name)

        def generate(context, builder, signature, args):  # type: ignore[no-untyped-def]
            pointer = _field_pointer(context, builder, signature, args, name)
            outcome = builder.cmpxchg(pointer, args[3], args[4], "acq_rel", "monotonic")
            return builder.extract_value(outcome, 1)

        return types.boolean(array, types.intp, field, kind, kind), generate

    @intrinsic
    def _publish_field(typing_context, array, index, field, value):  # type: ignore[no-untyped-def]
        if not isinstance(field, types.StringLiteral):
            return None
        name = field.literal_value
        kind = array.dtype.typeof(name)

        def generate(context, builder, signature, args):  # type: ignore[no-untyped-def]
            pointer = _field_pointer(context, builder, signature, args, name)
            builder.store_atomic(args[3], pointer, "release", kind.bitwidth // 8)
            return context.get_dummy_value()

        return types.void(array, types.intp, field, kind), generate

    @overload(add_at)
    def _add_at_overload(array, index, amount):  # type: ignore[no-untyped-def]
        return lambda array, index, amount: _add_at(array, index, amount)

    @overload(add_field, prefer_literal=True)
    def _add_field_overload(array, index, field, amount):  # type: ignore[no-untyped-def]
        return lambda array, index, field, amount: _add_field(array, index, field, amount)

    @overload(claim_field, prefer_literal=True)
    def _claim_field_overload(array, index, field, expected, value):  # type: ignore[no-untyped-def]
        return lambda array, index, field, expected, value: _claim_field(
            array, index, field, expected, value
        )

    @overload(publish_field, prefer_literal=True)
    def _publish_field_overload(array, index, field, value):  # type: ignore[no-untyped-def]
        return lambda array, index, field, value: _publish_field(array, index, field, value)
