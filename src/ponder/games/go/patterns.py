"""The 3x3 patterns of the Go playout policy, after MoGo (Gelly, Wang, Munos & Teytaud 2006).

A pattern describes the eight points around a move. In the texts below, from top to bottom:

    a b   stones of the two colours, either way round       .   empty
    A     anything on the board but a                       #   beyond the edge
    ?     anything at all                                   *   the move

Each pattern holds in all rotations, reflections and with the colours exchanged.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from typing import Any

import numpy as np

from ponder.games.go.board import BLACK, BORDER, EMPTY, WHITE

PATTERNS = (
    "aba .*. ???",  # hane around a stone
    "ab. .*. ?.?",  # hane
    "ab? a*. ?.?",  # turn
    "?a? b*b AAA",  # cut between two stones
    "a.? b*? ###",  # along the edge: chase
    "ba? a*b ###",  # along the edge: stop the cut
    "?ba a*b ###",  # along the edge: cut
    "?a? A*b ###",  # along the edge: stop the connection
    "?ab A*A ###",  # along the edge: descend
)
CUT, PROTECTED_CUTS = "ab? b*? ???", ("ab? b*b ?.?", "ab? b*. ?b?")
"""A crosscut counts unless the stones that it would part are joined by one more move."""

MEANINGS = {
    "a": (BLACK,),
    "b": (WHITE,),
    "A": (EMPTY, WHITE),
    ".": (EMPTY,),
    "#": (BORDER,),
    "?": (EMPTY, BLACK, WHITE, BORDER),
}
EXCHANGED = {EMPTY: EMPTY, BLACK: WHITE, WHITE: BLACK, BORDER: BORDER}
AROUND = (0, 1, 2, 3, 5, 6, 7, 8)
"""The places of the eight points in the text of a pattern without its blanks."""


def codes(pattern: str) -> set[int]:
    """Every surrounding that the pattern describes: two bits a point, in the order of AROUND."""
    cells = pattern.replace(" ", "")
    found = set()
    for turned in turns(cells):
        for content in product(*(MEANINGS[turned[i]] for i in AROUND)):
            for stones in (content, tuple(EXCHANGED[c] for c in content)):
                found.add(sum(c << (2 * i) for i, c in enumerate(stones)))
    return found


def turns(cells: str) -> set[str]:
    """The eight images of a 3x3 text."""
    images = set()
    for _ in range(4):
        cells = "".join(cells[3 * (2 - c) + r] for r in range(3) for c in range(3))
        images |= {cells, "".join(cells[3 * r + 2 - c] for r in range(3) for c in range(3))}
    return images


@lru_cache(maxsize=1)
def pattern_table() -> Any:
    """One bit for each of the 65,536 surroundings: does a pattern match?"""
    wanted = set().union(*map(codes, PATTERNS))
    wanted |= codes(CUT) - set().union(*map(codes, PROTECTED_CUTS))
    bits = np.zeros(1 << 16, np.uint8)
    bits[list(wanted)] = 1
    return np.packbits(bits, bitorder="little").view(np.uint64)
