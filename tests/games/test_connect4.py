"""Connect Four against OpenSpiel, and its own corners."""

from __future__ import annotations

import random

import numpy as np
import pytest

from oracle_openspiel import compare_with_openspiel
from ponder import InputError, position
from ponder.core.rng import new_rng
from ponder.core.twin import twin


@pytest.mark.parametrize(
    ("ours", "theirs", "games"),
    [
        ("connect4", "connect_four", 2000),
        ("connect4(5, 4, 3)", "connect_four(columns=5,rows=4,x_in_row=3)", 500),
        ("connect4(10, 9, 5)", "connect_four(columns=10,rows=9,x_in_row=5)", 200),
    ],
)
def test_rules_agree_with_openspiel_at_every_step(ours, theirs, games):
    steps = compare_with_openspiel(position(ours), theirs, games, seed=1)
    assert steps > games * 6


def test_position_text_parses_back():
    p = position("connect4").play_all("4 4 3 5 5 1")
    assert position("connect4", p.text()) == p


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("xx", "6 rows"),
        ("/".join(["......."] * 5 + ["..q...."]), "unknown cell"),
        ("/".join(["......."] * 4 + ["..x....", "......."]), "hangs in the air"),
        ("/".join(["......."] * 5 + ["..ooo.."]), "impossible"),
    ],
)
def test_bad_positions_are_refused_with_a_reason(text, complaint):
    with pytest.raises(InputError, match=complaint):
        position("connect4", text)


def test_open_ends_are_the_cells_that_would_win():
    # x on 3 4 5 of the bottom row: 2 and 6 complete the line; nothing else does
    p = position("connect4").play_all("3 3 4 4 5")
    rules = p.rules.part
    ends = int(rules.open_ends(p.state.stones[0], p.state.full))
    assert ends == (1 << 1 * 7) | (1 << 5 * 7)
    assert int(rules.open_ends(p.state.stones[1], p.state.full)) == 0


@pytest.mark.parametrize("game", ["connect4", "connect4(5, 5, 3)", "connect4(6, 5, 4, 3)"])
def test_open_ends_agree_with_playing_every_cell(game):
    rng = random.Random(3)
    for _ in range(20):
        p = position(game)
        for _ in range(rng.randrange(4, 14)):
            if p.is_terminal:
                break
            p = p.play(rng.choice(p.legal_actions))
        rules, s = p.rules.part, p.state
        for player in range(p.players):
            own, full = int(s.stones[player]), int(s.full)
            wanted = sum(
                1 << bit
                for bit in range(64)
                if int(rules.inside) >> bit & 1
                and not full >> bit & 1
                and rules.has_run(np.uint64(own | 1 << bit))
                and not rules.has_run(np.uint64(own))
            )
            if not rules.has_run(np.uint64(own)):
                assert int(rules.open_ends(s.stones[player], s.full)) == wanted


def test_the_evaluation_is_fair_and_within_range():
    start = position("connect4")
    assert start.rules.evaluate(start.raw_state) == (0.0, 0.0)
    better = position("connect4").play_all("3 3 4 4 5")
    one, two = better.rules.evaluate(better.raw_state)
    assert one == -two
    assert 0 < one < 1


def test_the_mirror_image_has_the_mirrored_moves():
    p = position("connect4").play_all("1 1 2 7 3")
    mirrored = position("connect4").play_all("7 7 6 1 5")
    rules, image = p.rules.part, p.raw_state.copy()
    rules.transform(p.raw_state[0], 1, image[0])
    assert image.tobytes() == mirrored.raw_state.tobytes()
    assert [rules.transform_action(a, 1) for a in range(7)] == [6, 5, 4, 3, 2, 1, 0]


@pytest.mark.plain
@pytest.mark.parametrize(
    ("game", "moves"),
    [("connect4", ""), ("connect4", "4 4 3 5 2"), ("connect4(columns=5, rows=4, players=3)", "1")],
)
def test_a_random_game_at_once_is_the_game_that_moves_would_make(game, moves):
    start = position(game).play_all(moves)
    rules, out = twin(start.rules.part), np.zeros(8, np.int32)
    one, other = new_rng(3), new_rng(3)
    winners = set()
    for _ in range(150):
        moved, ended = start.raw_state.copy(), start.raw_state.copy()
        while not rules.is_terminal(moved[0]):
            rules.apply_action(moved[0], rules.random_action(moved[0], out, one))
        rules.random_rollout(ended[0], out, other)
        assert ended[0].winner == moved[0].winner
        assert one[0] == other[0]
        winners.add(int(moved[0].winner))
    assert len(winners) > 1
