"""The seven shapes of four squares and the ways in which each can be turned.

A shape is written as rows from the top. Its rotations are quarter turns clockwise of that one, as
many as differ: 19 in all, numbered through. Everything a kernel asks is in tables.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

SHAPES = {
    "I": ("####",),
    "O": ("##", "##"),
    "T": ("###", ".#."),
    "S": (".##", "##."),
    "Z": ("##.", ".##"),
    "J": ("###", "..#"),
    "L": ("###", "#.."),
}
PIECES = "".join(SHAPES)
FIRST_PLACEMENT = len(PIECES)
"""Actions below are pieces that chance draws; from here on placements."""


class Turned(NamedTuple):
    """One shape turned one way."""

    piece: int
    turns: int
    """Quarter turns clockwise."""
    rows: tuple[str, ...]
    """From the top."""

    @property
    def width(self) -> int:
        return len(self.rows[0])

    @property
    def squares(self) -> list[tuple[int, int]]:
        """(column, row) of each square; rows are counted from the bottom."""
        return [
            (column, row)
            for row, line in enumerate(reversed(self.rows))
            for column, mark in enumerate(line)
            if mark == "#"
        ]


def _ways() -> tuple[Turned, ...]:
    ways = []
    for piece, shape in enumerate(SHAPES.values()):
        rows, seen = shape, set()
        for turns in range(4):
            if rows not in seen:
                seen.add(rows)
                ways.append(Turned(piece, turns, rows))
            rows = tuple("".join(column) for column in zip(*reversed(rows), strict=True))
    return tuple(ways)


WAYS = _ways()
ROWS, BOTTOMS, WIDTH, HEIGHT = 0, 4, 8, 9
"""Places in the table of shapes: a bit set for each row from the lowest up, the lowest square of
each column, and the size."""


@lru_cache
def tables(columns: int) -> tuple[Any, Any, Any]:
    """The table of shapes, the placements of each piece, and how many these are."""
    shapes = np.zeros((len(WAYS), 10), np.int32)
    placements: list[list[int]] = [[] for _ in PIECES]
    for number, way in enumerate(WAYS):
        squares = way.squares
        for column, row in squares:
            shapes[number, ROWS + row] |= 1 << column
        for column in range(way.width):
            shapes[number, BOTTOMS + column] = min(r for c, r in squares if c == column)
        shapes[number, WIDTH], shapes[number, HEIGHT] = way.width, len(way.rows)
        for column in range(columns - way.width + 1):
            placements[way.piece].append(FIRST_PLACEMENT + number * columns + column)
    counts = np.array([len(ways) for ways in placements], np.int32)
    table = np.zeros((len(PIECES), int(counts.max())), np.int32)
    for piece, ways in enumerate(placements):
        table[piece, : len(ways)] = ways
    return shapes, table, counts
