"""Dice and three players are the same code: self-play in plain mode, seen from outside."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
import sys
from pathlib import Path
import numpy as np
from ponder import position
from ponder.learn.sample_games import sample_games
from training_runs import new_run

game, folder = sys.argv[1], Path(sys.argv[2])
run = new_run(folder, game=game, simulations=3, first_positions=12, batch=8)
run.run(rounds=2)
run.close()
played, part = run.replay.played, run.position.rules.part
assert np.unique(played.games).tolist() == list(range(run.totals.games))
movers = {int(part.current_player(s)) for s in played.states}
assert movers == set(range(run.spec.players)), movers  # never the dice
rows = np.arange(len(played.games))
batch = run.sampler.batch(played, rows, rows * 0)
middle = (run.spec.highest + run.spec.lowest) / 2
half = (run.spec.highest - run.spec.lowest) / 2
for i in rows:  # value j is that of the j-th player after the mover
    player = int(part.current_player(played.states[i]))
    owners = [(player + j) % run.spec.players for j in range(batch.values.shape[1])]
    assert np.allclose(batch.values[i] * half + middle, played.values[i, owners], atol=1e-5)
low, high = run.spec.lowest - 1e-6, run.spec.highest + 1e-6
assert ((played.values >= low) & (played.values <= high)).all()
assert batch.values.shape[1] == int(sys.argv[3])
games = sample_games(folder, run.position, 2)  # recovered with their dice
assert games
for one in games:
    end = run.position.play_all(list(one.moves))
    assert end.returns == one.returns
    assert np.allclose(played.results[played.games == one.number][0], one.returns)
print("done")
"""


@pytest.mark.parametrize(
    ("game", "values"),
    [("pig(target=8, horizon=40)", 1), ("connect4(columns=4, rows=3, run=3, players=3)", 3)],
)
def test_self_play_with_dice_and_with_three_players(game, values, tmp_path):
    here = str(Path(__file__).parents[1])
    found = subprocess.run(
        [sys.executable, "-c", PROGRAM, game, str(tmp_path / "run"), str(values)],
        capture_output=True,
        text=True,
        env={
            **os.environ,
            "NUMBA_DISABLE_JIT": "1",
            "PYTHONPATH": os.pathsep.join([here, *sys.path]),
        },
        check=False,
    )
    assert found.stdout == "done\n", found.stderr
