"""What the experiments on backup rules read off a search, and what they make of it."""

from __future__ import annotations

import random

import pytest

from ponder.core.start import position
from ponder.lab.backup import PAPER, apart, errors, rms
from ponder.lab.estimates import Root, self_play, watch
from ponder.lab.tune import (
    COULOM,
    PAIRS,
    THE_MEAN,
    Refitted,
    estimate,
    fit,
    judged,
    refits,
    squares,
)
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
    assert root.backed == pytest.approx(found.root_value)


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


def test_a_fit_that_other_positions_do_not_change_is_known_to_half_a_step_of_the_grid():
    assert Refitted(1.0, [1.0] * 100, 9).interval(0.95) == (1.0, 0.75, 1.25)
    # off by a step, and by half of it for each round before
    assert Refitted(1.0, [1.0] * 90 + [2.0] * 10, 9).interval(0.95) == (1.0, 0.75, 3.25)


def test_the_papers_table_has_mix_ahead_and_the_signs_of_the_claim():
    for row in PAPER.values():
        assert row[6] == min(row[::2])
        assert row[1] < 0 < row[3]


def watched_by(truth, noise=0.0):
    """Positions whose values after 2S are what the formula says with the weights `truth`."""
    draw = random.Random(5)
    found = []
    for _ in range(40):
        roots = [random_root(draw) for _ in range(5)]
        found.append([(r, estimate(r, 49, *truth) + draw.gauss(0, noise)) for r in roots])
    return found


@pytest.mark.parametrize("truth", [(2.0, 16.0), (4.0, 8.0), (0.5, 2.0), (16.0, 32.0)])
def test_the_fit_finds_the_weights_that_made_the_values(truth):
    found = watched_by(truth)
    table = squares(found, 49)
    assert fit(table) == truth
    assert set(refits(table, 1)) == {truth}
    assert max(judged(found, table, 49)["fitted"]) == 0


def test_a_fit_to_noisy_values_has_an_interval_around_the_truth():
    table = squares(watched_by((4.0, 8.0), noise=1.0), 49)
    found = {pair[0] for pair in refits(table, 1)}
    assert min(found) <= 4.0 <= max(found)
    assert len(found) > 1


def test_positions_are_judged_by_what_is_fitted_to_the_other_half():
    """The halves are of different worlds, so each is judged by the wrong weights."""
    even, odd = watched_by((2.0, 16.0))[::2], watched_by((16.0, 32.0))[1::2]
    found = [one for two in zip(even, odd, strict=True) for one in two]
    table = squares(found, 49)
    own = [table[i, PAIRS.index(((2.0, 16.0), (16.0, 32.0))[i % 2])] for i in range(len(found))]
    other = [table[i, PAIRS.index(((16.0, 32.0), (2.0, 16.0))[i % 2])] for i in range(len(found))]
    assert max(own) == 0
    assert judged(found, table, 49)["fitted"] == other
