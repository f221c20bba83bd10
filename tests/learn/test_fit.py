"""`ponder fit`: weights by logistic regression, against data whose weights are known."""

from __future__ import annotations

import numpy as np
import pytest

from ponder import position
from ponder.errors import InputError
from ponder.learn.fit import Rows, clustered, fit, fitted_weights, logistic

NAMES, TRUE, GIVEN = ["big", "small", "nothing"], np.array([1.5, 0.5, 0.0]), [3.0, 1.0, 2.0]


def drawn_rows(seed, games=400, samples=6):
    """Results drawn with the true weights: one result for all positions of a game."""
    rng = np.random.default_rng(seed)
    features = rng.normal(size=(games, 1, 3)) + 0.1 * rng.normal(size=(games, samples, 3))
    chance = 1.0 / (1.0 + np.exp(-(features.mean(axis=1) @ TRUE)))
    won = np.repeat(rng.random(games) < chance, samples)
    return Rows(features.reshape(-1, 3), won.astype(float), np.repeat(np.arange(games), samples))


def test_the_fit_is_where_the_gradient_of_the_likelihood_vanishes():
    rows = drawn_rows(1)
    w, _ = logistic(rows.features, rows.results, prior=0.0)

    def loss(weights):
        score = rows.features @ weights
        return float(np.sum(np.log1p(np.exp(score)) - rows.results * score))

    for k in range(3):
        step = 1e-4 * np.eye(3)[k]
        assert loss(w + step) > loss(w) < loss(w - step)
        assert abs(loss(w + step) - loss(w - step)) / 2e-4 < 1e-4


def test_intervals_hold_the_truth_nineteen_times_in_twenty_though_positions_share_results():
    inside = naive = total = 0
    for seed in range(150):
        rows = drawn_rows(seed, games=200)
        w, inverse = logistic(rows.features, rows.results)
        errors = clustered(rows.features, rows.results, w, inverse, rows.games)
        inside += np.sum(np.abs(w - TRUE) < 1.96 * np.sqrt(np.diag(errors)))
        naive += np.sum(np.abs(w - TRUE) < 1.96 * np.sqrt(np.diag(inverse)))
        total += 3
    assert 0.90 < inside / total < 0.99
    assert naive / total < 0.8  # as if every position had a result of its own


def test_weights_are_told_in_the_unit_of_one_of_them():
    found = fitted_weights(drawn_rows(3, games=4_000), NAMES, GIVEN, "small")
    by_name = {weight.name: weight for weight in found.weights}
    assert by_name["small"].fitted == 1.0
    assert by_name["small"].high - by_name["small"].low < 1e-9
    assert by_name["big"].low < 3.0 < by_name["big"].high
    assert by_name["nothing"].low < 0.0 < by_name["nothing"].high
    # the weight 2 of what means nothing costs the old ones dearly
    assert found.loss_fitted < found.loss_given - 0.05


def test_a_feature_that_tells_everything_gets_a_finite_weight():
    results = np.array([0.0, 1.0] * 50)
    w, _ = logistic((2.0 * results - 1.0)[:, None], results)
    assert 3.0 < w[0] < 100.0


def test_games_follow_from_the_seed():
    start = position("breakthrough(rows=5, columns=4)")
    same = [fit(start, games=20, samples=2, seed=7) for _ in range(2)]
    assert same[0] == same[1]
    assert same[0].games == 20
    assert same[0].positions <= 40
    assert fit(start, games=20, samples=2, seed=8).weights != same[0].weights


def test_what_cannot_be_fitted_is_refused_in_a_sentence():
    with pytest.raises(InputError, match="does not say what an evaluation is made of"):
        fit(position("tictactoe"))
    with pytest.raises(InputError, match="two players"):
        fit(position("twenty48"))
    start = position("breakthrough(rows=5, columns=4)")
    with pytest.raises(InputError, match="there is no feature 'pawn': those of this game are"):
        fit(start, unit="pawn")
    with pytest.raises(InputError, match="games must be 20 or more"):
        fit(start, games=3)
