"""The bandit against arithmetic, and its texts."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hook_checks import check_position_texts
from plain_rules import assert_uniform, compare_plain_with_compiled, complaint
from ponder import MCTS, InputError, Position, position
from ponder.core.registry import game_text, parse_game
from ponder.games.bandit import Bandit
from ponder.search.reference import expectimax

START = position("bandit")
THRICE = "bandit(arms=(0.2, 0.7), pulls=3)"


def test_each_arm_wins_with_its_chance():
    assert START.legal_names == ("A", "B", "C")
    for arm, chance in zip("ABC", (0.6, 0.55, 0.4), strict=True):
        here = START.play(arm)
        assert here.is_chance
        assert here.chance_outcomes == ((0, 1 - chance), (1, chance))
        assert here.play("win").returns == (1.0,)
        assert here.play("lose").returns == (0.0,)
        assert expectimax(here).value == pytest.approx(chance)


def test_the_value_of_several_pulls_is_the_chance_of_the_best_arm():
    found = expectimax(position(THRICE))
    assert found.value == pytest.approx(0.7)
    assert found.action == 1
    here = position(THRICE).play_all("A win B lose A win")
    assert here.returns == (pytest.approx(2 / 3),)


@given(
    st.sampled_from((1, 3, 26)).flatmap(lambda n: st.lists(st.floats(0, 1), min_size=n, max_size=n))
)
def test_chances_are_the_arms_and_add_up_to_one(arms):
    here = Position(Bandit(tuple(arms)))
    for a in here.legal_actions:
        chances = dict(here.play(a).chance_outcomes)
        assert chances[1] == arms[a]
        assert math.isclose(sum(chances.values()), 1.0)


@pytest.mark.parametrize("seed", range(5))
def test_mcts_prefers_the_best_arm(seed):
    result = MCTS().search(START, simulations=20_000, seed=seed)
    visits = {START.action_name(row.action): row.visits for row in result.moves}
    assert START.action_name(result.action) == "A"
    assert visits["A"] > visits["B"] > visits["C"]
    values = {START.action_name(row.action): row.value for row in result.moves}
    for arm, chance in zip("ABC", (0.6, 0.55, 0.4), strict=True):
        deviation = math.sqrt(chance * (1 - chance) / visits[arm])
        assert abs(values[arm] - chance) < 5 * deviation


def test_an_arm_that_always_wins_is_found_with_certainty():
    here = position("bandit(arms=(0.0, 1.0))")
    result = MCTS().search(here, simulations=200, seed=1)
    assert here.action_name(result.action) == "B"
    assert {row.value for row in result.moves} == {0.0, 1.0}


@pytest.mark.parametrize("game", ["bandit", THRICE])
def test_plain_rules_equal_compiled_rules(game):
    assert compare_plain_with_compiled(position(game), 10) >= 30
    assert_uniform(position(game))


@given(st.lists(st.integers(0, 2), max_size=8))
def test_every_printed_position_parses_back(choices):
    here = position("bandit(pulls=4)")
    for choice in choices:
        here = here.play(here.legal_actions[choice % len(here.legal_actions)])
    again = Position.parse(here.game, here.text())
    assert again == here
    assert again.facts == here.facts


def test_every_position_of_random_games_parses_back():
    check_position_texts(position(THRICE), 10)


@given(st.one_of(st.text(min_size=1), st.text("0123 -AB", min_size=3)))
def test_any_other_text_is_refused_in_one_line(text):
    assert "\n" not in complaint(THRICE, text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("1 1", "pulls, wins and arm"),
        ("1 -1 -", "pulls, wins and arm"),
        ("٣ 1 -", "pulls, wins and arm"),
        ("999999 1 -", "pulls, wins and arm"),
        ("1 1 C", "unknown arm 'C'"),
        ("4 0 -", "impossible"),
        ("2 3 -", "impossible"),
        ("1 1 A", "impossible"),
        ("0 0 A", "impossible"),
    ],
)
def test_bad_positions_are_refused_with_a_reason(text, reason):
    with pytest.raises(InputError, match=reason):
        position(THRICE, text)


@pytest.mark.parametrize(
    ("game", "reason"),
    [
        (Bandit(()), "1 to 26 arms"),
        (Bandit((0.5,) * 27), "1 to 26 arms"),
        (Bandit((0.5, 1.5)), "from 0 to 1"),
        (Bandit((math.nan,)), "not a number"),
        (Bandit(pulls=0), "1 to 10000"),
    ],
)
def test_bad_parameters_are_refused(game, reason):
    with pytest.raises(InputError, match=reason):
        Position(game)


def test_the_game_text_parses_back():
    for game in (Bandit(), Bandit((0.25, 0.5), 7)):
        assert parse_game(game_text(game)) == game


def test_board_and_drawing_show_the_arms():
    here = START.play("B")
    assert "A 60%  B 55%  C 40%" in str(here)
    assert "B is pulled" in str(here)
    assert "choose an arm" in str(START)
    assert "over" in str(here.play("win"))
    assert START.svg().count("<rect") == 3
    assert START.svg().count('r="5"') == 3  # arms that can be pulled
    assert here.svg().count('r="5"') == 0
    assert here.svg().count("#c2452d") == 1  # the arm pulled
