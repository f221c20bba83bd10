"""Operations on 64-bit words: the compiled twin equals the Python function."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ponder import jit
from ponder.jit import U, kernel

words = st.integers(0, 2**64 - 1)


@kernel
def compiled(x, y):
    return (
        jit.popcount(x),
        jit.lowest_bit(x),
        jit.highest_bit(x),
        jit.wrap_add(x, y),
        jit.wrap_subtract(x, y),
        jit.wrap_multiply(x, y),
    )


@given(words, words)
def test_compiled_bit_operations_equal_python(x, y):
    assert compiled(U(x), U(y)) == (
        bin(x).count("1"),
        (x & -x).bit_length() - 1 if x else 64,
        x.bit_length() - 1,
        (x + y) % 2**64,
        (x - y) % 2**64,
        (x * y) % 2**64,
    )
    assert compiled(U(x), U(y)) == (
        jit.popcount(x),
        jit.lowest_bit(x),
        jit.highest_bit(x),
        jit.wrap_add(x, y),
        jit.wrap_subtract(x, y),
        jit.wrap_multiply(x, y),
    )
