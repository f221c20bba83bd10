"""Work in a thread of its own: paused to the node, continued, dropped; kernels that are stopped."""

from __future__ import annotations

import gc
import threading
import time

import numpy as np
import pytest

from ponder.core.background import Background, new_stop_cell, run_until
from ponder.core.pausing import NODES, counted, new_info
from ponder.jit import kernel, read_now


@kernel
def count_up(info, sums, most):
    """Adds up the numbers of its nodes: what was lost in a pause would be missing."""
    while info[NODES] < most:
        if not counted(info):
            return
        sums[0] += info[NODES]


def work_of(most):
    info, sums = new_info(), np.zeros(1, np.int64)
    return Background(lambda: count_up(info, sums, most), info), info, sums


def finish(background, most=None):
    for _ in range(10_000):
        background.proceed(most, None)
        if background.resting:
            return
    raise AssertionError("still at work")


def test_a_pause_comes_at_just_the_node_that_was_asked_for():
    background, info, sums = work_of(1_000_000)
    reached = 0
    for most in (1, 1, 5, 1000, 77):
        finish(background, most)
        reached += most
        assert info[NODES] == reached
        assert sums[0] == reached * (reached + 1) // 2
        assert background.working
    finish(background)
    assert not background.working
    assert sums[0] == 1_000_000 * 1_000_001 // 2


def test_nothing_goes_on_after_a_pause_whenever_it_comes():
    background, info, sums = work_of(1 << 60)
    for _ in range(20):
        background.proceed(None, 0.001)
        background.pause()
        seen = info[NODES], sums[0]
        time.sleep(0.002)
        assert (info[NODES], sums[0]) == seen
        assert seen[1] == seen[0] * (seen[0] + 1) // 2
    background.close()
    assert not background.working


def test_a_dropped_background_leaves_no_thread_behind():
    before = threading.active_count()
    running, *_ = work_of(1 << 60)
    running.proceed(None, 0.001)
    resting, *_ = work_of(1 << 60)
    finish(resting, 10)
    assert threading.active_count() == before + 2
    del running, resting
    gc.collect()
    end = time.monotonic() + 10
    while threading.active_count() > before and time.monotonic() < end:
        time.sleep(0.01)
    assert threading.active_count() == before


def test_an_error_in_the_work_is_raised_by_whoever_drives_it():
    def work():
        raise ZeroDivisionError

    background = Background(work, new_info())
    with pytest.raises(ZeroDivisionError):
        finish(background)


@kernel
def spin(cell, counter):
    """Goes on until told to stop."""
    while read_now(cell, 0) == 0:
        counter[0] += 1
    return counter[0]


def test_an_event_stops_a_kernel():
    cell = new_stop_cell()
    stop = threading.Event()
    threading.Timer(0.05, stop.set).start()
    assert run_until(lambda: spin(cell, new_stop_cell()), cell, stop=stop)[1] == "stop"


def test_a_call_that_ends_by_itself_was_not_stopped():
    assert run_until(lambda: 42, new_stop_cell()) == (42, None)


def test_an_error_in_the_call_is_raised_here():
    with pytest.raises(ZeroDivisionError):
        run_until(lambda: 1 / 0, new_stop_cell())
