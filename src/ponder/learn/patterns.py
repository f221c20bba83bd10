"""Patterns: which cells a network looks at together.

A pattern is a list of cells; each combination of their codes has a number, and an embedding of its
own. On grids: lines and blocks; on hexagonal boards: lines along the three directions and rhombi;
single cells everywhere; pairs where nothing touches.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ponder.core.geometry import Geometry

MOST_COMBINATIONS = 1024
"""A pattern has as many cells as keep its combinations below this."""
MOST_ROWS = 40_000
"""Blocks are as large as keep all combinations together below this: tables must stay in caches."""
MOST_PAIRS = 24
"""With so many loose cells, every pair is a pattern."""
DIRECTIONS = {
    "grid": ((0, 1), (1, 0), (1, 1), (1, -1)),
    "hex": ((0, 1), (1, 0), (1, -1)),
    "loose": (),
}


class Patterns(NamedTuple):
    """All patterns of a board. Combination k of pattern p has the embedding bases[p] + k."""

    starts: Any  # [patterns + 1] i4: where the cells of each begin
    cells: Any  # [...] i4
    powers: Any  # [...] i4: what the code of this cell counts in the number of the combination
    bases: Any  # [patterns + 1] i4


def patterns_of(board: Geometry) -> Patterns:
    """The patterns of a board, lines first. The last cell, who is to move, is in none of them."""
    return joined(lists_of(board._replace(extra=board.extra - 1)), board.codes)


def joined(lists: list[tuple[int, ...]], codes: int) -> Patterns:
    """The arrays for these lists of cells."""
    starts, bases = [0], [0]
    cells: list[int] = []
    powers: list[int] = []
    for one in lists:
        cells += one
        powers += [codes**i for i in range(len(one))]
        starts.append(len(cells))
        bases.append(bases[-1] + codes ** len(one))
    return Patterns(*(np.array(made, np.int32) for made in (starts, cells, powers, bases)))


def lists_of(board: Geometry) -> list[tuple[int, ...]]:
    """The cells of every pattern."""
    longest = 1
    while board.codes ** (longest + 1) <= MOST_COMBINATIONS:
        longest += 1
    singles: list[tuple[int, ...]] = [(cell,) for cell in range(board.cells)]
    if board.kind == "loose":
        return pairs(board.cells) + singles
    made: list[tuple[int, ...]] = []
    line = min(board.line or 4, longest, max(board.rows, board.columns))
    shapes = [
        [(dr * i, dc * i) for i in range(line)] for dr, dc in DIRECTIONS[board.kind] if line > 1
    ]
    for shape in shapes:
        made += everywhere(shape, board)
    if board.line == 0:
        made += blocks(board, longest, MOST_ROWS - len(made) * board.codes**line)
    # where a long line says it all, single cells and blocks would only take time
    return made if board.line and not board.extra else made + singles


def pairs(cells: int) -> list[tuple[int, ...]]:
    """All pairs of few cells; of many, neighbours in the record."""
    reach = cells if cells <= MOST_PAIRS else 3
    return [(i, j) for i in range(cells) for j in range(i + 1, min(i + reach, cells))]


def blocks(board: Geometry, longest: int, room: int) -> list[tuple[int, ...]]:
    """Neighbours that are looked at together, the largest shapes that there is room for."""
    if board.kind == "hex":
        bridge = [(0, 0), (0, 1), (1, 0), (1, 1)]  # two cells and the two between them
        wide = [(0, 0), (0, 1), (1, -1), (1, 0)]
        tall = [(0, 0), (1, 0), (1, -1), (2, -1)]
        choices = [[bridge, wide, tall]]
    else:
        sizes = (((2, 3), (3, 2)), ((2, 2),))
        choices = [
            [[(r, c) for r in range(a) for c in range(b)] for a, b in shapes] for shapes in sizes
        ]
    for shapes in choices:
        made = [one for shape in shapes for one in everywhere(shape, board)]
        if len(shapes[0]) <= longest and len(made) * board.codes ** len(shapes[0]) <= room:
            return made
    return []


def everywhere(shape: list[tuple[int, int]], board: Geometry) -> list[tuple[int, ...]]:
    """The shape at every place where it lies on the board."""
    made = []
    for row in range(board.rows):
        for column in range(board.columns):
            places = [(row + r, column + c) for r, c in shape]
            if all(0 <= r < board.rows and 0 <= c < board.columns for r, c in places):
                made.append(tuple(r * board.columns + c for r, c in places))
    return made
