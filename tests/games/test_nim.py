"""Nim against OpenSpiel and Bouton's theorem, and its texts."""

from __future__ import annotations

from functools import reduce
from operator import xor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle_openspiel import compare_with_openspiel
from plain_rules import assert_uniform, compare_plain_with_compiled, complaint
from ponder import MCTS, InputError, position
from ponder.core.position import Position


@pytest.mark.parametrize(
    ("ours", "theirs", "games"),
    [
        ("nim", "nim(is_misere=false)", 2000),
        ("nim(misere=True)", "nim", 2000),
        ("nim((4, 2, 9), True)", "nim(pile_sizes=4;2;9)", 500),
        ("nim((2, 30))", "nim(pile_sizes=2;30,is_misere=false)", 500),
    ],
)
def test_rules_agree_with_openspiel_at_every_step(ours, theirs, games):
    assert compare_with_openspiel(position(ours), theirs, games, seed=1) > 2 * games


@pytest.mark.parametrize("game", ["nim", "nim((200, 255, 7), True)"])
def test_plain_rules_equal_compiled_rules(game):
    assert compare_plain_with_compiled(position(game), 10) > 20


def test_random_actions_are_uniform():
    assert_uniform(position("nim", "1-0-4-7 1"))


def value(here: Position, known: dict[Position, float]) -> float:
    """The value to the player to move, by looking at every continuation."""
    if here not in known:
        after = [here.play(action) for action in here.legal_actions]
        known[here] = max(
            a.returns[here.current_player] if a.is_terminal else -value(a, known) for a in after
        )
    return known[here]


@pytest.mark.parametrize("misere", [False, True])
def test_who_wins_is_what_bouton_says(misere):
    known: dict[Position, float] = {}
    for heaps in ("3, 4, 5", "1, 1, 2, 3"):
        value(position(f"nim(({heaps}), {misere})"), known)
    assert len(known) > 200
    for here, found in known.items():
        heaps = [int(n) for n in here.state.heaps]
        if misere and max(heaps) == 1:
            wins = sum(heaps) % 2 == 0
        else:
            wins = reduce(xor, heaps) != 0
        assert found == (1.0 if wins else -1.0), here


def test_the_last_counter_wins_or_loses():
    assert position("nim((2,))").play("1:2").returns == (1.0, -1.0)
    assert position("nim((2,), True)").play("1:2").returns == (-1.0, 1.0)
    assert position("nim((2,))").play_all("1:1 1:1").returns == (-1.0, 1.0)


@given(
    st.lists(st.integers(1, 255), min_size=3, max_size=3),
    st.lists(st.integers(0, 9999), max_size=12),
)
def test_every_printed_position_parses_back(heaps, choices):
    game = f"nim({tuple(heaps)})"
    here = position(game)
    for choice in choices:
        if not here.is_terminal:
            here = here.play(here.legal_actions[choice % len(here.legal_actions)])
    again = position(game, here.text())
    assert again == here
    assert again.text() == here.text()
    assert again.facts == here.facts


@given(st.one_of(st.text(min_size=1), st.text("0123456789- ", min_size=1)))
def test_any_other_text_is_refused_in_one_line(text):
    assert "\n" not in complaint("nim", text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("1 3 5 7", "joined by '-'"),
        ("1-3-5-7", "player"),
        ("1-3-5-7 2", "0 or 1"),
        ("1-3-5 0", "4 heaps, not 3"),
        ("1-3-6-7 0", "only shrink"),
        ("1-3-5-7 1", "exactly 0 moves"),
        ("0-2-5-7 1", "exactly 2 moves"),
    ],
)
def test_bad_positions_are_refused_with_a_reason(text, reason):
    with pytest.raises(InputError, match=reason):
        position("nim", text)


@pytest.mark.parametrize("heaps", ["()", "(0,)", "(256,)", "(1, -1)", str((1,) * 33)])
def test_impossible_heaps_are_refused(heaps):
    with pytest.raises(InputError, match="1 to"):
        position(f"nim({heaps})")


@pytest.mark.parametrize(("game", "dots"), [("nim", 15), ("nim((20, 30))", 47)])
def test_the_drawing_marks_the_last_move_and_the_legal_ones(game, dots):
    here = position(game)
    here = here.play(here.legal_actions[0]) if game == "nim" else here.play("2:3")
    picture = here.svg()
    assert picture.count('r="5"') == dots
    assert picture.count('stroke-width="3"') == 1


@pytest.mark.parametrize(
    ("game", "best"), [("nim((1, 2, 4))", "3:1"), ("nim((1, 1, 4), True)", "3:3")]
)
def test_the_default_search_finds_the_only_winning_move(game, best):
    here = position(game)
    result = MCTS().search(here, simulations=2000, seed=1)
    assert here.action_name(result.action) == best
    assert all(-1 <= value <= 1 for value in result.values)
    assert all(-1 <= row.value <= 1 for row in result.moves)
