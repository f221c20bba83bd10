"""Thompson sampling: the random numbers have the right distributions, and so has the choice."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ponder.core.rng import new_rng
from ponder.jit import COMPILED, kernel
from ponder.mcts.select.drawn import beta, gamma, normal
from ponder.select import Thompson
from reference.node_family import Family

pytestmark = pytest.mark.plain

MANY = 200_000 if COMPILED else 4_000


@kernel
def _normals(rng, out):
    for i in range(out.size):
        out[i] = normal(rng)


@kernel
def _gammas(rng, shape, out):
    for i in range(out.size):
        out[i] = gamma(rng, shape)


@kernel
def _betas(rng, a, b, out):
    for i in range(out.size):
        out[i] = beta(rng, a, b)


def assert_mean(values, wanted):
    """Within five standard errors."""
    error = values.std() / math.sqrt(values.size)
    assert abs(values.mean() - wanted) < 5 * error


def test_normal_numbers_have_their_moments():
    x = np.zeros(MANY)
    _normals(new_rng(1), x)
    for power, wanted in [(1, 0), (2, 1), (3, 0), (4, 3), (6, 15)]:
        assert_mean(x**power, wanted)
    assert abs(np.mean(x < -1) - 0.158655) < 5 * math.sqrt(0.1587 * 0.8413 / MANY)


@pytest.mark.parametrize("shape", [1.0, 1.5, 4.0, 70.25])
def test_gamma_numbers_have_their_moments(shape):
    x = np.zeros(MANY)
    _gammas(new_rng(2), shape, x)
    assert x.min() > 0
    assert_mean(x, shape)
    assert_mean((x - shape) ** 2, shape)
    assert_mean((x - shape) ** 3, 2 * shape)
    if shape == 1.0:  # the exponential distribution
        for t in (0.1, 1.0, 3.0):
            p = math.exp(-t)
            assert abs(np.mean(x > t) - p) < 5 * math.sqrt(p * (1 - p) / MANY)


@pytest.mark.parametrize(("a", "b"), [(1, 1), (3, 2), (1, 9), (30, 12)])
def test_beta_numbers_have_their_distribution(a, b):
    x = np.zeros(MANY)
    _betas(new_rng(3), float(a), float(b), x)
    assert_mean(x, a / (a + b))
    assert_mean((x - a / (a + b)) ** 2, a * b / ((a + b) ** 2 * (a + b + 1)))
    # for whole a, b: P(Beta(a, b) < t) = P(at least a of a + b - 1 coins with chance t)
    n = a + b - 1
    for t in (0.1, 0.3, 0.5, 0.7, 0.9):
        p = sum(math.comb(n, k) * t**k * (1 - t) ** (n - k) for k in range(a, n + 1))
        assert abs(np.mean(x < t) - p) <= 5 * math.sqrt(p * (1 - p) / MANY) + 1e-9


@pytest.mark.parametrize("bounds", [(0.0, 1.0), (-3.0, 5.0)])
def test_a_child_is_chosen_as_often_as_it_is_believed_to_be_the_best(bounds):
    # 6 wins and 2 losses against 1 and 2: P(Beta(7, 3) > Beta(2, 3)), a sum for whole numbers
    low, high = bounds
    family = Family(Thompson(), [[high] * 6 + [low] * 2, [high, low, low]], bounds)

    def log_beta(a, b):
        return math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)

    # P(X > Y) for X ~ Beta(a, b), Y ~ Beta(c, d): sum over i < a
    a, b, c, d = 7, 3, 2, 3
    p = sum(
        math.exp(log_beta(c + i, d + b) - math.log(b + i) - log_beta(1 + i, b) - log_beta(c, d))
        for i in range(a)
    )
    assert 0.8 < p < 0.95
    rng, n = new_rng(4), 4000
    share = sum(family.choose(rng) == 0 for _ in range(n)) / n
    assert abs(share - p) < 5 * math.sqrt(p * (1 - p) / n)


def test_utilities_between_count_as_shares_of_a_win():
    halves = Family(Thompson(), [[0.5] * 40, [0.2] * 40], (0.0, 1.0))
    wins = Family(Thompson(), [[1.0, 0.0] * 20, [1.0] * 8 + [0.0] * 32], (0.0, 1.0))
    one, other = new_rng(6), new_rng(6)
    assert [halves.choose(one) for _ in range(200)] == [wins.choose(other) for _ in range(200)]
