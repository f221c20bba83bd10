"""A transposition table whose entries hold a lower and an upper bound at once.

A chance node that was cut off often leaves both: what the searched outcomes are worth, and what
the others can add at least and at most (Veness & Blair 2007). Values are for MAX.

`depth` says for which searches an entry holds. A subtree that was cut short by the depth limit has
bounds for exactly that depth. A *whole* one, in which every visited line came to its end, has them
for its own height and every greater depth. So a table changes no value, whatever its size.
Its memory serves search after search (`ponder.search.reused`): entries of another age are empty.
"""

from __future__ import annotations

import numpy as np

from ponder.jit import U, kernel
from ponder.search.reused import no_table
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
                ("age", "u1"),
            ],
            align=True,
        ),
    )
)
"""32 bytes."""
NO_BOUNDS = no_table(BOUNDS)


@kernel
def find_bounds(table, key):
    """The index of the entry with this key, or -1."""
    entries, age = table.entries, table.age
    place = np.int64(key & U(entries.size - 2))  # the even index of a bucket of two
    if entries[place].age == age and entries[place].key == key:
        return place
    if entries[place + 1].age == age and entries[place + 1].key == key:
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
    entries, age = table.entries, table.age
    place = np.int64(key & U(entries.size - 2))
    first = entries[place]
    if first.age == age and first.key != key and first.depth > depth:
        place += 1
    entry = entries[place]
    if entry.age == age and entry.key == key:
        if entry.depth == depth and entry.whole == whole:
            lower = max(lower, entry.lower)
            upper = min(upper, entry.upper)
        if move == NO_MOVE:
            move = entry.move
    entry.age = age
    entry.key = key
    entry.lower = lower
    entry.upper = upper
    entry.move = move
    entry.depth = depth
    entry.whole = whole
