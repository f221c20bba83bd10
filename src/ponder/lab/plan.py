"""What an experiment says before it runs: its claim, clause by clause, the test of each, its sizes.

An experiment is a module of this folder with a value `PLAN` and a function `run(lab)`, which
observes (`ponder.lab.running.Lab`). What was observed for a clause is judged by the clause's test:

    holds            the whole interval passes
    does not hold    no part of the interval passes
    undecided        the interval is too wide to tell
    not run          nothing was observed at this size

A clause observed in several places (games, rules, sizes) holds if it holds in all of them, and does
not hold if it fails in one.

**Confidence.** All clauses of an experiment together err with a probability of at most 5 %: with k
clauses each has intervals of confidence 1 - 0.05 / k, and a clause observed in p places shares its
part among them (Bonferroni).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

ERROR = 0.05
"""How likely the verdicts of one experiment may be to contain a wrong one."""
HOLDS, FAILS, UNDECIDED, NOT_RUN = "holds", "does not hold", "undecided", "not run"
SIZES = ("quick", "default", "full")
OURS = "ponder"
"""Begins the names of our series where somebody else's have the same names."""


@dataclass(frozen=True)
class Above:
    threshold: float

    def judge(self, low: float, high: float) -> str:
        return HOLDS if low > self.threshold else FAILS if high <= self.threshold else UNDECIDED

    def margin(self, low: float, high: float) -> float:
        """How far the interval is from failing; the least of a clause's is the one to look at."""
        return low - self.threshold

    def __str__(self) -> str:
        return f"above {self.threshold:g}"


@dataclass(frozen=True)
class Below:
    threshold: float

    def judge(self, low: float, high: float) -> str:
        return HOLDS if high < self.threshold else FAILS if low >= self.threshold else UNDECIDED

    def margin(self, low: float, high: float) -> float:
        return self.threshold - high

    def __str__(self) -> str:
        return f"below {self.threshold:g}"


@dataclass(frozen=True)
class Between:
    """Both ends belong to it."""

    least: float
    most: float

    def judge(self, low: float, high: float) -> str:
        if low >= self.least and high <= self.most:
            return HOLDS
        return FAILS if high < self.least or low > self.most else UNDECIDED

    def margin(self, low: float, high: float) -> float:
        return min(low - self.least, self.most - high)

    def __str__(self) -> str:
        if self.least == self.most:
            return f"exactly {self.least:g}"
        return f"between {self.least:g} and {self.most:g}"


class Clause(NamedTuple):
    """One sentence of the claim, and how it is decided."""

    id: str
    sentence: str
    quantity: str
    """What is estimated."""
    test: Above | Below | Between


class Size(NamedTuple):
    """A number (or a choice) of the experiment: short, usual and long version."""

    quick: Any
    default: Any
    full: Any
    meaning: str
    part: bool = False
    """Is it how much of a list is run (games, rules, limits)? With less of it than by default, no
    clause holds: at most it is undecided."""
    least: int = 1
    """With less there would be nothing to compare."""

    def covers(self, chosen: Any) -> bool:
        if isinstance(chosen, tuple):
            return len(chosen) >= len(self.default)
        return bool(chosen >= self.default)


class Published(NamedTuple):
    """A published curve or figure, to stand beside ours of the same series and unit."""

    source: str
    series: str
    unit: str
    points: Mapping[Any, float]

    @property
    def name(self) -> str:
        """What its row is called, so that it says whose figure it is: beside ours, "ponder: mean",
        stands "Coulom 2006: mean"; beside "tree", "tree (Chaslot 2010)"."""
        if self.series.startswith(f"{OURS}: "):
            return self.source + self.series.removeprefix(OURS)
        return f"{self.series} ({self.source})"


class Figure(NamedTuple):
    """What `--plot` draws: the observations of one unit, a curve for each series."""

    unit: str
    x: str
    """What the x axis shows."""
    log_x: bool = False
    log_y: bool = False
    of: str = ""
    """Only series whose names begin with this and a colon."""


@dataclass(frozen=True)
class Plan:
    """Everything that is fixed before the data are seen."""

    claim: str
    source: str
    clauses: tuple[Clause, ...]
    sizes: Mapping[str, Size]
    notes: tuple[str, ...] = ()
    published: tuple[Published, ...] = ()
    figures: tuple[Figure, ...] = ()
    own: str = ""
    """The kind of part that `--with` may add: select, backup ...; empty: none."""
    any_game: bool = False
    """May another game be chosen (`--game`)?"""

    def clause(self, name: str) -> Clause:
        return next(clause for clause in self.clauses if clause.id == name)

    def level(self, places: int = 1) -> float:
        """The confidence of an interval of a clause that is observed in so many places."""
        return 1.0 - ERROR / (len(self.clauses) * max(places, 1))
