"""Matches of the lab: figures, several matches taken together, efforts."""

from __future__ import annotations

import pytest

from ponder.arena.game import Played, Task
from ponder.arena.openings import Opening
from ponder.arena.result import MatchResult
from ponder.lab.matches import EloOf, limit_text, openings, pairs, rounds_of, score, speed
from ponder.lab.solver import solved_share
from ponder.search.random import RandomPlayer


def made_up(*rounds, simulations=((10, 20), (10, 20))):
    """A match with these points of the first player in the two games of each round."""
    records = [
        Played(
            Task(r, number, (number, 1 - number), Opening(())),
            ("a", "b"),
            tuple((2 * point - 1) * (1 if seat == number else -1) for seat in (0, 1)),
            "rules",
            "",
            None,
            (0, 1),
            (0.1, 0.1),
            simulations[number],
            (None, None),
        )
        for r, points in enumerate(rounds)
        for number, point in enumerate(points)
    ]
    return MatchResult("tictactoe()", ("one", "two"), {}, 0, "", records, 2)


def test_the_games_of_an_opening_are_one_observation_and_intervals_are_the_arenas():
    match = made_up((1, 1), (1, 0.5), (0, 0.5))
    found = score(rounds_of(match))
    assert found.n == 3
    value, low, high = found.interval(0.95)
    assert value == pytest.approx(match.rating.score)
    # Student's t of two degrees of freedom in place of 1.96
    assert (high - low) > match.rating.score_high - match.rating.score_low
    assert EloOf(found).interval(0.95).value == pytest.approx(120.4, abs=0.1)  # 400 log10 2


def test_several_matches_together_count_every_round_once():
    one, two = (rounds_of(made_up(*rounds)) for rounds in (((1, 1), (1, 0)), ((0, 0),)))
    together = rounds_of(made_up((1, 1), (1, 0), (0, 0)))
    assert score(one, two).interval(0.95) == score(together).interval(0.95)


def test_the_speed_is_the_ratio_of_simulations_a_move():
    assert speed(made_up((1, 0))) == 0.5


def test_moves_with_fewer_simulations_than_allowed_are_solved():
    match = made_up((1, 0), simulations=((10, 7), (4, 10)))
    assert solved_share(match, 10) == 0.5
    assert solved_share(match, None) is None


def test_limits_in_words():
    assert limit_text({"simulations": 1000}) == "1,000 simulations"
    assert limit_text({"seconds": 0.005}) == "5 ms"


def test_every_opening_is_played_from_both_seats_and_the_seed_decides_the_games():
    starts = openings("tictactoe", 2, 5, seed=1)
    one, same, other = (pairs(RandomPlayer(), RandomPlayer(), starts, seed) for seed in (1, 1, 2))
    assert one.games == 10
    assert [sum(seat) for seat in one.by_seat()] == [5, 5]
    moves = [[p.moves for p in r.records] for r in (one, same, other)]
    assert moves[0] == moves[1] != moves[2]
