"""The tables of `ponder.search.exact_visit`: bounds that are true whatever was asked.

Values are for the player to move, decisive ones count plies from the entry's own position. Two
places a bucket: the first keeps what took more work, the second takes the rest.

`RecordTable` serves every game: 16 bytes an entry, the key a hash of the whole record (a game's own
`key` may leave out what decides the game, a clock say), with the best move.

`WordTable` serves games with the hook `exact_key`: 8 bytes an entry, no move. The key, a number
below 2**56, is shuffled without loss; its low bits are the place, the others are in the entry, so
that an entry is never taken for another position's. One word from the low end:

    bits 0-15    value: whole numbers; a win n plies away is 32767 - n, a loss n - 32767
    bits 16-21   work: the binary logarithm of the nodes that it took
    bits 22-23   bound
    bits 24-63   the rest of the key: the table has 2**16 buckets at the least
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ponder.core.hashing import state_key
from ponder.jit import U, inlined, kernel, prefetch, wrap_multiply
from ponder.search.table import NO_BOUND, NO_MOVE

FARTHEST = 4096
"""Plies. Values within so many of the base are decisive."""
CACHE_LINE = 64
"""Bytes."""
LARGEST_MOVE = 32767
"""A record has two bytes for a move; greater ones are not kept."""
KEY_BITS = 56
KEY_MASK = (1 << KEY_BITS) - 1
FEWEST_BUCKETS = 1 << 16
LARGEST_CODE = 32767

ENTRY = np.dtype(
    (
        np.record,
        np.dtype(
            [("key", "u8"), ("value", "f4"), ("move", "i2"), ("bound", "i1"), ("work", "i1")],
            align=True,
        ),
    )
)


class RecordTable(NamedTuple):
    """For every game."""

    entries: Any

    def key(self, game, s, words, ply):
        return state_key(words, ply)

    def fetch(self, key):
        """A large table is far away: it comes while other things are done."""
        prefetch(self.entries, np.int64(key & U(self.entries.size - 2)))

    def find(self, key, base):
        """(bound, value, best move); NO_BOUND if nothing is known."""
        place = np.int64(key & U(self.entries.size - 2))
        if self.entries[place].bound == NO_BOUND or self.entries[place].key != key:
            place += 1
        entry = self.entries[place]
        if entry.bound == NO_BOUND or entry.key != key:
            return np.int64(NO_BOUND), 0.0, np.int64(NO_MOVE)
        return np.int64(entry.bound), np.float64(entry.value), np.int64(entry.move)

    def keep(self, key, base, value, move, bound, work):
        """A value that 32 bits do not hold exactly is not stored."""
        short = np.float32(value)
        if np.float64(short) != value:
            return
        place = np.int64(key & U(self.entries.size - 2))
        first = self.entries[place]
        if first.bound != NO_BOUND and first.key != key and first.work > work:
            place += 1
        entry = self.entries[place]
        entry.key = key
        entry.value = short
        entry.move = move if move <= LARGEST_MOVE else NO_MOVE
        entry.bound = bound
        entry.work = work

    def clear(self):
        """Forget everything."""
        for i in range(self.entries.size):
            self.entries[i].bound = NO_BOUND

    def take_over(self, old):
        """Copy what a smaller table knows."""
        for i in range(old.entries.size):
            entry = old.entries[i]
            if entry.bound != NO_BOUND:
                place = np.int64(entry.key & U(self.entries.size - 2))
                if self.entries[place].bound != NO_BOUND:
                    place += 1
                self.entries[place] = entry


class WordTable(NamedTuple):
    """For games with an `exact_key`."""

    cells: Any
    place_bits: int

    def key(self, game, s, words, ply):
        """The game's key, shuffled: each step can be undone, so different keys stay different."""
        key = game.exact_key(s)
        key ^= key >> U(KEY_BITS // 2)
        key = wrap_multiply(key, U(0xBF58476D1CE4E5B9)) & U(KEY_MASK)
        key ^= key >> U(KEY_BITS // 2)
        key = wrap_multiply(key, U(0x94D049BB133111EB)) & U(KEY_MASK)
        return key ^ (key >> U(KEY_BITS // 2))

    def place(self, key):
        return np.int64(key & ((U(1) << U(self.place_bits)) - U(1))) * 2

    def fetch(self, key):
        prefetch(self.cells, self.place(key))

    def find(self, key, base):
        place, rest = self.place(key), key >> U(self.place_bits)
        cell = self.cells[place]
        if cell >> U(24) != rest:
            cell = self.cells[place + 1]
        bound = np.int64((cell >> U(22)) & U(3))
        if cell >> U(24) != rest or bound == NO_BOUND:
            return np.int64(NO_BOUND), 0.0, np.int64(NO_MOVE)
        return bound, decoded(np.int64(cell & U(0xFFFF)) - LARGEST_CODE, base), np.int64(NO_MOVE)

    def keep(self, key, base, value, move, bound, work):
        """A value that is no whole number of 15 bits is not stored."""
        code = encoded(value, base)
        if code < -LARGEST_CODE:
            return
        place, rest = self.place(key), key >> U(self.place_bits)
        first = self.cells[place]
        other = (first >> U(24)) != rest
        if other and np.int64((first >> U(16)) & U(63)) > work:
            place += 1
        low = U(code + LARGEST_CODE) | (U(work) << U(16)) | (U(bound) << U(22))
        self.cells[place] = low | (rest << U(24))

    def clear(self):
        """Forget everything."""
        for i in range(self.cells.size):
            self.cells[i] = U(0)

    def take_over(self, old):
        for i in range(old.cells.size):
            cell = old.cells[i]
            if cell != U(0):
                key = ((cell >> U(24)) << U(old.place_bits)) | U(i >> 1)
                place = self.place(key)
                if self.cells[place] != U(0):
                    place += 1
                rest = key >> U(self.place_bits)
                self.cells[place] = (cell & U(0xFFFFFF)) | (rest << U(24))


@kernel
@inlined
def encoded(value, base):
    """A value as a whole number from -LARGEST_CODE to LARGEST_CODE; less if it is not one."""
    if value > base - FARTHEST:
        value += LARGEST_CODE - base
    elif value < FARTHEST - base:
        value += base - LARGEST_CODE
    elif abs(value) > LARGEST_CODE - FARTHEST:
        return np.int64(-LARGEST_CODE - 1)
    code = np.int64(value)
    return code if code == value else np.int64(-LARGEST_CODE - 1)


@kernel
@inlined
def decoded(code, base):
    if code > LARGEST_CODE - FARTHEST:
        return base - np.float64(LARGEST_CODE - code)
    if code < FARTHEST - LARGEST_CODE:
        return np.float64(LARGEST_CODE + code) - base
    return np.float64(code)


@kernel
def take_over(new, old):
    new.take_over(old)


def aligned(dtype: Any, entries: int) -> Any:
    """Zeros that begin at a cache line, so that a bucket never crosses one."""
    size = entries * np.dtype(dtype).itemsize
    memory = np.zeros(size + CACHE_LINE, np.uint8)
    first = -memory.ctypes.data % CACHE_LINE
    return memory[first : first + size].view(dtype)


def new_exact_table(megabytes: float, exact_key: bool) -> RecordTable | WordTable:
    """An empty table of at most this size, a power of two of entries, or of the least there is."""
    size = int(megabytes * (1 << 20))
    if exact_key:
        buckets = max(FEWEST_BUCKETS, size // 16)
        place_bits = buckets.bit_length() - 1
        return WordTable(aligned(np.uint64, 2 << place_bits), place_bits)
    entries = max(2, size // ENTRY.itemsize)
    return RecordTable(aligned(ENTRY, 1 << (entries.bit_length() - 1)).view(np.recarray))
