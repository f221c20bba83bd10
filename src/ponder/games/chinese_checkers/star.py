"""The star of 121 holes: numbers, names, neighbours, corners, ways to the goal.

Holes are numbered 0 to 120 row by row from the top, as OpenSpiel does. There are 17 rows, called
a to q; a hole is called by its row and its place in it, counted from the left: a1, b1, b2 ... q1.
In the drawing a hole stands at column x, where neighbours in a row are two columns apart.

The six directions are up left, up right, left, right, down left, down right; the six corners are
north, north-east, south-east, south, south-west, north-west, each opposite to the third next.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

ROW_LENGTHS = (1, 2, 3, 4, 13, 12, 11, 10, 9, 10, 11, 12, 13, 4, 3, 2, 1)
ROW_NAMES = "abcdefghijklmnopq"
HOLES = sum(ROW_LENGTHS)
DIRECTIONS = ((-1, -1), (-1, 1), (0, -2), (0, 2), (1, -1), (1, 1))
PIECES = 10
CORNERS = {2: (0, 3), 3: (0, 2, 4), 4: (0, 1, 3, 4), 6: (0, 1, 2, 3, 4, 5)}
"""In which corner each player begins, for every number of players."""

# (row, column) of every hole; the rows are centred on column 12.
PLACES = tuple(
    (row, 13 - length + 2 * i) for row, length in enumerate(ROW_LENGTHS) for i in range(length)
)
NAMES = tuple(
    f"{ROW_NAMES[row]}{i + 1}" for row, length in enumerate(ROW_LENGTHS) for i in range(length)
)
HOLE_AT = {place: hole for hole, place in enumerate(PLACES)}
TIPS = ((0, 12), (4, 24), (12, 24), (16, 12), (12, 0), (4, 0))


def distance(a: tuple[int, int], b: tuple[int, int]) -> int:
    """Steps between two places: a step down or up also moves one column sideways."""
    rows, columns = abs(a[0] - b[0]), abs(a[1] - b[1])
    return rows + max(0, columns - rows) // 2


def corner(number: int) -> tuple[int, ...]:
    """The ten holes of a corner: those within three steps of its tip."""
    return tuple(h for h, place in enumerate(PLACES) if distance(place, TIPS[number]) <= 3)


HOME_SUM = 140
"""Steps of all ten pieces to the tip of the opposite corner, from home: 16 + 2*15 + 3*14 + 4*13."""
GOAL_SUM = 20
"""The same in the opposite corner: 0 + 2*1 + 3*2 + 4*3. Only the ten holes there are so near."""

LONGEST_TURN = 36
"""Actions in one turn, at most. Two holes that a hop joins are alike in row % 2 and in
(row + column) % 4; 37 holes at most are so alike, and a chain enters none twice."""


class Tables(NamedTuple):
    """What the rules look up. Actions are 6 * hole + direction."""

    near: Any  # [726] u2: the neighbouring hole, HOLES where the board ends
    far: Any  # [726] u2: the hole behind it, HOLES where the board ends
    steps: Any  # [players * 121] i2: steps to the tip of the player's goal
    mirror: Any  # [121] i2: the hole mirrored left to right


@lru_cache(maxsize=len(CORNERS))
def tables(players: int) -> Tables:
    """The tables for a number of players."""

    def hole(place: tuple[int, int], direction: tuple[int, int], times: int) -> int:
        row, column = place[0] + times * direction[0], place[1] + times * direction[1]
        return HOLE_AT.get((row, column), HOLES)

    pairs = [(place, direction) for place in PLACES for direction in DIRECTIONS]
    goals = [TIPS[(home + 3) % 6] for home in CORNERS[players]]
    made = Tables(
        near=np.array([hole(p, d, 1) for p, d in pairs], np.uint16),
        far=np.array([hole(p, d, 2) for p, d in pairs], np.uint16),
        steps=np.array([distance(p, goal) for goal in goals for p in PLACES], np.int16),
        mirror=np.array([HOLE_AT[r, 24 - c] for r, c in PLACES], np.int16),
    )
    for table in made:
        table.flags.writeable = False
    return made
