"""Sets of solved positions of Connect Four: strata and files, shared by the scripts that draw and
judge them. `docs/solved-positions.md` says what they are for.

A file is gzipped text. Lines that begin with # say where it comes from; every other line is

    SOURCE COLUMNS SCORES

the source of the position, the columns played, from 1, and for each column the exact score of the
move there for the player to move, "-" where the column is full. The score is 22 - the stones of
the winner when he wins; negative if the mover loses; 0 for a draw.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

SQUARES = 42
SOURCES = ("random", "played")


class Stratum(NamedTuple):
    """Positions by stones and by the plies to the end."""

    name: str
    stones: tuple[int, int]
    plies: tuple[int, int]
    count: int
    """Positions of each source."""

    def holds(self, stones: int, plies: int) -> bool:
        (fewest, most), (nearest, farthest) = self.stones, self.plies
        return fewest <= stones <= most and nearest <= plies <= farthest


EARLY, MIDDLE, LATE = (8, 14), (15, 28), (29, 40)
EASY, MEDIUM, HARD = (1, 13), (14, 28), (29, SQUARES)
STRATA = (
    Stratum("early, easy", EARLY, EASY, 250),
    Stratum("early, medium", EARLY, MEDIUM, 600),
    Stratum("early, hard", EARLY, HARD, 250),
    Stratum("middle, easy", MIDDLE, EASY, 250),
    Stratum("middle, medium", MIDDLE, MEDIUM, 600),
    Stratum("late", LATE, EASY, 250),
)


class Solved(NamedTuple):
    """A position and the score of the move in each column; None where the column is full."""

    source: str
    columns: str
    scores: tuple[int | None, ...]

    @property
    def stones(self) -> int:
        return len(self.columns)

    @property
    def best(self) -> int:
        return max(score for score in self.scores if score is not None)

    @property
    def plies(self) -> int:
        return plies_to_end(self.stones, self.best)

    @property
    def stratum(self) -> Stratum:
        return next(one for one in STRATA if one.holds(self.stones, self.plies))

    def is_mistake(self, column: int) -> bool:
        """Does the move give the result of best play away? Columns from 0."""
        score = self.scores[column]
        assert score is not None
        return sign(score) < sign(self.best)

    @property
    def can_go_wrong(self) -> bool:
        return len({sign(score) for score in self.scores if score is not None}) > 1

    def line(self) -> str:
        scores = ",".join("-" if score is None else str(score) for score in self.scores)
        return f"{self.source} {self.columns} {scores}"


def sign(score: int) -> int:
    return (score > 0) - (score < 0)


def plies_to_end(stones: int, score: int) -> int:
    """Plies from a position of this score until best play ends the game."""
    if not score:
        return SQUARES - stones
    last = 22 - abs(score)  # stones of the winner
    return 2 * (last - stones // 2) - 1 if score > 0 else 2 * (last - (stones + 1) // 2)


def score_at(stones: int, value: int, plies: int) -> int:
    """The score of a position that is won (1), drawn or lost (-1) after so many plies."""
    return value * (22 - (stones + plies + 1) // 2)


def write_set(path: Path, notes: Iterable[str], solved: Iterable[Solved]) -> None:
    lines = [*(f"# {note}" for note in notes), *(one.line() for one in solved)]
    data = gzip.compress(("\n".join(lines) + "\n").encode(), mtime=0)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def read_set(path: Path) -> list[Solved]:
    found = []
    for line in gzip.decompress(path.read_bytes()).decode().splitlines():
        if not line.startswith("#"):
            source, columns, scores = line.split()
            each = (None if score == "-" else int(score) for score in scores.split(","))
            found.append(Solved(source, columns, tuple(each)))
    return found
