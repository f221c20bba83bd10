"""Kernels in a thread of their own: stopped by the clock, by an event, or done by themselves."""

from __future__ import annotations

import threading
import time

import pytest

from ponder.core.background import new_stop_cell, run_until
from ponder.jit import kernel, read_now


@kernel
def spin(cell, counter):
    """Goes on until told to stop."""
    while read_now(cell, 0) == 0:
        counter[0] += 1
    return counter[0]


def endless():
    cell, counter = new_stop_cell(), new_stop_cell()
    return cell, lambda: spin(cell, counter)


@pytest.fixture(autouse=True)
def compiled():
    cell = new_stop_cell()
    cell[0] = 1
    spin(cell, new_stop_cell())


def test_the_clock_stops_a_kernel():
    cell, call = endless()
    counted, reason = run_until(call, cell, deadline=time.perf_counter() + 0.05)
    assert reason == "seconds"
    assert counted > 0


def test_an_event_stops_a_kernel():
    cell, call = endless()
    stop = threading.Event()
    threading.Timer(0.05, stop.set).start()
    assert run_until(call, cell, stop=stop)[1] == "stop"


def test_a_call_that_ends_by_itself_was_not_stopped():
    assert run_until(lambda: 42, new_stop_cell()) == (42, None)


def test_an_error_in_the_call_is_raised_here():
    with pytest.raises(ZeroDivisionError):
        run_until(lambda: 1 / 0, new_stop_cell())
