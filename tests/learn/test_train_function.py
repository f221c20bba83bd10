"""`train`: a training run from Python."""

from __future__ import annotations

import pytest

from ponder import InputError, load_network, position, train
from ponder.learn.config import training
from ponder.learn.training import TrainingRun

pytestmark = pytest.mark.plain

SETTINGS = {"simulations": 4, "first_positions": 20, "batch": 16, "seed": 3}


def test_a_run_is_that_of_the_command_and_can_be_continued(tmp_path):
    start, told = position("tictactoe"), []
    first = train(start, tmp_path / "a", rounds=1, workers=1, progress=told.append, **SETTINGS)
    assert (first.rounds, first.stopped_by, len(told)) == (1, "rounds", 1)
    done = train(start, tmp_path / "a", rounds=2, workers=1, **SETTINGS)
    assert (done.rounds, done.games > first.games) == (2, True)
    assert done.network.is_file()
    assert load_network(tmp_path / "a", start).evaluate(start).values[0] != 0.0

    run = TrainingRun(start, tmp_path / "b", training(**SETTINGS), 1)
    run.run(rounds=2)
    run.close()
    assert run.totals[:4] == (done.rounds, done.games, done.positions, run.totals.steps)
    assert (tmp_path / "b" / done.network.name).stat().st_size == done.network.stat().st_size


def test_what_cannot_be_meant_is_refused(tmp_path):
    start = position("tictactoe")
    for wrong, said in (
        ({}, "minutes= or rounds="),
        ({"minutes": 0}, "minutes must be above 0"),
        ({"rounds": 1, "workers": -1}, "workers must be above 0"),
        ({"rounds": 1, "workers": 2, "cluster": "local"}, "with cluster leave them out"),
        ({"rounds": 1, "simulatons": 5}, "no setting 'simulatons'"),
    ):
        with pytest.raises(InputError, match=said):
            train(start, tmp_path, **wrong)
    with pytest.raises(InputError, match="takes a position"):
        train("tictactoe", tmp_path, rounds=1)
    assert list(tmp_path.iterdir()) == []
