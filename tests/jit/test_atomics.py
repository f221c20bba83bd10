"""Threads at one array in plain mode, too: no count is lost between two steps of Python."""

from __future__ import annotations

import sys
import threading

import numpy as np
import pytest

from ponder.jit import add_at, add_field, claim_field

pytestmark = pytest.mark.plain
THREADS, TIMES = 4, 2_000


@pytest.fixture
def hasty():
    """Threads change places as often as they can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def all_at_once(work):
    threads = [threading.Thread(target=work) for _ in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def test_no_sum_is_lost(hasty):
    counts = np.zeros(1, np.int64)
    nodes = np.zeros(1, [("visits", "i4"), ("value", "f8")]).view(np.recarray)

    def add():
        for _ in range(TIMES):
            add_at(counts, 0, 1)
            add_field(nodes, 0, "visits", 1)
            add_field(nodes, 0, "value", 0.5)

    all_at_once(add)
    assert counts[0] == nodes[0]["visits"] == THREADS * TIMES
    assert nodes[0]["value"] == THREADS * TIMES / 2


def test_only_one_thread_claims_a_place(hasty):
    nodes = np.zeros(TIMES, [("owner", "i4")]).view(np.recarray)
    claimed = []

    def claim():
        claimed.extend(i for i in range(TIMES) if claim_field(nodes, i, "owner", 0, 1))

    all_at_once(claim)
    assert sorted(claimed) == list(range(TIMES))
