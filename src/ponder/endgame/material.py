"""Chess classes by their men (KQK, KBNK ...) and the number of each position in its class.

White is the side named first. A position of a class is: side to move, White's king, Black's king,
and the squares of at most two other men (a, b) in the order of the name. Symmetry makes the
classes smaller: without pawns White's king is turned into the triangle a1-d1-d4, with pawns into
the files a to d. On the diagonal two images remain: the one with the smaller number counts, and
the number of the other stands for nothing. The same holds for two equal men exchanged.

A class of the other colours (White has the bare king) is the same class with the board upside
down. Pawns on both sides are left out: a double step would need to remember en passant.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import numpy as np

from ponder.errors import InputError, quoted
from ponder.games.chess.attacks import B, N, P, Q, R
from ponder.jit import kernel

LETTERS = " PNBRQ"
BLACK = 5
"""A man is numbered by his kind, 1 to 5, and 5 more if he is Black's."""
MEN = 11
UNKNOWN = -128
"""Neither a win, a draw nor a loss: no such position, or no such table."""
NOT_BUILT, DRAWN = -1, -2
"""Entries of a directory besides the places of classes."""

# White's king in the triangle: file f and rank r <= f have the number f (f + 1) / 2 + r.
TRIANGLE = (0, 1, 9, 2, 10, 18, 3, 11, 19, 27)


class Class(NamedTuple):
    """A set of men beside the kings. `men` in the order of the name, 0 for a missing second."""

    men: tuple[int, int]

    @property
    def name(self) -> str:
        white = "".join(LETTERS[m] for m in self.men if 0 < m <= BLACK)
        black = "".join(LETTERS[m - BLACK] for m in self.men if m > BLACK)
        return f"K{white}K{black}"

    @property
    def shape(self) -> Shape:
        return Shape(
            int(any(m in (P, P + BLACK) for m in self.men)),
            1 + int(self.men[1] != 0),
            int(self.men[0] == self.men[1]),
        )

    @property
    def size(self) -> int:
        pawns, others, _ = self.shape
        return 2 * (32 if pawns else 10) * 64 * (64 if others == 1 else 4096)


class Shape(NamedTuple):
    """How a class numbers its positions."""

    pawns: int  # 1: only left and right may be exchanged
    others: int  # men beside the kings, 1 or 2
    twins: int  # 1: the two are equal


def parse_class(name: str) -> Class:
    """The class of that name; that of the other colours is the same one."""
    found = re.fullmatch(r"K([QRBNP]*)K([QRBNP]*)", name.strip().upper())
    if not found or not 1 <= len(found[1]) + len(found[2]) <= 2:
        raise InputError(
            f"{quoted(name)} is not a class: expected both kings and one or two other men, such as "
            "KQK, KBNK or KQKR"
        )
    white = [LETTERS.index(c) for c in found[1]]
    black = [LETTERS.index(c) + BLACK for c in found[2]]
    cls = class_of(white + black)
    if P in cls.men and P + BLACK in cls.men:
        raise InputError(f"{cls.name}: classes with pawns of both sides are left out (en passant)")
    if is_drawn(cls.men):
        raise InputError(f"{cls.name} is a draw by the rules of chess: it needs no table")
    return cls


def class_of(men: list[int]) -> Class:
    """The class of these men: the side that has more is White."""
    white = sorted((m for m in men if m <= BLACK), reverse=True)
    black = sorted((m - BLACK for m in men if m > BLACK), reverse=True)
    if (len(black), black) > (len(white), white):
        white, black = black, white
    ordered = [*white, *(m + BLACK for m in black), 0]
    return Class((ordered[0], ordered[1]))


def is_drawn(men: tuple[int, int]) -> bool:
    """Is there too little material to mate, whatever is played? (Not all such cases.)"""
    kinds = [m - BLACK if m > BLACK else m for m in men if m]
    return not kinds or (len(kinds) == 1 and kinds[0] in (N, B))


def needed_by(cls: Class) -> list[Class]:
    """The classes that captures and promotions lead to, the drawn ones left out."""
    found = set()
    for i in (0, 1):
        own, other = cls.men[i], cls.men[1 - i]
        outcomes = [0]
        if own in (P, P + BLACK):
            outcomes += [own - P + kind for kind in (N, B, R, Q)]
        for man in outcomes if own else []:
            # A pawn may promote and take the other man with the same move.
            for rest in {other, 0} if man else {other}:
                men = [m for m in (man, rest) if m]
                if men and not is_drawn(class_of(men).men):
                    found.add(class_of(men))
    return sorted(found)


def in_order(classes: list[Class]) -> list[Class]:
    """The classes and all they need, each after those it needs."""
    listed: list[Class] = []

    def add(cls: Class) -> None:
        if cls not in listed:
            for smaller in needed_by(cls):
                add(smaller)
            listed.append(cls)

    for cls in classes:
        add(cls)
    return listed


# ------------------------------------------------------------------ numbers of positions


@kernel
def number_in_order(base, others, twins, bk, a, b):
    if others == 1:
        return (base * 64 + bk) * 64 + a
    if twins and b < a:
        a, b = b, a
    return ((base * 64 + bk) * 64 + a) * 64 + b


@kernel
def across(square):
    """The image of a square in the diagonal a1-h8."""
    return ((square & 7) << 3) | (square >> 3)


@kernel
def number_of(shape, side, wk, bk, a, b):
    """The number of a position in its class."""
    turn = 7 if wk & 4 else 0
    if shape.pawns == 0 and wk & 32:
        turn |= 56
    wk, bk, a, b = wk ^ turn, bk ^ turn, a ^ turn, b ^ turn
    if shape.pawns:
        base = side * 32 + ((wk >> 3) << 2) + (wk & 3)
        return number_in_order(base, shape.others, shape.twins, bk, a, b)
    if wk >> 3 > wk & 7:
        wk, bk, a, b = across(wk), across(bk), across(a), across(b)
    file = wk & 7
    base = side * 10 + (file * (file + 1) >> 1) + (wk >> 3)
    number = number_in_order(base, shape.others, shape.twins, bk, a, b)
    if wk & 7 == wk >> 3:
        image = number_in_order(base, shape.others, shape.twins, across(bk), across(a), across(b))
        number = min(number, image)
    return number


@kernel
def position_of(shape, number):
    """The inverse: side, wk, bk, a, b. (b is 0 where there is none.)"""
    b = np.int64(0)
    if shape.others == 2:
        b = number & 63
        number >>= 6
    a = number & 63
    bk = (number >> 6) & 63
    base = number >> 12
    if shape.pawns:
        side = base >> 5
        wk = ((base & 31) >> 2 << 3) | (base & 3)
    else:
        side = base // 10
        wk = np.int64(TRIANGLE[base % 10])
    return side, wk, bk, a, b


# ------------------------------------------------------------------ many classes as one table


class Library(NamedTuple):
    """The codes of several classes in one array, and where to find each."""

    directory: Any  # [121] i4: by both men: 4 * class + 2 (colours exchanged) + 1 (men exchanged)
    shapes: Any  # [classes, 3] i8: as Shape
    starts: Any  # [classes] i8
    codes: Any  # i1: as in `retrograde`, or UNKNOWN


def make_library(tables: dict[Class, Any]) -> Library:
    """Put classes together; a single one is not copied."""
    classes = list(tables)
    directory = np.full(MEN * MEN, NOT_BUILT, np.int32)
    for first in range(MEN):
        for second in range(MEN):
            men = [m for m in (first, second) if m]
            if not men or is_drawn((first, second)):
                directory[MEN * first + second] = DRAWN
                continue
            cls = class_of(men)
            if cls not in tables:
                continue
            same = _entry(cls, first, second)
            swapped = _entry(cls, _other_colour(first), _other_colour(second))
            place = same if same is not None else 2 + (swapped or 0)
            directory[MEN * first + second] = 4 * classes.index(cls) + place
    arrays = list(tables.values())
    sizes = [array.size for array in arrays]
    return Library(
        directory=directory,
        shapes=np.array([cls.shape for cls in classes], np.int64).reshape(-1, 3),
        starts=np.array([sum(sizes[:i]) for i in range(len(sizes))], np.int64),
        codes=arrays[0] if len(arrays) == 1 else np.concatenate([np.zeros(0, np.int8), *arrays]),
    )


def _other_colour(man: int) -> int:
    return 0 if man == 0 else (man + BLACK if man <= BLACK else man - BLACK)


def _entry(cls: Class, first: int, second: int) -> int | None:
    """0: the men as the class orders them; 1: exchanged; None: other men."""
    if (first, second) == cls.men:
        return 0
    return 1 if (second, first) == cls.men else None


@kernel
def code_of(library, side, wk, bk, first, a, second, b):
    """The code for White of a position, or UNKNOWN; `first` and `second` are men, 0 for none."""
    if first == 0:
        first, a, second, b = second, b, first, a
    entry = np.int64(library.directory[MEN * first + second])
    if entry == DRAWN:
        return np.int64(0)
    if entry < 0:
        return np.int64(UNKNOWN)
    if entry & 2:  # the class has the colours the other way round
        side, wk, bk, a, b = 1 - side, bk ^ 56, wk ^ 56, a ^ 56, b ^ 56
    if entry & 1:
        a, b = b, a
    at = entry >> 2
    shape = Shape(library.shapes[at, 0], library.shapes[at, 1], library.shapes[at, 2])
    code = np.int64(library.codes[library.starts[at] + number_of(shape, side, wk, bk, a, b)])
    if entry & 2 and code != UNKNOWN:
        code = -code
    return code
