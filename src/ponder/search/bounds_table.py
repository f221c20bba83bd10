"""A transposition table whose entries hold a lower and an upper bound at once.

A chance node that was cut off often leaves both: what the searched outcomes are worth, and what
the others can add at least and at most (Veness & Blair 2007). Values are for MAX.

`depth` says for which searches an entry holds. A subtree that was cut short by the depth limit has
bounds for exactly that depth. A *whole* one, in which every visited line came to its end, has them
for its own height and every greater depth. So a table changes no value, whatever its size.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ponder.jit import U, kernel
from ponder.search.table import NO_MOVE

BOUNDS = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("key", "u8"),
                ("lower", "f8"),
                ("upper", "f8"),
                ("move", "i4"),
                ("depth", "i2"),
                ("whole", "i1"),
                ("used", "i1"),
            ],
            align=True,
        ),
    )
)
"""32 bytes."""


def new_bounds(megabytes: float) -> Any:
    """An empty table of at most this size: a power of two of entries, two at the least."""
    entries = max(2, int(megabytes * (1 << 20)) // BOUNDS.itemsize)
    return np.zeros(1 << (entries.bit_length() - 1), BOUNDS).view(np.recarray)


@kernel
def find_bounds(table, key):
    """The index of the entry with this key, or -1."""
    place = np.int64(key & U(table.size - 2))  # the even index of a bucket of two
    if table[place].used and table[place].key == key:
        return place
    if table[place + 1].used and table[place + 1].key == key:
        return place + 1
    return np.int64(-1)


@kernel
def holds_at(entry, depth):
    """Are these bounds those of a search `depth` deep?"""
    return entry.depth == depth or (entry.whole == 1 and entry.depth <= depth)


@kernel
def store_bounds(table, key, lower, upper, move, depth, whole):
    """Keep bounds: in the first place if the deeper search is there, else in the second.

    Bounds of the same position and depth are joined with those already there.
    """
    place = np.int64(key & U(table.size - 2))
    first = table[place]
    if first.used and first.key != key and first.depth > depth:
        place += 1
    entry = table[place]
    if entry.used and entry.key == key:
        if entry.depth == depth and entry.whole == whole:
            lower = max(lower, entry.lower)
            upper = min(upper, entry.upper)
        if move == NO_MOVE:
            move = entry.move
    entry.used = 1
    entry.key = key
    entry.lower = lower
    entry.upper = upper
    entry.move = move
    entry.depth = depth
    entry.whole = whole
