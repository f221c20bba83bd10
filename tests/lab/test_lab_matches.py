"""Matches of the lab: figures, several matches taken together, efforts."""

from __future__ import annotations

import pytest

from ponder.arena.game import Played, Task
from ponder.arena.openings import Opening
from ponder.arena.result import MatchResult
from ponder.lab.matches import FIGURES, figures, limit_text, openings, pairs, pooled
from ponder.lab.rave import ratio
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


def test_figures_are_counts_score_interval_and_elo():
    found = dict(zip(FIGURES, figures(made_up((1, 1), (1, 0.5), (0, 0.5))), strict=True))
    assert (found["games"], found["won"], found["drawn"], found["lost"]) == (6, 3, 2, 1)
    assert found["score"] == pytest.approx(4 / 6)
    assert found["from"] < found["score"] < found["to"]
    assert found["elo"] == 120  # 400 log10 2


def test_several_matches_together_count_every_round_once():
    one, two = made_up((1, 1), (1, 0)), made_up((0, 0))
    assert pooled([one]) == one.rating
    assert pooled([one, two]) == made_up((1, 1), (1, 0), (0, 0)).rating


def test_the_speed_is_the_ratio_of_simulations_a_move():
    assert ratio(made_up((1, 0))) == 0.5


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
