"""The utility of mate: 1, or as far from every expectation as the lecture's infinity."""

from __future__ import annotations

import json

import pytest

from ponder import InputError, engine, position
from ponder.core.registry import game_text, parse_game

pytestmark = pytest.mark.plain
FOOLS_MATE = "f2f3 e7e5 g2g4 d8h4"
MATE_IN_TWO = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1"
"""Morphy's problem: 1 Ra6."""
FORCED = "6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1"


def no_constant(text):
    raise AssertionError(f"{text} is not JSON")


@pytest.mark.parametrize("evaluation", ["own", "lecture", "lecture_complete"])
@pytest.mark.parametrize("mate", [1.0, 50.0, 1e100])
def test_a_mate_is_worth_what_the_game_says(evaluation, mate):
    start = position(f"chess(mate={mate!r}, evaluation={evaluation})")
    assert start.play_all(FOOLS_MATE).returns == (-mate, mate)
    assert start.rules.utilities == (-mate, mate)
    stalemate = position(f"chess(mate={mate!r})", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")
    assert stalemate.returns == (0.0, 0.0)


@pytest.mark.parametrize("fen", [MATE_IN_TWO, FORCED])
def test_searches_play_the_same_whatever_mate_is_worth(fen):
    usual, huge = (
        engine("alphabeta()").search(position(game, fen), depth=3, seed=1)
        for game in ("chess", "chess(mate=1e100)")
    )
    assert usual.action == huge.action
    assert (usual.value, huge.value) == (1.0, 1e100)
    others = {row.action: row.value for row in usual.moves if row.value is not None}
    for row in huge.moves:  # expectations are what they were
        if row.value is not None and abs(row.value) < 1e100:
            assert abs(row.value) <= 1
            assert row.value == others[row.action]


def test_results_with_huge_utilities_are_json():
    start = position("chess(mate=1e100)", FORCED)
    for text, limit in (("minimax()", {"depth": 2}), ("mcts()", {"simulations": 30})):
        found = engine(text).search(start, seed=1, **limit)
        data = json.loads(json.dumps(found.to_json()), parse_constant=no_constant)
        assert data["value"] == found.value
        assert abs(found.value) <= 1e100


def test_the_text_of_chess_is_what_it_was():
    assert game_text(parse_game("chess")) == "chess()"
    assert game_text(parse_game("chess(mate=1e100)")) == "chess(mate=1e+100)"


@pytest.mark.parametrize("mate", ["0", "0.5", "-1", "1e101"])
def test_mates_that_decide_nothing_or_overflow_are_refused(mate):
    with pytest.raises(InputError, match="mate of chess is from 1 to 1e100"):
        parse_game(f"chess(mate={mate})")
