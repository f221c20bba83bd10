"""From results to a score, an Elo difference and their 95 % intervals.

**Rounds, not games, are the observations.** The games of a round begin with the same opening, one
from each seat. An unbalanced opening makes its games go opposite ways: they are not independent,
and counting them as such makes the interval wrong. Let round i have n_i games and x_i points of
the first engine, N games in all, C rounds, s = (sum of x_i) / N. The variance of s is estimated by

    V = C / (C - 1) * sum of (x_i - n_i s)^2 / N^2

For pairs this is the pentanomial variance: a pair can bring 0, 1/2, 1, 3/2 or 2 points. The
interval of the score is s +- 1.96 sqrt(V), cut at 0 and 1.

**All rounds alike** (a clean sweep above all), or a single round: V is 0 or unknown, though
nothing is certain. Then Wilson's score interval (1927) is used, with a round as one trial.

**Elo**: elo(s) = 400 log10(s / (1 - s)), of the bounds likewise. A score of 100 % (0 %) has no
finite one: `elo` is then that of the score with half a point given away (won), and the bound on
that side is infinite. Of a single game that would leave an even score: there `elo` is infinite too.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

Z = 1.959963984540054
"""95 % of a normal distribution lie within so many standard deviations."""


class Rating(NamedTuple):
    """A score (1 a win, 1/2 a draw) as a share of the games, and what it means in Elo."""

    score: float
    score_low: float
    score_high: float
    elo: float
    elo_low: float
    elo_high: float
    error: float
    """The standard error of the score; 0 where all rounds were alike."""


def elo_of(score: float) -> float:
    """The Elo difference at which `score` is expected; infinite at 0 and 1."""
    if score <= 0.0:
        return -math.inf
    if score >= 1.0:
        return math.inf
    return 400.0 * math.log10(score / (1.0 - score))


def rate(rounds: Sequence[Sequence[float]]) -> Rating:
    """The rating of the first engine from its points in each game of each round."""
    games = sum(map(len, rounds))
    if not games:
        nothing = math.nan
        return Rating(nothing, 0.0, 1.0, nothing, -math.inf, math.inf, nothing)
    points = math.fsum(map(math.fsum, rounds))
    score = points / games
    error = standard_error(rounds, score)
    if error > 0.0:
        low, high = max(0.0, score - Z * error), min(1.0, score + Z * error)
    else:
        low, high = wilson(score, len(rounds))
    swept = score in (0.0, 1.0) and games > 1
    elo = elo_of(min(max(points, 0.5), games - 0.5) / games if swept else score)
    return Rating(score, low, high, elo, elo_of(low), elo_of(high), error)


def standard_error(rounds: Sequence[Sequence[float]], score: float) -> float:
    """sqrt(V) of the module's formula; 0 for a single round."""
    played = [r for r in rounds if r]
    count = len(played)
    if count < 2:
        return 0.0
    games = sum(map(len, played))
    squares = math.fsum((math.fsum(r) - len(r) * score) ** 2 for r in played)
    error = math.sqrt(squares * count / (count - 1)) / games
    return error if error > 1e-12 else 0.0  # rounding is no spread


def wilson(share: float, trials: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a share seen in so many trials."""
    scale = 1.0 + Z * Z / trials
    centre = (share + Z * Z / (2 * trials)) / scale
    half = Z * math.sqrt(share * (1 - share) / trials + Z * Z / (4 * trials * trials)) / scale
    low = 0.0 if share <= 0.0 else centre - half
    return low, 1.0 if share >= 1.0 else centre + half


def mean_difference(differences: Sequence[float]) -> tuple[float, float, float]:
    """The mean with its 95 % interval (normal); a single value has no interval."""
    count = len(differences)
    if not count:
        return math.nan, -math.inf, math.inf
    mean = math.fsum(differences) / count
    if count < 2:
        return mean, -math.inf, math.inf
    squares = math.fsum((d - mean) ** 2 for d in differences)
    half = Z * math.sqrt(squares / (count - 1) / count)
    return mean, mean - half, mean + half
