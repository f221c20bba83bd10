"""Kept copies of a search in progress: going back to a moment begins at the nearest one."""

from __future__ import annotations

import time
from bisect import bisect_left
from typing import Any, NamedTuple

MOST_BYTES = 1 << 30
"""What all copies of a session may take together."""
LEAST_GAP = 0.02
"""Seconds of search between two copies at the least: so long going back may take again."""
COST = 20
"""A copy is made when the search has gone on for so many times what the last one took."""


class Copy(NamedTuple):
    moment: int
    changes: int
    """How many changes had been made."""
    run: Any


class Copies:
    """Copies of a run, earliest moment first."""

    def __init__(self) -> None:
        self._kept: list[Copy] = []
        self._next = time.perf_counter() + LEAST_GAP
        self._gap = LEAST_GAP

    def offer(self, run: Any, changes: int) -> None:
        """The run is at rest: copy it, if the last copy was long enough ago."""
        now = time.perf_counter()
        if now < self._next:
            return
        # while a history is run again there are later ones already
        place = bisect_left(self._kept, (run.done, changes), key=lambda copy: copy[:2])
        if place < len(self._kept) and self._kept[place][:2] == (run.done, changes):
            return
        made = run.copy()
        if made is not None:
            self._kept.insert(place, Copy(int(run.done), changes, made))
            self._thin_out()
        after = time.perf_counter()
        self._next = after + max(self._gap, COST * (after - now))

    def _thin_out(self) -> None:
        """While they take too much, drop every second one, and make them half as often."""
        while len(self._kept) > 1 and sum(copy.run.nbytes for copy in self._kept) > MOST_BYTES:
            # the last stays: most often people go back a little
            self._kept = self._kept[::-1][::2][::-1]
            self._gap *= 2

    def nearest(self, moment: int, changes: int) -> tuple[Any, int] | None:
        """A new copy of the last kept run that is not past this moment, nor these changes."""
        for copy in reversed(self._kept):
            if copy.moment <= moment and copy.changes <= changes:
                return copy.run.copy(), copy.changes
        return None

    def forget(self, moment: int, changes: int) -> None:
        """Another way is taken from here: what was kept of the old one leads nowhere."""
        self._kept = [c for c in self._kept if c.moment <= moment and c.changes <= changes]

    def shared(self) -> Copies:
        """The same copies for a fork; they are never changed."""
        twin = Copies()
        twin._kept, twin._gap = list(self._kept), self._gap
        return twin
