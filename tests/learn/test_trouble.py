"""A full disk, no torch, event files; and what a network says where dice are to fall."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys

import pytest

from ponder.errors import PonderError
from ponder.learn.events import masked_crc
from training_runs import new_run


def in_plain_python(program, *words):
    made = subprocess.run(
        [sys.executable, "-c", program, *map(str, words)],
        capture_output=True,
        text=True,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join(sys.path)},
        check=False,
    )
    return made.returncode, made.stdout, made.stderr


def test_a_full_disk_stops_the_run_and_keeps_the_last_round(tmp_path):
    """Files may not become longer than 4 kB, as if the disk were full."""
    run = new_run(tmp_path)
    run.run(rounds=2)
    files = tmp_path / "checkpoint", tmp_path / "best.network", tmp_path / "config.json"
    before = [file.read_bytes() for file in files]
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, limits[1]))
    try:
        with pytest.raises(PonderError, match="cannot write"):
            run.run(rounds=3)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, handler)
        run.close()
    assert before == [file.read_bytes() for file in files]
    assert not list(tmp_path.rglob("*.tmp*"))
    again = new_run(tmp_path)
    again.run(rounds=3)
    again.close()
    assert again.totals.rounds == 3


def test_without_torch_training_says_what_to_install(tmp_path):
    program = """
import sys
sys.modules["torch"] = None
from ponder.cli import run
sys.exit(run(["train", "tictactoe", "--out", sys.argv[1], "--minutes", "0.01"]))
"""
    status, out, err = in_plain_python(program, tmp_path / "run")
    assert (status, out) == (2, "")
    assert err.count("\n") == 1
    assert "pip install 'ponder-search[learn]'" in err
    assert not (tmp_path / "run" / "config.json").exists()


def test_a_run_with_settings_that_are_no_more_is_refused(tmp_path):
    new_run(tmp_path).close()
    path = tmp_path / "config.json"
    kept = json.loads(path.read_text())
    del kept["checksum"]
    path.write_text(json.dumps(kept | {"result_share": 0.6}))
    with pytest.raises(PonderError, match="another version of Ponder, which had a setting 'result"):
        new_run(tmp_path)


def test_checksums_of_event_files_are_castagnolis():
    """CRC-32C of the digits is E3069283 (RFC 3720's polynomial); the mask is TensorFlow's."""
    rotated = masked_crc(b"123456789") - 0xA282EAD8 & 0xFFFFFFFF
    assert (rotated << 15 | rotated >> 17) & 0xFFFFFFFF == 0xE3069283


def test_a_state_in_which_dice_are_to_fall_is_worth_the_mean_over_them(tmp_path):
    """The network has never seen such a state: it is asked about the states after the throw."""
    program = """
import sys
from pathlib import Path
import numpy as np
from ponder import position
from ponder.core.rng import new_rng
from ponder.learn.file import network_for
from ponder.learn.net import FittedNet
from ponder.mcts.parts import completed
from ponder.mcts.run import new_work
from training_runs import new_run
run = new_run(Path(sys.argv[1]), game="pig(target=8, horizon=40)", simulations=3,
              first_positions=12, batch=8)
run.run(rounds=2)
run.close()
start = run.position
rolled = next(start.play(a) for a in start.legal_actions if start.play(a).is_chance)
network, cells = network_for(sys.argv[1], start)
rule = completed("evaluate", FittedNet(network, cells))
spec, part, rng = start.rules.spec, start.rules.part, new_rng(3)
memory = type("Memory", (), {"evaluate": rule.memory(spec, 1)})

def said(here):
    from ponder.mcts.tree import Work
    states = np.zeros(2, spec.state).view(np.recarray)
    states[:] = here.raw_state[0]
    work = Work(states=states, actions=np.zeros(64, np.int32), chances=np.zeros(64),
                utilities=np.zeros(2), path=None, totals=None, squares=None,
                scores=np.zeros(64), trace=None, memory=memory)
    assert rule.estimate(part, states[1], work, rng, 100)
    return work.utilities[0]

expected = sum(p * said(rolled.play(a)) for a, p in rolled.chance_outcomes)
spread = np.std([said(rolled.play(a)) for a, _ in rolled.chance_outcomes])
drawn = [said(rolled) for _ in range(3000)]
assert spread > 1e-3, spread
print(abs(np.mean(drawn) - expected) < 5 * spread / np.sqrt(len(drawn)))
"""
    status, out, err = in_plain_python(program, tmp_path / "run")
    assert (status, out) == (0, "True\n"), err
