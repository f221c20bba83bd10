"""Figures with their intervals: what an experiment measured, and how sure it is of it.

A sample knows its value and its interval at any level of confidence. What comes from one game, one
tree or one opening is one *cluster*: clusters are independent of each other, what is inside one
need not be. Differences between methods that saw the same problems are taken problem by problem
before they come here (paired).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any, NamedTuple, Protocol

import numpy as np


class Interval(NamedTuple):
    """A value and what it may be."""

    value: float
    low: float
    high: float


class Sample(Protocol):
    """What can be observed."""

    @property
    def n(self) -> int:
        """Independent observations: clusters, where there are any."""

    def interval(self, level: float) -> Interval: ...


def normal(level: float) -> float:
    """A standard normal variable lies within +- this with probability `level`."""
    return NormalDist().inv_cdf(0.5 + level / 2.0)


def student(level: float, freedom: int) -> float:
    """The same for Student's t (Cornish and Fisher's expansion, Abramowitz & Stegun 26.7.5);
    infinite without a degree of freedom."""
    if freedom < 1:
        return math.inf
    if freedom == 1:
        return math.tan(math.pi * level / 2.0)
    z, v = normal(level), float(freedom)
    return (
        z
        + (z**3 + z) / (4 * v)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * v**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * v**3)
    )


def wilson(share: float, n: int, level: float) -> Interval:
    """Wilson's score interval (1927) of a share of n independent trials."""
    if n == 0:
        return Interval(math.nan, 0.0, 1.0)
    z2 = normal(level) ** 2 / n
    middle = (share + z2 / 2.0) / (1.0 + z2)
    half = math.sqrt(z2 * share * (1.0 - share) + z2 * z2 / 4.0) / (1.0 + z2)
    return Interval(share, max(0.0, middle - half), min(1.0, middle + half))


@dataclass(frozen=True)
class Exact:
    """Nothing was sampled, or a law was looked at instance by instance and the exceptions counted:
    the figure is what it is."""

    value: float
    n: int = 1

    def interval(self, level: float) -> Interval:
        return Interval(self.value, self.value, self.value)


@dataclass(frozen=True)
class Estimate:
    """A figure whose standard error is known from elsewhere, normal by the central limit."""

    value: float
    error: float
    n: int

    def interval(self, level: float) -> Interval:
        half = normal(level) * self.error
        return Interval(self.value, self.value - half, self.value + half)


@dataclass(frozen=True)
class Share:
    """How often something happened, in independent trials."""

    hits: Sequence[bool]

    @property
    def n(self) -> int:
        return len(self.hits)

    def interval(self, level: float) -> Interval:
        return wilson(sum(self.hits) / max(self.n, 1), self.n, level)


@dataclass(frozen=True)
class Average:
    """The mean of values, some of which may be of one cluster.

    With C clusters of n_i values each, of sum x_i, N values in all, s = (sum of x_i) / N:

        V = C / (C - 1) * sum of (x_i - n_i s)^2 / N^2,   s +- t(C - 1) sqrt(V)

    Where all clusters are alike V is 0, though nothing is certain. Of values within `bounds`: what
    was never seen in C clusters has by Wilson a probability of at most u, and moves the mean at
    most by u times the way to a bound. Without bounds the interval is infinite.
    """

    values: Sequence[float]
    clusters: Sequence[Hashable] = ()
    bounds: tuple[float, float] | None = None

    @property
    def n(self) -> int:
        return len(set(self.clusters)) if self.clusters else len(self.values)

    def interval(self, level: float) -> Interval:
        sums = per_cluster(np.ones(len(self.values)), self.values, clusters=self.clusters)
        if not len(sums):
            return Interval(math.nan, -math.inf, math.inf)
        mean = float(sums[:, 1].sum() / sums[:, 0].sum())
        count = len(sums)
        off = float(((sums[:, 1] - sums[:, 0] * mean) ** 2).sum())
        if count > 1 and off > 1e-24 * max(1.0, mean * mean):
            half = student(level, count - 1) * math.sqrt(count / (count - 1.0) * off)
            half /= float(sums[:, 0].sum())
            low, high = mean - half, mean + half
        elif self.bounds:
            unseen = wilson(0.0, count, level).high
            low = mean - unseen * (mean - self.bounds[0])
            high = mean + unseen * (self.bounds[1] - mean)
        else:
            return Interval(mean, -math.inf, math.inf)
        if self.bounds:
            low, high = max(low, self.bounds[0]), min(high, self.bounds[1])
        return Interval(mean, low, high)


@dataclass(frozen=True)
class Jackknife:
    """A smooth function of sums over clusters, such as a ratio of means or an RMS.

    `sums` has a row for each cluster; `function` takes the sums of all rows (their last axis) and
    may be asked for many at once. With one cluster left out in turn,

        V = (C - 1) / C * sum of (f_without_i - their mean)^2,   f +- t(C - 1) sqrt(V)
    """

    function: Callable[[Any], Any]
    sums: Any

    @property
    def n(self) -> int:
        return len(self.sums)

    def interval(self, level: float) -> Interval:
        rows = np.asarray(self.sums, dtype=float)
        total = rows.sum(axis=0)
        value = float(self.function(total))
        if self.n < 2:
            return Interval(value, -math.inf, math.inf)
        without = np.asarray(self.function(total - rows))
        spread = (self.n - 1) / self.n * float(((without - without.mean()) ** 2).sum())
        half = student(level, self.n - 1) * math.sqrt(spread)
        if not half > 0.0:
            half = math.inf  # all clusters alike, or not a number: nothing is known
        return Interval(value, value - half, value + half)


def per_cluster(*columns: Any, clusters: Sequence[Hashable] = ()) -> Any:
    """The sums of the columns in each cluster, a row for each; without clusters every value is one
    of its own."""
    table = np.asarray(columns, dtype=float).T
    if not len(clusters):
        return table
    rows: dict[Hashable, Any] = {}
    for cluster, values in zip(clusters, table, strict=True):
        rows[cluster] = rows.get(cluster, 0.0) + values
    return np.array(list(rows.values()))


@dataclass(frozen=True)
class Gap:
    """The difference of the means of two independent samples (Welch)."""

    one: Sequence[float]
    two: Sequence[float]

    @property
    def n(self) -> int:
        return min(len(self.one), len(self.two))

    def interval(self, level: float) -> Interval:
        gap = float(np.mean(self.one) - np.mean(self.two))
        if self.n < 2:
            return Interval(gap, -math.inf, math.inf)
        errors = [float(np.var(side, ddof=1)) / len(side) for side in (self.one, self.two)]
        parts = zip(errors, (self.one, self.two), strict=True)
        below = sum(e * e / (len(side) - 1) for e, side in parts)
        freedom = int(sum(errors) ** 2 / below) if below else 0
        half = student(level, freedom) * math.sqrt(sum(errors)) if freedom else math.inf
        return Interval(gap, gap - half, gap + half)
