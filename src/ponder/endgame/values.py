"""Tables of exact values, for games with dice or with scores: solutions by value iteration, kept.

A table has two 64-bit hashes and the value for player 0 of every position. Fields of the record
that the solution held at one value (`ponder.search.value_iteration`) are left out of the hashes.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ponder.core.hashing import BEGIN, ended, mixed
from ponder.core.position import Position
from ponder.endgame import storage
from ponder.errors import InputError
from ponder.jit import U, kernel


class Values(NamedTuple):
    """The arrays of a table; NaN in place of a value is a free place."""

    first: Any  # [places] u8
    second: Any  # [places] u8
    values: Any  # [places] f8: for player 0
    counted: Any  # [words of the record] u8: the bits that count


@kernel
def counted_hashes(words, row, counted):
    """Two hashes of the bits of ``words[row]`` that count."""
    a, b = BEGIN
    for i in range(words.shape[1]):
        a, b = mixed(a, b, words[row, i] & counted[i])
    return ended(a), b


@kernel
def place_in(table, a, b):
    """Where the position with these hashes is, or the free place where it belongs."""
    place = np.int64(a % U(table.values.size))
    while table.values[place] == table.values[place]:
        if table.first[place] == a and table.second[place] == b:
            break
        place += 1
        if place == table.values.size:
            place = 0
    return place


@kernel
def enter_all(table, words, values):
    """Fill an empty table."""
    for row in range(values.size):
        a, b = counted_hashes(words, row, table.counted)
        place = place_in(table, a, b)
        table.first[place] = a
        table.second[place] = b
        table.values[place] = values[row]


@kernel
def value_in(table, words, row):
    """The value for player 0 of the record ``words[row]``; NaN: the table does not have it."""
    a, b = counted_hashes(words, row, table.counted)
    return table.values[place_in(table, a, b)]


class ValuesProbe(NamedTuple):
    """A table for kernels: see `ponder.endgame.probe`. Values count from `middle`."""

    table: Values
    middle: float

    def probe(self, game, states, words, ply, me):
        value = value_in(self.table, words, ply) - self.middle
        return value if me == 0 else -value  # of two opposed players


def save_values(position: Position, words: Any, values: Any, held: Any, path: str | Path) -> int:
    """Write the table of a solved position; returns its size in bytes.

    `words`: [N, words of the record] u8; `values`: [N], for player 0; `held`: the numbers of the
    bytes that do not count.
    """
    if position.rules.plain:
        raise InputError("only solutions of compiled games are saved: a plain one has no records")
    counted = np.full(words.shape[1], ~np.uint64(0))
    counted.view(np.uint8)[held] = 0
    places = len(values) + len(values) // 2 + 8
    table = Values(
        np.zeros(places, np.uint64), np.zeros(places, np.uint64), np.full(places, np.nan), counted
    )
    enter_all(table, np.ascontiguousarray(words), np.ascontiguousarray(values))
    part = "values from " + (position.text() or "the start")
    header = {
        **storage.identity(position.game),
        "kind": "values",
        "class": part,
        "positions": len(values),
    }
    return storage.write(Path(path), header, table._asdict())


def checked_values(path: Path, header: dict[str, Any], arrays: dict[str, Any], game: Any) -> Values:
    """The table in a file; refuses arrays in which a search would read outside or never end."""
    values = arrays.get("values")
    places = 0 if values is None or values.ndim != 1 else values.size
    words = game.spec().state.itemsize // 8
    first = storage.check_array(path, arrays, "first", np.uint64, (places,))
    second = storage.check_array(path, arrays, "second", np.uint64, (places,))
    found = storage.check_array(path, arrays, "values", np.float64, (places,))
    counted = storage.check_array(path, arrays, "counted", np.uint64, (words,))
    known = found[~np.isnan(found)]
    if known.size == places:
        raise InputError(f"{path} is damaged (no place of it is free): build it again")
    spec = game.spec()
    if not ((known >= spec.lowest) & (known <= spec.highest)).all():
        raise InputError(f"{path} is damaged (a value is no utility of its game): build it again")
    storage.check_counts(path, header, {"positions": int(known.size)})
    return Values(first, second, found, counted)
