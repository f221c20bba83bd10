"""`Book`: look a position up, and choose among the moves found.

>>> from ponder import position
>>> from ponder.book.builder import BookBuilder
>>> start = position("tictactoe")
>>> builder = BookBuilder(start.game)
>>> builder.add_game(start.play_all("b2 a1 c1 a3 a2"), (0.0, 0.0), plies=2)
>>> [(move.name, move.count) for move in builder.book().lookup(start)]
[('b2', 1)]
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ponder.book.format import ROW, BookFile, read_book, write_book
from ponder.book.keys import Signs, fingerprint
from ponder.core.position import Position
from ponder.core.protocols import Action, Game
from ponder.core.registry import whole_text
from ponder.errors import InputError

CHOICES = ("most", "weight", "best")


@dataclass(frozen=True)
class BookMove:
    """A move of a position in the book. Utilities are those of the player to move."""

    action: Action
    name: str
    count: int
    """How often it was played (in a Polyglot book: its weight)."""
    score: float | None
    """Mean utility in the games whose result is known."""
    value: float | None
    """What a search found."""

    @property
    def worth(self) -> float | None:
        """The searched value, else the score."""
        return self.score if self.value is None else self.value


class Book:
    """Sorted rows of one game's positions and moves."""

    def __init__(self, game: Game, rows: Any) -> None:
        self.game, self.rows = game, rows

    @property
    def positions(self) -> int:
        """How many positions the book knows."""
        keys = self.rows["key"]
        return int(np.count_nonzero(keys[1:] != keys[:-1])) + 1 if len(keys) else 0

    @property
    def moves(self) -> int:
        return len(self.rows)

    def lookup(self, position: Position) -> tuple[BookMove, ...]:
        """The moves that the book has here, the most played first. All of them are legal."""
        if position.is_terminal or position.is_chance:
            return ()
        signs = Signs(position)
        keys = self.rows["key"]
        first = int(np.searchsorted(keys, np.uint64(signs.key), "left"))
        last = int(np.searchsorted(keys, np.uint64(signs.key), "right"))
        if first == last:
            return ()
        legal = signs.legal()
        found = [
            BookMove(
                action=legal[int(row["move"])],
                name=position.action_name(legal[int(row["move"])]),
                count=int(row["count"]),
                score=_known(row["score"]),
                value=_known(row["value"]),
            )
            for row in self.rows[first:last]
            if int(row["move"]) in legal
        ]
        return tuple(sorted(found, key=_most_played))

    def save(self, path: str | Path) -> None:
        """Write the book to a file."""
        write_book(Path(path), BookFile(whole_text(self.game), fingerprint(self.game), self.rows))

    @staticmethod
    def load(path: str | Path, game: Game) -> Book:
        """The book of `game` in the file. Refuses damaged files and books of another game."""
        found = read_book(Path(path))
        own = whole_text(game)
        if found.game != own:
            raise InputError(f"{path} is a book of {found.game}, not of {own}")
        if found.fingerprint != fingerprint(game):
            raise InputError(f"{path} fits other rules of {own}: build it again")
        check_rows(Path(path), found.rows, game)
        return Book(game, found.rows)


def check_rows(path: Path, rows: Any, game: Any) -> None:
    """InputError unless each position and move stands there once, in order, with utilities of the
    game or none: a book that is not in order would seem to lack positions."""
    keys, moves, rules = rows["key"], rows["move"], Position(game).rules
    low, high = (rules.spec.lowest, rules.spec.highest) if rules.compiled else rules.utilities
    rising = (keys[1:] > keys[:-1]) | ((keys[1:] == keys[:-1]) & (moves[1:] > moves[:-1]))
    few = 1e-3 * (1 + abs(low) + abs(high))  # they are 32-bit numbers
    known = [column[~np.isnan(column)] for column in (rows["score"], rows["value"])]
    within = [(one >= low - few) & (one <= high + few) for one in known]
    if not (rising.all() and all(one.all() for one in within)):
        raise InputError(f"{path} is damaged: its rows are not those of a book; build it again")


def choose(moves: tuple[BookMove, ...], how: str, minimum: int, seed: int) -> BookMove | None:
    """One of the moves found, or None where the position is rare.

    *most*: the most played one. *weight*: at random, as often as it was played. *best*: the one
    of the highest value or score, among those played at least `minimum` times if there are any.
    """
    total = sum(move.count for move in moves)
    if not moves or total < minimum:
        return None
    if how == "weight" and total:
        return random.Random(seed).choices(moves, [move.count for move in moves])[0]
    if how == "best":
        frequent = [move for move in moves if move.count >= minimum] or list(moves)
        return min(frequent, key=_best)
    return min(moves, key=_most_played)


def _known(number: Any) -> float | None:
    return None if math.isnan(number) else float(number)


def _most_played(move: BookMove) -> tuple[float, float, str]:
    return -move.count, -_worth(move), str(move.action)


def _best(move: BookMove) -> tuple[float, float, str]:
    return -_worth(move), -move.count, str(move.action)


def _worth(move: BookMove) -> float:
    return -math.inf if move.worth is None else move.worth


def empty_rows(n: int) -> Any:
    """Rows to fill in."""
    return np.zeros(n, ROW)
