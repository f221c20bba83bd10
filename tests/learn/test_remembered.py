"""Evaluations that are kept while games are played: they save time and change nothing."""

from __future__ import annotations

import numpy as np
import pytest

from learn.test_leaf_games import PUCT, played
from ponder import position
from ponder.learn import remembered
from ponder.learn.roads import KernelRoad
from ponder.learn.seeing import sight_of
from ponder.learn.selfplay import Play
from training_runs import new_run

pytestmark = pytest.mark.plain

SELECT, WAY, BACKUP = PUCT
SMALL = {"simulations": 3, "first_positions": 20, "batch": 16}


def new_workers(game, seed):
    start = position(game)
    road = KernelRoad(start, sight_of(start), seed)
    road.network.weights.Wp[...] *= 4
    return road, road.workers(Play(12, 4, 0.5, 2, 0.5, 3, 0.8, 0.05, True, WAY), SELECT, BACKUP, 1)


def same(one, other):
    return all(a.tobytes() == b.tobytes() for a, b in zip(one[:5], other[:5], strict=True))


@pytest.mark.parametrize("game", ["tictactoe", "pig(target=5, horizon=20)"])
def test_games_are_the_same_if_nothing_is_ever_found(game, monkeypatch):
    looked = []
    kept = remembered.is_kept

    def noted(memory, at, words):
        looked.append(kept(memory, at, words))
        return looked[-1]

    monkeypatch.setattr(remembered, "is_kept", noted)
    with_memory = played(new_workers(game, 3)[1], 7, 9)
    assert 0.2 < np.mean(looked) < 0.9  # or else this would be a test of nothing
    monkeypatch.setattr(remembered, "is_kept", lambda memory, at, words: False)
    assert same(with_memory, played(new_workers(game, 3)[1], 7, 9))


def test_what_another_network_has_said_is_forgotten():
    road, workers = new_workers("tictactoe", 3)
    before = played(workers, 7, 9)
    assert same(before, played(workers, 7, 9))
    other, fresh = new_workers("tictactoe", 4)
    for mine, its in zip(road.network.weights, other.network.weights, strict=True):
        mine[...] = its
    after = played(workers, 7, 9)
    assert same(after, played(fresh, 7, 9))
    assert not same(before, after)


def test_the_network_that_plays_is_a_mean_of_the_weights(tmp_path):
    """Every step moves it by 1 / (1 + average * steps before) of the way; also after a pause."""
    run = new_run(tmp_path, average=0.5, **SMALL)
    mean = [weights.copy() for weights in run.road.network.weights]
    learn = run.learner.learn

    def noted(batch, rate, share):
        found = learn(batch, rate, share)
        steps.append(share)
        for i, new in enumerate(run.learner.model.weights()):
            mean[i] += (new - mean[i]) / (1 + 0.5 * (len(steps) - 1))
        return found

    steps = []
    run.learner.learn = noted
    run.run(rounds=4)
    run.close()
    assert len(steps) == run.totals.steps > 5
    for one, playing in zip(mean, run.road.network.weights, strict=True):
        assert np.allclose(one, playing, atol=1e-6)
    last = run.learner.model.weights()
    assert not np.allclose(last.bp, run.road.network.weights.bp, atol=1e-6)
    again = new_run(tmp_path, average=0.5, **SMALL)
    again.close()
    for one, playing in zip(again.road.network.weights, run.road.network.weights, strict=True):
        assert np.array_equal(one, playing)
