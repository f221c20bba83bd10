"""Bearing off in backgammon, exactly: expected rolls of one side, chances of both.

All checkers of a side are on its points 1 to 6, and the sides have passed each other. A position
of one side is six counts, the other checkers are off. Positions are numbered so that a checker
moved down makes the number smaller (`number_of`), and the values follow in that order:

    rolls(x) = 1 + sum over the 21 rolls of p * min over plays of rolls(after)
    win(x, y) = sum over the 21 rolls of p * max over plays of 1 - win(y, after),  win = 1 when off

Chances are without the doubling cube. A checker can always be moved, or borne off from the
highest point, so both dice (all four of a double) are always played.
"""

from __future__ import annotations

import math
import re
import threading
from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations_with_replacement
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ponder.core.background import new_stop_cell
from ponder.endgame import storage
from ponder.endgame.positions import run_or_raise
from ponder.errors import InputError, quoted
from ponder.games.backgammon.board import CHECKERS
from ponder.games.backgammon.game import Backgammon
from ponder.jit import kernel, read_now

POINTS = 6
ROLLS = 21
MOST_PLAYS = 512
"""After 1, 2, 3 and 4 moves of a double at most 6, 21, 56 and 126 positions."""
MOST_FOR_WINS = 8
"""Checkers a side in tables of chances: 3,003 positions a side, 72 MB."""


class Side(NamedTuple):
    """All positions of one side with up to `checkers` checkers."""

    checkers: int
    counts: Any  # [n, 6] i8: checkers on each point
    choose: Any  # [.., ..] i8: binomial coefficients
    steps: Any  # [n, 6, 6] i4: the position after one checker moved, by die and point; or -1
    board: Any  # [1, 6] i8: scratch
    plays: Any  # [MOST_PLAYS] i8: scratch


@lru_cache(maxsize=4)
def make_side(checkers: int) -> Side:
    choose = [[math.comb(n, k) for k in range(checkers + 1)] for n in range(checkers + POINTS + 1)]
    n = math.comb(checkers + POINTS, POINTS)
    side = Side(
        checkers=checkers,
        counts=np.zeros((n, POINTS), np.int64),
        choose=np.array(choose, np.int64),
        steps=np.zeros((n, 6, POINTS), np.int32),
        board=np.zeros((1, POINTS), np.int64),
        plays=np.zeros(MOST_PLAYS, np.int64),
    )
    points = np.array(list(combinations_with_replacement(range(POINTS + 1), checkers)))
    places = np.arange(checkers)
    numbers = side.choose[points + places, places + 1].sum(axis=1)  # as `number_of`
    for point in range(1, POINTS + 1):
        side.counts[numbers, point - 1] = (points == point).sum(axis=1)
    return side


@kernel
def number_of(side, boards, row):
    """The number of a position: its points, 0 for off, in the combinatorial number system.

    With points p_1 <= p_2 <= ... the number is the sum of C(p_i + i - 1, i): it grows with each.
    """
    total = 0
    i = side.checkers
    for point in range(POINTS, 0, -1):
        for _ in range(boards[row, point - 1]):
            total += side.choose[point + i - 1, i]
            i -= 1
    return total


@kernel
def may_move(boards, row, point, die):
    """May a checker go `die` from `point`: down, off exactly, or off from the highest point?"""
    if boards[row, point - 1] == 0:
        return False
    if point >= die:
        return True
    behind = 0
    for higher in range(point, POINTS):
        behind += boards[row, higher]
    return behind == 0


@kernel
def fill_steps(side):
    """Where a single checker can go, from every position by every die."""
    board = side.board
    for x in range(side.counts.shape[0]):
        for die in range(1, 7):
            for point in range(1, POINTS + 1):
                for i in range(POINTS):
                    board[0, i] = side.counts[x, i]
                if not may_move(board, 0, point, die):
                    side.steps[x, die - 1, point - 1] = -1
                    continue
                board[0, point - 1] -= 1
                if point > die:
                    board[0, point - die - 1] += 1
                side.steps[x, die - 1, point - 1] = number_of(side, board, 0)


@kernel
def move_each(side, die, begin, end):
    """Append to `plays` all that a move of `die` makes of its positions begin .. end - 1.

    Each once; who has no checkers left moves no more. Returns the new end.
    """
    plays = side.plays
    n = end
    for at in range(begin, end):
        for i in range(POINTS):
            to = np.int64(side.steps[plays[at], die - 1, i])
            if plays[at] == 0:
                to = np.int64(0)
            again = to < 0
            for j in range(end, n):
                again = again or plays[j] == to
            if not again:
                plays[n] = to
                n += 1
    return n


@kernel
def list_plays(side, index, high, low):
    """Write into `plays` the positions a roll can lead to; returns where they begin and end.

    With two different dice some stand there twice.
    """
    side.plays[0] = index
    if high == low:
        begin, end = 0, 1
        for _ in range(4):
            begin, end = end, move_each(side, high, begin, end)
        return begin, end
    first = move_each(side, high, 0, 1)
    second = move_each(side, low, 1, first)
    count = second - first
    for i in range(count):
        side.plays[MOST_PLAYS - 1 - i] = side.plays[first + i]
    first = move_each(side, low, 0, 1)
    second = move_each(side, high, 1, first)
    for i in range(count):
        side.plays[second + i] = side.plays[MOST_PLAYS - 1 - i]
    return first, second + count


@kernel
def fill_rolls(side, rolls, stop):
    """Expected rolls until all checkers are off, the fewest that any way of playing gives."""
    for x in range(1, rolls.size):
        if read_now(stop, 0) != 0:
            return
        total = 0.0
        for high in range(1, 7):
            for low in range(1, high + 1):
                best = np.inf
                begin, end = list_plays(side, x, high, low)
                for i in range(begin, end):
                    best = min(best, rolls[side.plays[i]])
                total += best if high == low else 2.0 * best
        rolls[x] = 1.0 + total / 36.0


@kernel
def list_all_plays(side, begin, after):
    """The plays of roll r (0 to 20) in position x: after[begin[21 x + r] : begin[21 x + r + 1]].

    Each once. Only counts where `after` is empty; returns how many in all.
    """
    n = 0
    for x in range(side.counts.shape[0]):
        r = 0
        for high in range(1, 7):
            for low in range(1, high + 1):
                begin[ROLLS * x + r] = n
                r += 1
                first, end = list_plays(side, x, high, low)
                for i in range(first, end):
                    again = False
                    for j in range(first, i):
                        again = again or side.plays[j] == side.plays[i]
                    if again:
                        continue
                    if after.size:
                        after[n] = side.plays[i]
                    n += 1
    begin[begin.size - 1] = n
    return n


@kernel
def chance_of_winning(begin, after, wins, x, y):
    """The chance of who is to roll with x, all later chances being known."""
    total = 0.0
    r = ROLLS * x
    for high in range(1, 7):
        for low in range(1, high + 1):
            worst = 1.0  # the other side's chance after the best play
            for i in range(begin[r], begin[r + 1]):
                to = after[i]
                worst = min(worst, 0.0 if to == 0 else wins[y, to])
            r += 1
            total += (1.0 - worst) * (1.0 if high == low else 2.0)
    return total / 36.0


@kernel
def fill_wins(begin, after, wins, stop):
    """wins[x, y]: the chance of who is to roll with x against y. Sums of numbers ascending."""
    n = wins.shape[0]
    for y in range(n):
        wins[0, y] = 1.0
    for both in range(1, 2 * n - 1):
        if read_now(stop, 0) != 0:
            return
        for x in range(max(1, both - n + 1), min(n, both + 1)):
            y = both - x
            wins[x, y] = chance_of_winning(begin, after, wins, x, y) if y > 0 else 0.0


# ------------------------------------------------------------------ building and asking


def checkers_of(name: str) -> int:
    """How many checkers a side has at most in a class."""
    found = re.fullmatch(rf"rolls|wins([1-{MOST_FOR_WINS}])", name)
    if not found:
        raise InputError(
            f"backgammon has the classes rolls (expected rolls) and wins1 to wins{MOST_FOR_WINS} "
            f"(chances with so many checkers a side), not {quoted(name)}"
        )
    return int(found[1]) if found[1] else CHECKERS


def table_shape(name: str) -> tuple[int, ...]:
    """The shape of the values of a class: a number for each position, or each pair of them."""
    n = math.comb(checkers_of(name) + POINTS, POINTS)
    return (n,) if name == "rolls" else (n, n)


def check_chances(path: Path, name: str, values: Any) -> None:
    """InputError unless the values of a class are chances, or expected rolls."""
    most = 15.0 * CHECKERS if name == "rolls" else 1.0
    if not ((values >= 0.0) & (values <= most)).all():  # NaN is not
        what = "numbers of rolls" if name == "rolls" else "chances"
        raise InputError(f"{path} is damaged (its values are no {what}): build it again")


def build_bearoff(
    name: str, folder: Path, stop: threading.Event | None = None
) -> list[dict[str, Any]]:
    """Build the class `rolls` (expected rolls of up to 15 checkers) or `winsN` (chances)."""
    game = Backgammon()
    side = make_side(checkers_of(name))
    n = len(side.counts)
    cell = new_stop_cell()
    fill_steps(side)
    if name == "rolls":
        values = np.zeros(n)
        run_or_raise(lambda: fill_rolls(side, values, cell), cell, stop, None)
    else:
        values = np.zeros((n, n))
        begin = np.zeros(ROLLS * n + 1, np.int32)
        after = np.zeros(list_all_plays(side, begin, np.zeros(0, np.int32)), np.int32)
        list_all_plays(side, begin, after)
        run_or_raise(lambda: fill_wins(begin, after, values, cell), cell, stop, None)
    header: dict[str, Any] = {
        **storage.identity(game),
        "kind": "bearoff",
        "class": name,
        "checkers": side.checkers,
        "positions": values.size,
    }
    path = folder / storage.file_name(game, name)
    header["bytes"] = storage.write(path, header, {"values": values})
    return [header]


class Bearoff:
    """What the tables of bearing off say."""

    def __init__(self) -> None:
        self.rolls_table: Any = None
        self.wins_table: Any = None
        self.checkers = 0

    def add(self, name: str, values: Any) -> None:
        """The values of a class."""
        if name == "rolls":
            self.rolls_table = values
        elif checkers_of(name) > self.checkers:
            self.wins_table, self.checkers = values, checkers_of(name)

    def rolls(self, counts: Sequence[int]) -> float | None:
        """Expected rolls with so many checkers on the points 1 to 6."""
        if self.rolls_table is None:
            return None
        return float(self.rolls_table[_number(counts, CHECKERS)])

    def win(self, mine: Sequence[int], theirs: Sequence[int]) -> float | None:
        """The chance of the player who is to roll, or None with too many checkers."""
        if self.wins_table is None or max(sum(mine), sum(theirs)) > self.checkers:
            return None
        x, y = _number(mine, self.checkers), _number(theirs, self.checkers)
        return float(self.wins_table[x, y])


def _number(counts: Sequence[int], checkers: int) -> int:
    if len(counts) != POINTS or min(counts) < 0 or sum(counts) > checkers:
        raise InputError(
            f"expected the checkers on the points 1 to 6, {checkers} or fewer, not {tuple(counts)}"
        )
    return int(number_of(make_side(checkers), np.array([counts], np.int64), 0))


def homes(s: Any) -> tuple[list[int], list[int]] | None:
    """The counts of both players, if all checkers are on points 1 to 6 or off."""
    both = []
    for player in (0, 1):
        counts = [int(c) for c in s.checkers[player, 1 : POINTS + 1]]
        if sum(counts) + int(s.checkers[player, 0]) != CHECKERS:
            return None
        both.append(counts)
    return both[0], both[1]
