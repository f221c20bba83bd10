"""Pig against OpenSpiel and exact winning chances, and its texts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle_openspiel import compare_with_openspiel
from plain_rules import assert_uniform, compare_plain_with_compiled, complaint
from ponder import MCTS, InputError, position
from ponder.core.position import Position

START = position("pig")


@pytest.mark.parametrize(
    ("ours", "theirs", "games"),
    [
        ("pig(target=20)", "pig(winscore=20)", 2000),
        ("pig", "pig", 50),
        ("pig(target=15, players=3)", "pig(winscore=15,players=3)", 500),
        ("pig(target=12, sides=4, players=10)", "pig(winscore=12,diceoutcomes=4,players=10)", 100),
        ("pig(target=20, horizon=15)", "pig(winscore=20,horizon=15)", 500),
    ],
)
def test_rules_agree_with_openspiel_at_every_step(ours, theirs, games):
    assert compare_with_openspiel(position(ours), theirs, games, seed=1) > 15 * games


@pytest.mark.parametrize("game", ["pig(target=25)", "pig(target=9, sides=3, players=4)"])
def test_plain_rules_equal_compiled_rules(game):
    assert compare_plain_with_compiled(position(game), 8) > 8 * 10


def test_random_actions_are_uniform():
    assert_uniform(START)


@pytest.mark.parametrize("sides", [2, 3, 6, 20])
def test_every_face_of_the_die_is_equally_likely(sides):
    here = position(f"pig(sides={sides})").play("roll")
    assert here.is_chance
    assert here.chance_outcomes == tuple((face, 1 / sides) for face in range(sides))
    assert here.legal_names == tuple(str(face + 1) for face in range(sides))


def test_a_one_loses_the_turn_and_holding_keeps_it():
    lost = START.play_all("roll 6 roll 4 roll 1")
    assert lost.text() == "0-0 player 1 total 0 after 3"
    kept = START.play_all("roll 6 roll 4 hold")
    assert kept.text() == "10-0 player 1 total 0 after 3"


def test_points_win_only_when_held_and_then_nothing_else_is_legal():
    here = position("pig(target=6)").play_all("roll 6")
    assert not here.is_terminal
    assert here.legal_names == ("hold",)
    assert here.play("hold").returns == (1.0, -1.0)
    third = position("pig(target=2, players=3)").play_all("hold hold roll 2 hold")
    assert third.returns == (-0.5, -0.5, 1.0)


def test_the_horizon_makes_a_draw_even_before_the_die_falls():
    here = position("pig(horizon=3)").play_all("hold hold roll")
    assert here.is_terminal
    assert here.returns == (0.0, 0.0)
    assert position("pig(target=2, horizon=2)").play_all("roll 2 hold").returns == (1.0, -1.0)


def value(here: Position, known: dict[Position, float]) -> float:
    """What the game is worth to player 0 if both play best, by looking at everything."""
    if here.is_terminal:
        return here.returns[0]
    if here not in known:
        after = [value(here.play(action), known) for action in here.legal_actions]
        if here.is_chance:
            known[here] = sum(v * p for v, (_, p) in zip(after, here.chance_outcomes, strict=True))
        else:
            known[here] = max(after) if here.current_player == 0 else min(after)
    return known[here]


@pytest.mark.parametrize(("target", "wins"), [(2, 6 / 7), (3, 36 / 43)])
def test_the_first_player_wins_as_often_as_he_should(target, wins):
    """Without a horizon the first player wins 6/7 or 36/43; drawn at 12 decisions, almost so."""
    found = value(position(f"pig(target={target}, horizon=12)"), {})
    assert found == pytest.approx(2 * wins - 1, abs=1e-4)


def test_the_static_value_is_the_lead_in_points():
    here = position("pig", "12-30 player 0 total 5 after 17")
    assert here.rules.evaluate(here.raw_state) == pytest.approx((-0.13, 0.13))
    three = position("pig(players=3)", "12-30-0 player 2 total 9 after 17")
    expected = ((12 - 39 / 2) / 100, (30 - 21 / 2) / 100, (9 - 42 / 2) / 100)
    assert three.rules.evaluate(three.raw_state) == pytest.approx(expected)


@given(st.integers(2, 4), st.integers(2, 7), st.lists(st.integers(0, 999), max_size=40))
def test_every_printed_position_parses_back(players, sides, choices):
    game = f"pig(target=15, sides={sides}, players={players}, horizon=35)"
    here = position(game)
    for choice in choices:
        if not here.is_terminal:
            here = here.play(here.legal_actions[choice % len(here.legal_actions)])
    again = position(game, here.text())
    assert again == here
    assert again.text() == here.text()
    assert again.facts == here.facts


@given(
    st.one_of(
        st.text(min_size=1),
        st.tuples(*[st.integers(0, 10**10)] * 5).map(lambda n: FORM.format(*n)),
        st.tuples(*[st.integers(0, 30)] * 5).map(lambda n: FORM.format(*n)),
    )
)
def test_any_other_text_is_refused_in_one_line(text):
    for ending in ("", " rolling"):
        assert "\n" not in complaint("pig", text + ending)


FORM = "{}-{} player {} total {} after {}"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("12-30", "not a position"),
        ("12-30 player 0 total 5", "not a position"),
        ("12-30-4 player 0 total 5 after 17", "2 players, not 3"),
        ("12-30 player 2 total 5 after 17", "no player 2"),
        ("12-1 player 0 total 5 after 17", "add up to 1"),
        ("12-30 player 0 total 1 after 17", "add up to 1"),
        ("100-30 player 0 total 0 after 50", "ends the game"),
        ("100-30 player 1 total 2 after 50", "ends the game"),
        ("100-100 player 1 total 0 after 50", "ends the game"),
        ("106-30 player 1 total 0 after 50", "rolls on"),
        ("90-30 player 0 total 16 after 50", "rolls on"),
        ("90-30 player 0 total 10 after 50 rolling", "must hold"),
        ("12-30 player 0 total 5 after 9", "take 10 or more"),
        ("12-30 player 0 total 5 after 1001", "ends after 1000"),
    ],
)
def test_bad_positions_are_refused_with_a_reason(text, reason):
    with pytest.raises(InputError, match=reason):
        position("pig", text)


def test_a_two_sided_die_gives_even_points_only():
    with pytest.raises(InputError, match="add up to 3"):
        position("pig(sides=2)", "3-0 player 1 total 0 after 9")


@pytest.mark.parametrize("wrong", ["target=0", "sides=1", "players=1", "players=11", "horizon=0"])
def test_impossible_parameters_are_refused(wrong):
    with pytest.raises(InputError, match=" to "):
        position(f"pig({wrong})")


def test_the_drawing_names_the_last_move_and_the_legal_ones():
    here, last = START, []
    for move in ["roll", "6", "roll", "1", "hold"]:
        here = here.play(move)
        picture = here.svg()
        last.append(picture.split("last: ")[1].split("<")[0])
        assert "legal: " + " ".join(here.legal_names) in picture
    assert last == ["roll", "6", "roll", "1", "hold"]


def test_the_default_search_rolls_first():
    result = MCTS().search(START, simulations=2000, seed=1)
    assert START.action_name(result.action) == "roll"
    assert all(-1 <= value <= 1 for value in result.values)
