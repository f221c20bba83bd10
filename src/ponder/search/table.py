"""The transposition table: what is already known of positions that come up again.

Entries hold the whole 64-bit key, the value as a bound, the depth it was searched to, the best
move, and whether the subtree was searched *whole*: nothing in it was cut short by the depth limit.

An entry is used only where it says what a search would say (`holds_at`): at exactly its depth, or,
of a whole subtree, at any depth from its own on. So a table of any size changes no value; where
two records with one key differ in what may follow (the repetitions of chess), that is up to the
game's `key`.

Its memory serves search after search (`ponder.search.reused`): entries of another age are empty.

Replacement: two places a bucket. The first keeps the entry of the deeper search (the newer of
equals); the second takes whatever the first refuses (a two-level scheme: Breuker et al. 1994).
"""

from __future__ import annotations

import numpy as np

from ponder.jit import U, kernel
from ponder.search.reused import no_table

NO_BOUND, EXACT, LOWER, UPPER = 0, 1, 2, 3
WHOLE = 4
"""Added to the bound of a subtree that was searched whole."""
NO_MOVE = -1

ENTRY = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("key", "u8"),
                ("value", "f8"),  # for the player to move there
                ("move", "i4"),
                ("depth", "i2"),
                ("bound", "u1"),  # EXACT, LOWER or UPPER, + WHOLE
                ("age", "u1"),
            ],
            align=True,
        ),
    )
)
"""24 bytes."""
NO_TABLE = no_table(ENTRY)


@kernel
def find(table, key):
    """The index of the entry with this key, or -1."""
    entries, age = table.entries, table.age
    place = np.int64(key & U(entries.size - 2))  # the even index of the bucket
    if entries[place].age == age and entries[place].key == key:
        return place
    if entries[place + 1].age == age and entries[place + 1].key == key:
        return place + 1
    return np.int64(-1)


@kernel
def is_whole(entry):
    return entry.bound >= WHOLE


@kernel
def holds_at(entry, depth):
    """Does the entry say what a search `depth` deep would say?"""
    return entry.depth == depth or (is_whole(entry) and entry.depth < depth)


@kernel
def store(table, key, value, move, depth, bound, whole):
    """Keep an entry: in the first place if it is worth more there, else in the second."""
    entries, age = table.entries, table.age
    place = np.int64(key & U(entries.size - 2))
    first = entries[place]
    if first.age == age and first.key != key and first.depth > depth:
        place += 1
    entry = entries[place]
    entry.key = key
    entry.value = value
    entry.move = move
    entry.depth = depth
    entry.bound = bound + WHOLE * whole
    entry.age = age
