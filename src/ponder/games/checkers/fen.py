"""Positions of checkers as text: PDN FEN, ``B:W18,24,27,K10:B12,16,K22:H3``.

The player to move, then both sides in any order; ranges (``W21-32``) and a final full stop are
understood. Then, optional: ``H`` actions without a capture, ``J`` the piece that must go on
jumping.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from ponder.errors import InputError, quoted

SHAPE = "such as B:W18,24,K10:B12,16,K22 (who moves, then the squares of White and of Black)"
MOST_PIECES, MOST_QUIET = 12, 40
SQUARES = range(1, 33)
CROWNING_ROW = {"B": range(29, 33), "W": range(1, 5)}


class Fen(NamedTuple):
    player: int
    pieces: tuple[dict[int, bool], dict[int, bool]]
    """For each player: square number -> is it a king?"""
    quiet: int
    jumper: int
    """The square of the piece that must go on jumping, or 0."""


def read_fen(text: str) -> Fen:
    """Read a position; raises InputError with one line that says what is wrong."""
    parts = [part.strip() for part in text.strip().rstrip(".").upper().split(":")]
    if len(parts) < 3 or parts[0] not in ("B", "W"):
        raise InputError(f"{quoted(text)} is not a position of checkers: a PDN FEN {SHAPE}")
    sides: dict[str, dict[int, bool]] = {}
    numbers = {"H": 0, "J": 0}
    given = set()
    for part in parts[1:]:
        kind = part[:1]
        if kind == "" or kind not in "BWHJ" or kind in given:
            raise InputError(f"{quoted(part)} is unknown or given twice: a position is {SHAPE}")
        given.add(kind)
        if kind in "BW":
            sides[kind] = _side(kind, part[1:])
        else:
            numbers[kind] = _number(part[1:])
    _check(parts[0], sides, numbers)
    return Fen("BW".index(parts[0]), (sides["B"], sides["W"]), numbers["H"], numbers["J"])


def _number(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,2}", text):
        raise InputError(f"{quoted(text)} is not a number of one or two digits")
    return int(text)


def _side(colour: str, text: str) -> dict[int, bool]:
    """Square numbers, K before a king, ranges with '-'; nothing for a side without pieces."""
    found: dict[int, bool] = {}
    for item in text.split(",") if text.strip() else []:
        shape = re.fullmatch(r"(K?)([0-9]{1,2})(?:-([0-9]{1,2}))?", item.strip())
        if not shape:
            raise InputError(f"{quoted(item)} is not a square: 1 to 32, K before a king, or 21-32")
        king = bool(shape[1])
        first, last = int(shape[2]), int(shape[3] or shape[2])
        if first not in SQUARES or last not in SQUARES or last < first:
            raise InputError(f"{item.strip()} is outside the board: squares are 1 to 32")
        for square in range(first, last + 1):
            if square in found:
                raise InputError(f"square {square} is given twice")
            if not king and square in CROWNING_ROW[colour]:
                raise InputError(f"a man of {colour} on {square} would be a king: write K{square}")
            found[square] = king
    if len(found) > MOST_PIECES:
        raise InputError(f"{colour} has {len(found)} pieces; {MOST_PIECES} at most")
    return found


def _check(mover: str, sides: dict[str, dict[int, bool]], numbers: dict[str, int]) -> None:
    """What each part cannot know alone."""
    if len(sides) < 2:
        raise InputError(f"both sides are needed: a position is {SHAPE}")
    both = set(sides["B"]) & set(sides["W"])
    if both:
        raise InputError(f"square {min(both)} is given to both sides")
    other = "W" if mover == "B" else "B"
    if not sides[other]:
        raise InputError(f"{other} moved last and must have a piece")
    if numbers["H"] > MOST_QUIET:
        raise InputError(
            f"H{numbers['H']}: after {MOST_QUIET} actions without a capture it is a draw"
        )
    if numbers["J"]:
        if numbers["H"]:
            raise InputError("J and H exclude each other: the last action was a capture")
        if len(sides[other]) == MOST_PIECES:
            raise InputError(f"J needs a capture before, but {other} has all its pieces")
