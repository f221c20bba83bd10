"""What the experiments on backup rules read off a search, and what they make of it."""

from __future__ import annotations

import random

import pytest

from ponder.core.start import position
from ponder.lab.backup import PAPER, apart, errors, rms
from ponder.lab.estimates import Root, self_play, watch
from ponder.lab.tune import COULOM, THE_MEAN, Refitted, estimate, fit
from ponder.lab.tune import rms as rms_of
from ponder.mcts.presets import crazy_stone

STEPS = (1, 2, 5, 40, 200, 1_000)


def random_root(draw: random.Random) -> Root:
    simulations = 2 ** draw.randrange(7, 13)
    games1, games0 = (draw.randrange(1, simulations // 2) for _ in range(2))
    value1, value0 = sorted(draw.uniform(-10, 10) for _ in range(2))
    mean = draw.uniform(-12, 10)
    return Root(simulations, mean, games0, value0, games1, value1, value0, 0.0)


def test_the_root_that_is_written_down_gives_the_search_its_own_value():
    roots = watch(position("tictactoe"), crazy_stone(points=9), STEPS, seed=3)
    assert [root.simulations for root in roots] == [*STEPS]
    for root in roots:
        # with fewer than nine games the root is external, and the formula is not used
        wanted = root.mean if root.simulations < 9 else estimate(root, 9, *COULOM)
        assert wanted == pytest.approx(root.backed, abs=1e-12)
        assert (
            estimate(root, 9, *THE_MEAN) == pytest.approx(root.mean, abs=1e-5) or root.games1 == 0
        )


def test_the_root_agrees_with_the_result_of_the_same_search():
    start = position("tictactoe").play("b2")  # the second player's point of view
    root = watch(start, crazy_stone(points=9), [500], seed=4)[0]
    found = crazy_stone(points=9).search(start, simulations=500, seed=4)
    rows = [row for row in found.moves if row.visits]
    assert root.value0 == pytest.approx(max(row.value for row in rows))
    assert root.robust == pytest.approx(max(rows, key=lambda row: (row.visits, row.value)).value)
    assert root.backed == pytest.approx(found.value)


def test_a_game_of_self_play_gives_as_many_positions_as_asked_and_none_is_over():
    playing = crazy_stone(points=9, simulations=20)
    one, same = (self_play(position("tictactoe"), playing, 5, 3, seed=1) for _ in range(2))
    assert len(one) == 3
    assert not any(start.is_terminal for start in one)
    assert [start.history_names for start in one] == [start.history_names for start in same]


def test_errors_are_against_the_searchs_value_at_the_next_step():
    first = Root(128, mean=1.0, games0=3, value0=9.0, games1=70, value1=4.0, robust=4.0, backed=2.0)
    other = first._replace(mean=-1.0)
    after = [first._replace(simulations=256, backed=b) for b in (3.0, 3.0)]
    found = errors([[first, after[0]], [other, after[1]]], 0)
    wanted = {"mean": (-2, -4), "max": (6, 6), "robust": (1, 1), "mix": (-1, -1)}
    assert {name: tuple(off) for name, off in found.items()} == wanted
    assert rms(found["mean"]).interval(0.95).value == pytest.approx(10.0**0.5)
    assert apart(found["max"], found["mix"]).interval(0.95).value == pytest.approx(5.0)


def test_a_fit_that_no_part_changes_is_known_to_half_a_step_of_the_grid():
    assert Refitted(1.0, [1.0] * 8).interval(0.95) == (1.0, 0.5, 1.5)
    assert Refitted(1.0, [1.0] * 7 + [2.0]).interval(0.95).high > 2.0


def test_the_papers_table_has_mix_ahead_and_the_signs_of_the_claim():
    for row in PAPER.values():
        assert row[6] == min(row[::2])
        assert row[1] < 0 < row[3]


@pytest.mark.parametrize("truth", [(2.0, 16.0), (4.0, 8.0), (0.5, 2.0), (16.0, 32.0)])
def test_the_fit_finds_the_weights_that_made_the_values(truth):
    draw = random.Random(5)
    roots = [random_root(draw) for _ in range(200)]
    pairs = [(root, estimate(root, 49, *truth)) for root in roots]
    assert fit(pairs, 49) == truth
    assert rms_of(pairs, 49, *truth) == 0
