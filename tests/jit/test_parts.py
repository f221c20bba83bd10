"""Parts by address, constants of parts, and what kernels may say of themselves."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ponder.jit import U, by_address, constants, keep_apart, kernel, natural, take_methods
from ponder.jit.cache import Fingerprint


class Step(NamedTuple):
    size: int

    def add(self, x):
        return x + self.size


class Tools(NamedTuple):
    step: Step
    seen: Any
    counts: Any
    factor: float


@kernel
def descend(tools, level):
    """Counts its calls; a sum over all levels."""
    level = natural(level)
    tools.counts[0] += 1
    tools.seen[level] = tools.counts[0]
    if level == 0:
        return 0.0
    return descend(tools, level - 1) + tools.factor * tools.step.add(level)


@kernel
def begin(tools, level):
    return descend(by_address(tools), np.int64(level))


def test_a_recursion_by_address_reads_and_writes_the_same_arrays():
    tools = Tools(Step(10), np.zeros(6, np.int64), np.zeros(1, np.int64), 0.5)
    assert begin(tools, 5) == 0.5 * sum(10 + level for level in range(1, 6))
    assert tools.counts[0] == 6
    assert tools.seen.tolist() == [6, 5, 4, 3, 2, 1]
    assert begin(tools._replace(factor=2.0), 5) == 2.0 * 65  # the fields of this call


class Sized(NamedTuple):
    rows: int
    mask: Any
    deep: bool

    def area(self, columns):
        return self.rows * columns if self.deep else columns

    def masked(self, x):
        return x & self.mask


@constants(rows=6, mask=U(0xFF), deep=True)
class SixRows(NamedTuple):
    pass


take_methods(SixRows, Sized)


@constants(rows=6, mask=U(0xFF), deep=False)
class Flat(NamedTuple):
    pass


take_methods(Flat, Sized)


@kernel
def measure(part, columns):
    return part.area(columns) + part.rows, part.masked(U(0x1234))


def test_constants_of_a_class_are_read_like_fields():
    for part, fields in ((SixRows(), Sized(6, U(0xFF), True)), (Flat(), Sized(6, U(0xFF), False))):
        assert measure(part, 7) == measure(fields, 7)
    assert measure(SixRows(), 7) == (48, 0x34)
    assert measure(Flat(), 7) == (13, 0x34)


def hash_of(cls: type) -> str:
    whole = Fingerprint()
    whole.add_class(cls)
    return whole.hexdigest()


def test_code_made_from_another_constant_is_not_found_on_disk():
    before = hash_of(SixRows)
    assert hash_of(SixRows) == before
    SixRows.rows = 5  # type: ignore[attr-defined]
    try:
        assert hash_of(SixRows) != before
    finally:
        SixRows.rows = 6  # type: ignore[attr-defined]


@kernel
def twice(x):
    keep_apart()
    return 2 * x


@kernel
def four_times(x):
    return twice(twice(x))


def test_a_function_kept_apart_gives_what_it_gave():
    assert four_times(3) == 12
