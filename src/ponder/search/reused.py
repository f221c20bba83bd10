"""Tables whose memory serves search after search.

To fill memory with zeros, or to have it filled by the system page by page, takes longer than a
short search. So every entry carries the age of its table, and what is of another age counts as
empty: a table that was used before is as good as a new one, once its age has grown by one.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

DEFAULT_TABLE = 64.0
"""Megabytes; larger tables are not kept for the next search."""
OLDEST = 255
"""The greatest age: entries have a byte for it."""


class ReusedTable(NamedTuple):
    """Entries in buckets of two, side by side."""

    entries: Any
    age: int
    """Of the entries that count."""

    @property
    def nbytes(self) -> int:
        return int(self.entries.nbytes)


_spare: dict[Any, ReusedTable] = {}
"""By kind of entry: a table that no search uses."""


def no_table(entry: Any) -> ReusedTable:
    """What a search has that uses none: kernels are made for one."""
    return ReusedTable(np.zeros(2, entry).view(np.recarray), 1)


def empty_table(entry: Any, megabytes: float) -> ReusedTable:
    """A table of at most this size: a power of two of entries, two at the least."""
    size = 1 << (max(2, int(megabytes * (1 << 20)) // entry.itemsize).bit_length() - 1)
    spare = _spare.pop(entry, None)
    if spare is None or spare.entries.size != size:
        return ReusedTable(np.zeros(size, entry).view(np.recarray), 1)
    if spare.age == OLDEST:
        spare.entries.view(np.uint8)[...] = 0
        return ReusedTable(spare.entries, 1)
    return ReusedTable(spare.entries, spare.age + 1)


def hand_back(table: ReusedTable) -> None:
    """The search that used it is over."""
    if table.nbytes <= DEFAULT_TABLE * (1 << 20):
        _spare[table.entries.dtype] = table
