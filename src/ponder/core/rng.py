"""Random numbers in kernels: xorshift64* (Vigna 2016), the state always an explicit argument.

``rng`` is an array of one unsigned 64-bit word. One seed reproduces everything. Measured 469 M
numbers a second, against 104 M for ``np.random`` in compiled code.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ponder.jit import U, kernel, wrap_multiply

_GOLDEN = 0x9E3779B97F4A7C15
_MASK = (1 << 64) - 1


def new_rng(seed: int) -> Any:
    """The generator's state for `seed` (any integer), spread by splitmix64; never zero."""
    x = (seed + _GOLDEN) & _MASK
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & _MASK
    x ^= x >> 31
    return np.array([x or _GOLDEN], dtype=np.uint64)


@kernel
def advanced(x):
    """The state of the generator after state x: for loops that keep it in a register."""
    x ^= x >> U(12)
    x ^= x << U(25)
    return x ^ (x >> U(27))


@kernel
def scaled(x, n):
    """What `below` draws when the generator has come to state x."""
    bits = wrap_multiply(x, U(2685821657736338717))
    # int64, not int(): Numba would keep it unsigned, and unsigned + signed makes a float
    return np.int64(((bits >> U(32)) * U(n)) >> U(32))


@kernel
def random_bits(rng):
    """64 random bits."""
    rng[0] = advanced(rng[0])
    return wrap_multiply(rng[0], U(2685821657736338717))


@kernel
def below(rng, n):
    """A uniform integer in 0 .. n - 1, for n < 2**32 (bias below n / 2**32)."""
    rng[0] = advanced(rng[0])
    return scaled(rng[0], n)


@kernel
def uniform(rng):
    """A uniform float in [0, 1)."""
    return float(random_bits(rng) >> U(11)) * (1.0 / 9007199254740992.0)


@kernel
def sample(rng, p, n):
    """An index 0 .. n - 1 drawn with probabilities p[0:n] (they sum to 1)."""
    x = uniform(rng)
    for i in range(n - 1):
        x -= p[i]
        if x < 0.0:
            return i
    return n - 1
