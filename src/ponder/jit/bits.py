"""Operations Python lacks: bits, arithmetic modulo 2**64, prefetching.

Each is an ordinary function, which plain mode runs, with a compiled twin of one instruction.
"""

from __future__ import annotations

import os
import time
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

from ponder.jit.settings import COMPILED, U

_MASK = (1 << 64) - 1


def popcount(x: Any) -> int:
    """Number of set bits of an unsigned 64-bit value."""
    return int(x).bit_count()


def lowest_bit(x: Any) -> int:
    """Index of the lowest set bit of an unsigned 64-bit value; 64 for 0."""
    return (int(x) & -int(x)).bit_length() - 1 if int(x) else 64


def highest_bit(x: Any) -> int:
    """Index of the highest set bit of an unsigned 64-bit value; -1 for 0."""
    return int(x).bit_length() - 1


def wrap_add(a: Any, b: Any) -> Any:
    """a + b modulo 2**64 (NumPy would warn of the overflow that is meant here)."""
    return U((int(a) + int(b)) & _MASK)


def wrap_subtract(a: Any, b: Any) -> Any:
    """a - b modulo 2**64."""
    return U((int(a) - int(b)) & _MASK)


def wrap_multiply(a: Any, b: Any) -> Any:
    """a * b modulo 2**64."""
    return U((int(a) * int(b)) & _MASK)


def prefetch(array: Any, index: Any) -> None:
    """Ask the processor to fetch the cache line of ``array[index]``. A hint: changes nothing."""


def prefetch_to_write(array: Any, index: Any) -> None:
    """The same for a line that is to be written to: other processors lose their copies of it."""


def read_now(array: Any, index: int) -> Any:
    """``array[index]`` as it is in memory this moment: another thread may have changed it.

    An ordinary read may be kept in a register for as long as the kernel runs.
    """
    return array[index]


def natural(x: int) -> int:
    """x, of which the compiler may take for granted that it is not negative.

    An index that may be negative counts from the end: that is looked at wherever it is used.
    """
    return x


def let_others_run() -> None:
    """Leave the processor to a thread that waits for one; go on at once if there is none."""


def nap(microseconds: int) -> None:
    """Do nothing for about so long; other threads run meanwhile."""
    time.sleep(microseconds / 1e6)


def keep_apart() -> None:
    """Said in a kernel: it is called, never compiled into its callers.

    For what is rare or large: inlined into a loop, its constants and divisions would be prepared
    before every loop, needed or not.
    """


def copy_record(array: Any, target: int, source: int) -> None:
    """``array[target] = array[source]``, in pieces of a kilobyte.

    The C library copies more than about 2 kilobytes with one string instruction, which is slow on
    some processors: measured 1,080 ns for 4 kilobytes there, 49 ns in pieces.
    """
    array[target] = array[source]


def copy_record_from(array: Any, target: int, other: Any, source: int) -> None:
    """``array[target] = other[source]``; both arrays are of the same dtype."""
    array[target] = other[source]


if COMPILED:

    @intrinsic
    def _popcount(typing_context, x):  # type: ignore[no-untyped-def]
        def generate(context, builder, signature, args):  # type: ignore[no-untyped-def]
            return builder.ctpop(args[0])

        return types.int64(types.uint64), generate

    @intrinsic
    def _trailing_zeros(typing_context, x):  # type: ignore[no-untyped-def]
        def generate(context, builder, signature, args):  # type: ignore[no-untyped-def]
            return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))

        return types.int64(types.uint64), generate

    @intrinsic
    def _leading_zeros(typing_context, x):  # type: ignore[no-untyped-def]
        def generate(context, builder, signature, args):  # type: ignore[no-untyped-def]
            return builder.ctlz(args[0], ir.Constant(ir.IntType(1), 0))

        return types.int64(types.uint64), generate

    def _fetch(context, builder, signature, args, write):  # type: ignore[no-untyped-def]
        array_type = signature.args[0]
        struct = context.make_array(array_type)(context, builder, args[0])
        size = context.get_constant(types.intp, array_type.dtype.bitwidth // 8)
        base = builder.ptrtoint(struct.data, ir.IntType(64))
        address = builder.inttoptr(
            builder.add(base, builder.mul(args[1], size)), ir.IntType(8).as_pointer()
        )
        number = ir.IntType(32)
        function = builder.module.declare_intrinsic(
            "llvm.prefetch",
            [ir.IntType(8).as_pointer()],
            ir.FunctionType(ir.VoidType(), [ir.IntType(8).as_pointer(), number, number, number]),
        )
        # to read or to write, keep in all caches, data cache
        builder.call(function, [address, number(write), number(3), number(1)])
        return context.get_dummy_value()

    @intrinsic
    def _prefetch(typing_context, array, index):  # type: ignore[no-untyped-def]
        def generate(context, builder, signature, args):  # type: ignore[no-untyped-def]
            return _fetch(context, builder, signature, args, 0)

        return types.void(array, types.intp), generate

    @intrinsic
    def _prefetch_to_write(typing_context, array, index):  # type: ignore[no-untyped-def]
        def generate(context, builder, signature, args):  # type: ignore[no-untyped-def]
            return _fetch(context, builder, signature, args, 1)

        return types.void(array, types.intp), generate

    @intrinsic
    def _read_now(typing_context, array, index):  # type: ignore[no-untyped-def]
        def generate(context, builder, signature, args):  # type: ignore[no-untyped-def]
            array_type = signature.args[0]
            struct = context.make_array(array_type)(context, builder, args[0])
            place = builder.gep(struct.data, [args[1]])
            return builder.load_atomic(place, "acquire", array_type.dtype.bitwidth // 8)

        return array.dtype(array, types.intp), generate

    # The next two are themselves what kernels call. Overloads would be functions around them: the
    # first would keep only that function apart, what the second says would come too late.

    @intrinsic
    def natural(typing_context, x):  # type: ignore[no-untyped-def]
        def generate(context, builder, signature, args):  # type: ignore[no-untyped-def]
            builder.assume(builder.icmp_signed(">=", args[0], args[0].type(0)))
            return args[0]

        return types.int64(types.int64), generate

    @intrinsic
    def keep_apart(typing_context):  # type: ignore[no-untyped-def]
        def generate(context, builder, signature, args):  # type: ignore[no-untyped-def]
            builder.function.attributes.add("noinline")
            return context.get_dummy_value()

        return types.void(), generate

    @intrinsic
    def _copy_record(typing_context, array, target, other, source):  # type: ignore[no-untyped-def]
        def generate(context, builder, signature, args):  # type: ignore[no-untyped-def]
            size = signature.args[0].dtype.bitwidth // 8
            piece = max(1024, size // 64)  # the copies are written out: not too many of them
            word, byte = ir.IntType(64), ir.IntType(8).as_pointer()
            places = []
            for i in (0, 2):
                struct = context.make_array(signature.args[i])(context, builder, args[i])
                base = builder.ptrtoint(struct.data, word)
                places.append(builder.add(base, builder.mul(args[i + 1], word(size))))
            to, start = places
            for at in range(0, size, piece):
                cgutils.raw_memcpy(
                    builder,
                    builder.inttoptr(builder.add(to, word(at)), byte),
                    builder.inttoptr(builder.add(start, word(at)), byte),
                    word(min(piece, size - at)),
                    1,
                )
            return context.get_dummy_value()

        return types.void(array, types.intp, other, types.intp), generate

    if hasattr(os, "sched_yield"):
        _sched_yield = types.ExternalFunction("sched_yield", types.intc())

        @overload(let_others_run)
        def _let_others_run_overload():  # type: ignore[no-untyped-def]
            def run() -> None:
                _sched_yield()

            return run

    else:

        @overload(let_others_run)
        def _go_on_overload():  # type: ignore[no-untyped-def]
            return lambda: None

    if os.name == "nt":
        _sleep: Any = types.ExternalFunction("Sleep", types.void(types.uint32))  # milliseconds

        @overload(nap)
        def _nap_overload(microseconds):  # type: ignore[no-untyped-def]
            def sleep(microseconds):  # type: ignore[no-untyped-def]
                _sleep(np.uint32(1 + microseconds // 1000))

            return sleep

    else:
        _usleep: Any = types.ExternalFunction("usleep", types.intc(types.uint32))

        @overload(nap)
        def _nap_overload(microseconds):  # type: ignore[no-untyped-def]
            def sleep(microseconds):  # type: ignore[no-untyped-def]
                _usleep(np.uint32(microseconds))

            return sleep

    @overload(popcount)
    def _popcount_overload(x):  # type: ignore[no-untyped-def]
        return lambda x: _popcount(x)

    @overload(lowest_bit)
    def _lowest_bit_overload(x):  # type: ignore[no-untyped-def]
        return lambda x: _trailing_zeros(x)

    @overload(highest_bit)
    def _highest_bit_overload(x):  # type: ignore[no-untyped-def]
        return lambda x: 63 - _leading_zeros(x)

    @overload(wrap_add)
    def _wrap_add_overload(a, b):  # type: ignore[no-untyped-def]
        return lambda a, b: U(a) + U(b)

    @overload(wrap_subtract)
    def _wrap_subtract_overload(a, b):  # type: ignore[no-untyped-def]
        return lambda a, b: U(a) - U(b)

    @overload(wrap_multiply)
    def _wrap_multiply_overload(a, b):  # type: ignore[no-untyped-def]
        return lambda a, b: U(a) * U(b)

    @overload(read_now)
    def _read_now_overload(array, index):  # type: ignore[no-untyped-def]
        return lambda array, index: _read_now(array, index)

    @overload(copy_record)
    def _copy_record_overload(array, target, source):  # type: ignore[no-untyped-def]
        return lambda array, target, source: _copy_record(array, target, array, source)

    @overload(copy_record_from)
    def _copy_record_from_overload(array, target, other, source):  # type: ignore[no-untyped-def]
        return lambda array, target, other, source: _copy_record(array, target, other, source)

    @overload(prefetch)
    def _prefetch_overload(array, index):  # type: ignore[no-untyped-def]
        return lambda array, index: _prefetch(array, index)

    @overload(prefetch_to_write)
    def _prefetch_to_write_overload(array, index):  # type: ignore[no-untyped-def]
        return lambda array, index: _prefetch_to_write(array, index)
