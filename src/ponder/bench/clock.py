"""Measuring work: processor time of this thread, so that other programs disturb less."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import NamedTuple

clock = time.thread_time
"""Seconds of processor time that this thread has used; one core by definition."""


class Rate(NamedTuple):
    """Things a second: the median of several measurements, the lowest and the highest."""

    median: float
    low: float
    high: float


def rate_of(measured: list[float]) -> Rate:
    return Rate(statistics.median(measured), min(measured), max(measured))


def repeat_for(seconds: float, work: Callable[[int], int]) -> float:
    """Call ``work(i)``, i = 0, 1, 2 ..., for about `seconds`; things done a second.

    `work` says how many things it did.
    """
    began, done, calls = clock(), 0, 0
    while True:
        done += work(calls)
        calls += 1
        spent = clock() - began
        if spent >= seconds:
            return done / spent
