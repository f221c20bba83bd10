"""Self-play on a Ray cluster: the same run as on one thread, though a worker is killed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from ponder import InputError
from training_runs import new_run

PROGRAM = """
import json, os, signal, subprocess, sys, threading, time
from pathlib import Path
from training_runs import new_run

def kill_one(run):
    while run.totals.rounds == 0:
        found = subprocess.run(["pgrep", "-f", "[r]ay::played"], capture_output=True, text=True)
        if found.stdout:
            os.kill(int(found.stdout.split()[0]), signal.SIGKILL)
            killed.append(found.stdout)
            return
        time.sleep(0.01)

if __name__ == "__main__":
    killed = []
    run = new_run(Path(sys.argv[1]), cluster="local")
    killer = threading.Thread(target=kill_one, args=(run,))
    killer.start()
    run.run(rounds=3)
    killer.join()
    run.close()
    print(json.dumps([len(killed), run.log, run.replay.played.games.tolist()]))
"""


def test_a_cluster_plays_the_same_games_though_a_worker_is_killed(trained, tmp_path):
    pytest.importorskip("ray")
    here = str(Path(__file__).parents[1])
    made = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(tmp_path)],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([here, *sys.path])},
        check=False,
    )
    assert made.returncode == 0, made.stderr
    killed, log, games = json.loads(made.stdout.splitlines()[-1])
    assert killed == 1
    for one, other in zip(log, trained.log[:3], strict=True):
        # the clock alone may differ; no game is lost or counted twice
        assert {k: v for k, v in one.items() if "seconds" not in k} == {
            k: v for k, v in other.items() if "seconds" not in k
        }
    assert sorted(set(games)) == list(range(log[-1]["games"]))


def test_a_cluster_that_is_not_there_is_told_in_one_line(tmp_path):
    pytest.importorskip("ray")
    with pytest.raises(InputError, match="no Ray cluster at 'nowhere'"):
        new_run(tmp_path, cluster="nowhere")
    assert not (tmp_path / "config.json").exists()
