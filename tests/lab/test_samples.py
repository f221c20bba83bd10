"""Intervals against tables, another library, formulas done by hand, and their own promise."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ponder.lab.samples import Average, Exact, Gap, Jackknife, Share, normal, per_cluster, student

stats = pytest.importorskip("scipy.stats")
MANY = 2_000


@pytest.mark.parametrize("level", [0.9, 0.95, 0.99, 0.999])
@pytest.mark.parametrize("freedom", [9, 19, 59, 999])
def test_quantiles_are_those_of_another_library(level, freedom):
    assert normal(level) == pytest.approx(stats.norm.ppf(0.5 + level / 2), rel=1e-9)
    assert student(level, freedom) == pytest.approx(stats.t.ppf(0.5 + level / 2, freedom), rel=5e-3)


def test_with_no_degree_of_freedom_nothing_is_known():
    assert student(0.95, 0) == math.inf
    assert student(0.95, 1) == pytest.approx(12.706, abs=1e-3)
    assert Average([3.0]).interval(0.95)[1:] == (-math.inf, math.inf)
    assert Jackknife(lambda s: s[..., 0], [[1.0]]).interval(0.95).high == math.inf


def test_a_share_has_wilsons_interval():
    found = Share([True] * 8 + [False] * 2).interval(0.95)
    wanted = stats.binomtest(8, 10).proportion_ci(0.95, method="wilson")
    assert found == pytest.approx((0.8, wanted.low, wanted.high))
    assert Share([True] * 10).interval(0.95).low < 0.75


def test_a_mean_has_students_interval_and_an_exact_figure_none():
    values = [1.0, 2.0, 4.0, 8.0, 3.0, 3.0]
    wanted = stats.t.interval(0.95, 5, np.mean(values), stats.sem(values))
    assert Average(values).interval(0.95) == pytest.approx((3.5, *wanted), rel=5e-3)
    assert Exact(7).interval(0.999) == (7, 7, 7)


def test_values_that_are_all_alike_are_no_certainty():
    assert Average([1.0] * 5).interval(0.95).low == -math.inf
    assert Average([1.0] * 5, bounds=(0.0, 1.0)).interval(0.95) == Share([True] * 5).interval(0.95)


def test_pairs_that_never_differ_leave_room_for_what_was_not_seen_only():
    low, high = Average([0.0] * 1_000, bounds=(-1.0, 1.0)).interval(0.95)[1:]
    assert -low == high == Share([False] * 1_000).interval(0.95).high


def test_two_independent_samples_are_compared_as_welch_did():
    rng = np.random.default_rng(2)
    one, two = rng.normal(1.0, 3.0, 40).tolist(), rng.normal(0.0, 1.0, 25).tolist()
    wanted = stats.ttest_ind(one, two, equal_var=False).confidence_interval(0.95)
    value, low, high = Gap(one, two).interval(0.95)
    assert value == pytest.approx((wanted.low + wanted.high) / 2)
    assert (low, high) == pytest.approx((wanted.low, wanted.high), abs=0.01)


def test_copies_of_a_value_in_its_cluster_do_not_narrow_the_interval():
    values = [1.0, 2.0, 4.0, 8.0]
    alone = Average(values).interval(0.95)
    copied = Average(values * 5, clusters=[0, 1, 2, 3] * 5)
    assert copied.n == 4
    assert copied.interval(0.95) == pytest.approx(alone)
    assert Average(values * 5).interval(0.95).low > alone.low


def test_the_jackknife_of_a_mean_is_the_mean_with_its_interval():
    values, clusters = [1.0, 2.0, 4.0, 8.0, 5.0], [0, 0, 1, 2, 3]
    sums = per_cluster(values, np.ones(5), clusters=clusters)
    ratio = Jackknife(lambda s: s[..., 0] / s[..., 1], sums)
    mean = Average(values).interval(0.95)
    assert ratio.interval(0.95).value == mean.value
    single = Jackknife(lambda s: s[..., 0] / s[..., 1], per_cluster(values, np.ones(5)))
    assert single.interval(0.95) == pytest.approx(mean)


def coverage(level, make, truth):
    rng = np.random.default_rng(1)
    found = (make(rng).interval(level) for _ in range(MANY))
    return sum(low <= truth <= high for _, low, high in found) / MANY


def test_intervals_contain_the_truth_as_often_as_they_say():
    """Clustered: five values share half their spread. The RMS of four clusters' worth is skew."""

    def clustered(rng):
        shared = np.repeat(rng.normal(0, 1, 20), 5)
        values = 3.0 + shared + rng.normal(0, 1, 100)
        return Average(values.tolist(), np.repeat(np.arange(20), 5).tolist())

    def rms(rng):
        sums = np.column_stack([rng.normal(0, 2, 60) ** 2, np.ones(60)])
        return Jackknife(lambda s: np.sqrt(s[..., 0] / s[..., 1]), sums)

    assert coverage(0.95, clustered, 3.0) == pytest.approx(0.95, abs=0.015)
    assert coverage(0.95, rms, 2.0) == pytest.approx(0.95, abs=0.02)
    assert coverage(0.99, lambda rng: Share((rng.random(200) < 0.9).tolist()), 0.9) > 0.98
