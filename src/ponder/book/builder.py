"""`BookBuilder`: collects games and searched values, then sorts them into a `Book`."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from ponder.book.book import Book, empty_rows
from ponder.book.keys import Signs
from ponder.core.position import Position

MOST = (1 << 32) - 1
"""The largest count that a row holds."""


@dataclass
class Tally:
    """What is known of one move so far."""

    count: int = 0
    results: int = 0
    total: float = 0.0
    value: float = math.nan


class BookBuilder:
    """A book in the making."""

    def __init__(self, game: Any) -> None:
        self.game = Position(game).game
        self.tallies: dict[tuple[int, int], Tally] = {}
        """By key of the position and code of the move."""

    def tally(self, position: Position, action: Any) -> Tally:
        """The tally of a move, a new one at first."""
        signs = Signs(position)
        return self.tallies.setdefault((signs.key, signs.code(action)), Tally())

    def add_game(self, final: Position, utilities: tuple[float, ...] | None, plies: int) -> None:
        """Count the first `plies` moves of the game that led to `final`.

        `utilities` is the result, one for each player; None: nobody knows it. Outcomes of chance
        count as plies but are no moves of a book.
        """
        line = [final]
        while line[-1].last_action is not None:
            line.append(line[-1].undo())
        line.reverse()
        for before, after in pairwise(line[: plies + 1]):
            if before.is_terminal:  # played on after a draw that nobody claimed
                break
            if before.is_chance:
                continue
            tally = self.tally(before, after.last_action)
            tally.count += 1
            if utilities is not None:
                tally.results += 1
                tally.total += utilities[before.current_player]

    def add_value(self, position: Position, action: Any, value: float, count: int) -> None:
        """Note what a search found of a move, with the number of positions searched below it."""
        tally = self.tally(position, action)
        # Moves that mirror each other share a tally, and the better one is what the mover gets.
        tally.value = value if math.isnan(tally.value) else max(value, tally.value)
        tally.count += count

    def book(self) -> Book:
        """The book so far."""
        rows = empty_rows(len(self.tallies))
        for row, ((key, code), tally) in zip(rows, sorted(self.tallies.items()), strict=True):
            score = tally.total / tally.results if tally.results else math.nan
            row["key"], row["move"] = np.uint64(key), code
            row["count"] = min(tally.count, MOST)
            row["score"], row["value"] = score, tally.value
        return Book(self.game, rows)
