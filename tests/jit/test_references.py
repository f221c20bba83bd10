"""Parts by reference: a recursion sees the part, and what it writes into its arrays stays."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ponder.jit import kernel, refer, referred


class Counter(NamedTuple):
    step: int
    seen: Any


@kernel
def count(part, depth):
    return below(refer(part), depth)


@kernel
def below(reference, depth):
    part = referred(reference)
    part.seen[depth] += part.step
    if depth == 0:
        return part.step
    return below(reference, depth - 1) + part.step


def test_a_recursion_reads_and_writes_the_part_it_refers_to():
    part = Counter(3, np.zeros(5, np.int64))
    assert count(part, np.int64(4)) == 15
    assert part.seen.tolist() == [3] * 5
