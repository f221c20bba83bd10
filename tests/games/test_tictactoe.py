"""Tic-tac-toe against OpenSpiel, and its texts."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hook_checks import check_symmetries, image
from oracle_openspiel import compare_with_openspiel
from plain_rules import assert_uniform, compare_plain_with_compiled, complaint
from ponder import MCTS, InputError, position
from ponder.core.rng import below, new_rng
from ponder.core.twin import twin

START = position("tictactoe")


def test_rules_agree_with_openspiel_at_every_step():
    steps = compare_with_openspiel(START, "tic_tac_toe", 3000, seed=1)
    assert steps > 3000 * 6


def test_plain_rules_equal_compiled_rules():
    assert compare_plain_with_compiled(START, 20) > 20 * 5


def test_symmetric_positions_have_symmetric_moves():
    rules = START.rules.part
    assert rules.symmetries() == 8
    check_symmetries(START, 10)
    images = {tuple(rules.transform_action(a, k) for a in range(9)) for k in range(8)}
    assert len(images) == 8  # all different
    assert {rules.transform_action(4, k) for k in range(8)} == {4}
    assert {rules.transform_action(0, k) for k in range(8)} == {0, 2, 6, 8}
    assert {rules.transform_action(1, k) for k in range(8)} == {1, 3, 5, 7}


def test_up_to_symmetry_there_are_765_positions():
    """A known count: 5,478 reachable positions in 765 classes."""
    found, layer = {START.raw_state.tobytes(): START}, [START]
    while layer:
        after = [here.play(a) for here in layer for a in here.legal_actions]
        layer = []
        for here in after:
            if here.raw_state.tobytes() not in found:
                found[here.raw_state.tobytes()] = here
                layer.append(here)
    assert len(found) == 5478
    assert len({min(image(here, k) for k in range(8)) for here in found.values()}) == 765


def test_random_actions_are_uniform():
    assert_uniform(START.play_all("b2 a1"))


@pytest.mark.plain
@pytest.mark.parametrize("moves", ["", "b2 a1", "a1 b1 a2 b2", "a1 b2 c3 b1 b3 a3 c1"])
def test_a_random_game_at_once_is_the_game_that_moves_would_make(moves):
    start = START.play_all(moves)
    rules, out = twin(start.rules.part), np.zeros(9, np.int32)
    one, other = new_rng(3), new_rng(3)
    winners = set()
    for _ in range(200):
        moved, ended = start.raw_state.copy(), start.raw_state.copy()
        while not rules.is_terminal(moved[0]):
            n = rules.legal_actions(moved[0], out)
            rules.apply_action(moved[0], out[below(one, n)])
        rules.random_rollout(ended[0], out, other)
        assert ended[0].winner == moved[0].winner
        assert one[0] == other[0]
        winners.add(int(moved[0].winner))
    assert len(winners) > 1


def test_a_line_wins_and_a_full_board_is_a_draw():
    assert START.play_all("a1 b1 a2 b2 a3").returns == (1.0, -1.0)
    assert START.play_all("a1 b1 a2 b2 c1 b3").returns == (-1.0, 1.0)
    assert START.play_all("a1 b2 c3 b1 b3 a3 c1 c2 a2").returns == (0.0, 0.0)


@given(st.lists(st.integers(0, 8), max_size=9))
def test_every_printed_position_parses_back(choices):
    here = START
    for choice in choices:
        if not here.is_terminal:
            here = here.play(here.legal_actions[choice % len(here.legal_actions)])
    again = position("tictactoe", here.text())
    assert again == here
    assert again.text() == here.text()
    assert again.legal_actions == here.legal_actions


@given(st.one_of(st.text(min_size=1), st.text("xo./ ", min_size=9, max_size=12)))
def test_any_other_text_is_refused_in_one_line(text):
    assert "\n" not in complaint("tictactoe", text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("xo", "three rows"),
        ("xo./.q./...", "three rows"),
        ("xo.../x./..", "three rows"),
        ("xx./.../...", "impossible"),
        ("ooo/.../...", "impossible"),
        ("xxx/oo./o..", "moved last"),
        ("xxx/ooo/...", "moved last"),
    ],
)
def test_bad_positions_are_refused_with_a_reason(text, reason):
    with pytest.raises(InputError, match=reason):
        position("tictactoe", text)


def test_the_drawing_marks_the_last_move_and_the_legal_ones():
    picture = START.play("b2").svg()
    assert picture.count('r="5"') == 8
    assert picture.count('stroke-width="3"') == 1


def test_the_default_search_finds_the_win():
    here = START.play_all("a1 b1 a2 b2")
    result = MCTS().search(here, simulations=2000, seed=1)
    assert here.action_name(result.action) == "a3"
    assert all(-1 <= value <= 1 for value in result.values)
    assert all(-1 <= row.value <= 1 for row in result.moves)
