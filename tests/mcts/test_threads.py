"""Helper threads: kept, shared out, answered for."""

from __future__ import annotations

import os
import threading
import time

import pytest

from ponder.mcts.threads import _idle, all_at_once, begin, finished, have_ready


def test_the_caller_does_the_first_task_itself():
    first, second, third = all_at_once([threading.get_ident] * 3)
    assert first == threading.get_ident()
    assert len({first, second, third}) == 3


def test_helpers_are_kept():
    have_ready(2)
    there = len(_idle)
    for _ in range(50):
        all_at_once([threading.get_ident] * 3)
    assert len(_idle) == there


def test_a_failing_task_is_raised_after_the_others_have_ended():
    ended = []

    def fail():
        raise ValueError("no")

    def end():
        time.sleep(0.05)
        ended.append(1)

    for tasks in ([fail, end], [end, fail], [bool, fail, end]):
        with pytest.raises(ValueError, match="no"):
            all_at_once(tasks)
    assert ended == [1, 1, 1]


def test_callers_at_the_same_time_get_helpers_of_their_own():
    # each caller waits for its helper to meet all the others: one helper too few would wait forever
    meeting = threading.Barrier(6, timeout=60)
    callers = [begin(lambda: all_at_once([meeting.wait, meeting.wait])) for _ in range(3)]
    assert all(len(finished(one)) == 2 for one in callers)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
def test_a_forked_child_starts_helpers_of_its_own():
    have_ready(2)
    child = os.fork()
    if child == 0:
        os._exit(0 if all_at_once([int, int, int]) == [0, 0, 0] else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
