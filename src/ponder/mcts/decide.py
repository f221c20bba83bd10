"""Decide rules: which root move does the search recommend? Run once a search, in plain Python.

A rule has ``best(self, rows)``: the index of the chosen `MoveRow`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ponder.core.result import MoveRow


class MostVisits(NamedTuple):
    """The move visited most ("robust child"); the higher mean breaks ties.

    65 wins of 100 are better evidence than 2 wins of 3.
    """

    def best(self, rows: Sequence[MoveRow]) -> int:
        def merit(i: int) -> tuple[int, float]:
            value = rows[i].value
            return rows[i].visits, -float("inf") if value is None else value

        return max(range(len(rows)), key=merit)
