"""How long a history takes to run again, measured while it runs: nobody waits for hours unasked."""

from __future__ import annotations

import time

from ponder.errors import InputError

MOST_SECONDS = 60.0
"""A minute: as long as people wait for something that tells nothing but its time. In a second of a
compiled search there are a million simulations of Connect Four and 20,000 of chess, so histories of
searches that somebody has watched are far below; the figure `at` of a file may say anything."""
FIRST_LOOK, SETTLED = 1.0, 5.0
"""Seconds after which the speed is known, and after which it is no longer judged: a search that was
let through ends, unless it takes twice as long as is accepted."""


class LongHistory(InputError):
    """Running a history again would take longer than anybody has agreed to."""

    def __init__(self, wanted: int, seconds: float, what: str = "steps") -> None:
        self.said = (
            f"running this history again ({wanted:,} {what}) takes about {duration(seconds)}, and "
            "more than a minute is only spent where that is granted"
        )
        super().__init__(f"{self.said}: long=True, or ponder replay --long")


class Effort:
    """Watches a history that is run again: its steps, or its changes."""

    def __init__(self, wanted: int, what: str = "steps") -> None:
        self.wanted, self.what = wanted, what
        self._began, self._first = 0.0, -1

    def look(self, done: int, now: float | None = None) -> None:
        """So much is done, between two pieces of the search; LongHistory if the rest takes long.

        `now`: seconds of a clock of one's own, which runs for these pieces alone.
        """
        now = time.perf_counter() if now is None else now
        if self._first < 0:  # the first piece may have waited for the compiler
            self._began, self._first = now, done
            return
        spent = now - self._began
        if spent < FIRST_LOOK or done <= self._first:
            return
        whole = spent * (self.wanted - self._first) / (done - self._first)
        if whole > MOST_SECONDS and (spent < SETTLED or spent > 2 * MOST_SECONDS):
            raise LongHistory(self.wanted, whole, self.what)


UNITS = (("year", 365 * 86400.0), ("day", 86400.0), ("hour", 3600.0), ("minute", 60.0))


def duration(seconds: float) -> str:
    """A time in the largest unit of which it is more than one and a half, as people say it."""
    for name, length in UNITS:
        if seconds >= 1.5 * length:
            return f"{seconds / length:,.0f} {name}s"
    return f"{seconds:.0f} seconds"
