"""Scores, Elo differences and intervals, against arithmetic written out and simulated matches."""

from __future__ import annotations

import math
import random
import statistics

import pytest

from ponder.arena.rating import elo_of, mean_difference, rate, wilson

Z = 1.959964


def rounds_of(*counts: int) -> list[list[float]]:
    """Pairs that brought 0, 1/2, 1, 3/2 and 2 points, so many of each."""
    pairs = ([0, 0], [0, 0.5], [1, 0], [1, 0.5], [1, 1])
    return [pair for pair, count in zip(pairs, counts, strict=True) for _ in range(count)]


def test_elo_of_known_scores():
    assert elo_of(0.5) == 0.0
    assert elo_of(10 / 11) == pytest.approx(400)  # ten to one
    assert elo_of(0.75) == pytest.approx(190.848, abs=0.001)
    assert elo_of(0.25) == pytest.approx(-190.848, abs=0.001)
    assert (elo_of(0.0), elo_of(1.0)) == (-math.inf, math.inf)


def test_a_pentanomial_example_worked_by_hand():
    # 10 pairs: 11 of 20 points. Differences to the mean of 1.1 points a pair, squared:
    # 1 * 1.21 + 2 * 0.36 + 3 * 0.01 + 2 * 0.16 + 2 * 0.81 = 3.9; 3.9 / 9 / 10 / 2^2 = V
    found = rate(rounds_of(1, 2, 3, 2, 2))
    error = math.sqrt(3.9 / 9 / 10) / 2
    assert found.score == pytest.approx(0.55)
    assert found.error == pytest.approx(error)
    assert found.score_low == pytest.approx(0.55 - Z * error, abs=1e-6)
    assert found.score_high == pytest.approx(0.55 + Z * error, abs=1e-6)
    assert found.elo == pytest.approx(400 * math.log10(0.55 / 0.45))
    low, high = 0.55 - Z * error, 0.55 + Z * error
    assert found.elo_low == pytest.approx(400 * math.log10(low / (1 - low)), abs=0.01)
    assert found.elo_high == pytest.approx(400 * math.log10(high / (1 - high)), abs=0.01)


def test_pairs_that_go_opposite_ways_make_the_interval_narrower_than_single_games():
    pairs = [[1.0, 0.0]] * 20 + [[1.0, 1.0]] * 4 + [[0.0, 0.0]] * 2
    alone = [[game] for pair in pairs for game in pair]
    assert rate(pairs).score == rate(alone).score
    assert rate(pairs).error < 0.7 * rate(alone).error


def test_an_unfinished_last_round_counts_as_the_one_game_it_has():
    found = rate([[1.0, 0.5], [0.0, 0.5], [1.0]])
    s = 3.0 / 5
    squares = (1.5 - 2 * s) ** 2 + (0.5 - 2 * s) ** 2 + (1.0 - s) ** 2
    assert found.score == pytest.approx(s)
    assert found.error == pytest.approx(math.sqrt(3 / 2 * squares) / 5)


@pytest.mark.parametrize("pairs", [1, 10, 50])
def test_a_clean_sweep_has_a_lower_bound_by_wilson_and_no_upper_one(pairs):
    found = rate(rounds_of(0, 0, 0, 0, pairs))
    low = pairs / (pairs + Z * Z)
    assert (found.score, found.score_high) == (1.0, 1.0)
    assert found.score_low == pytest.approx(low, abs=1e-6)
    assert found.elo_low == pytest.approx(400 * math.log10(low / (1 - low)), abs=0.01)
    assert found.elo_high == math.inf
    games = 2 * pairs  # half a point is given away
    assert found.elo == pytest.approx(400 * math.log10((games - 0.5) / 0.5))
    lost = rate(rounds_of(pairs, 0, 0, 0, 0))
    assert lost.elo == pytest.approx(-found.elo)
    assert lost.elo_high == pytest.approx(-found.elo_low)
    assert lost.elo_low == -math.inf


def test_a_single_game_says_nothing_of_the_difference():
    won, lost = rate([[1.0]]), rate([[0.0]])
    assert (won.elo, lost.elo) == (math.inf, -math.inf)
    assert rate([[0.5]]).elo == 0.0


def test_equal_rounds_do_not_make_the_interval_empty():
    found = rate(rounds_of(0, 0, 10, 0, 0))
    assert found.score == 0.5
    assert (found.score_low, found.score_high) == pytest.approx(wilson(0.5, 10))
    assert found.score_low < 0.3
    assert found.elo == 0.0


def test_wilson_of_a_textbook_example():
    assert wilson(0.5, 10) == pytest.approx((0.2366, 0.7634), abs=1e-4)


def test_nothing_played_is_nothing_known():
    found = rate([])
    assert math.isnan(found.score)
    assert (found.elo_low, found.elo_high) == (-math.inf, math.inf)


def test_the_interval_covers_the_truth_in_95_of_100_matches():
    """Openings that favour a seat: single games depend on each other, rounds do not."""
    rng = random.Random(5)

    def points(mean: float) -> float:
        return 1.0 if rng.random() < mean else 0.0

    paired = alone = 0
    for _ in range(800):
        rounds = []
        for _ in range(100):
            favour = rng.choice((-0.35, 0.35))
            rounds.append([points(0.6 + favour), points(0.6 - favour)])
        found, single = rate(rounds), rate([[game] for pair in rounds for game in pair])
        paired += found.score_low <= 0.6 <= found.score_high
        alone += single.score_low <= 0.6 <= single.score_high
    assert 740 <= paired <= 780
    assert alone > 785


def test_the_mean_difference_agrees_with_the_standard_library():
    values = [3.0, -1.0, 4.0, 1.0, -5.0, 9.0]
    mean, low, high = mean_difference(values)
    half = Z * statistics.stdev(values) / math.sqrt(len(values))
    assert mean == pytest.approx(statistics.mean(values))
    assert (low, high) == pytest.approx((mean - half, mean + half), abs=1e-5)
    assert mean_difference([2.0]) == (2.0, -math.inf, math.inf)
