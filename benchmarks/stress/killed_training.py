"""kill -9 at random moments of training: does every resume go on as if nothing had happened?

    python benchmarks/stress/killed_training.py --kills 20

A child process trains tic-tac-toe in small rounds and is killed: every second time at a random
moment, every other time while a round is being saved. After each kill the folder must hold a whole
checkpoint, no fewer rounds than before, and every game that it counts exactly once; the next child
must take up exactly that. In the end the run must be, bit for bit, one of as many rounds that was
never interrupted. Prints a line for each kill and a verdict; exit status 1 if anything is wrong.
"""

from __future__ import annotations

import argparse
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ponder import position
from ponder.learn.checkpoint import CHECKPOINT, load_played, read_log
from ponder.learn.config import training
from ponder.learn.training import TrainingRun

SETTINGS = {
    "simulations": 24,
    "first_positions": 300,
    "most_positions": 300,
    "batch": 128,
    "seed": 5,
}
READY, SAVING, SAVED = "ready", "saving", "saved"


def new_run(folder: Path) -> TrainingRun:
    return TrainingRun(position("tictactoe"), folder, training(**SETTINGS), 1)


class Talkative(TrainingRun):
    """Says when it saves."""

    def _save(self) -> None:
        print(SAVING, flush=True)
        super()._save()
        print(SAVED, flush=True)


def child(folder: Path) -> None:
    """Train until somebody ends it."""
    run = Talkative(position("tictactoe"), folder, training(**SETTINGS), 1)
    print(READY, run.totals.rounds, run.totals.games, flush=True)
    run.run()


class Left(NamedTuple):
    """What a folder holds."""

    rounds: int
    games: int


def examined(folder: Path) -> Left:
    """What was left behind; AssertionError or InputError where it is not whole."""
    if not (folder / "checkpoint").exists():
        return Left(0, 0)
    header, _ = CHECKPOINT.read(folder / "checkpoint")  # refuses what is damaged
    totals = header["totals"]
    log = read_log(folder)
    assert len(log) >= totals["rounds"], "a round that the checkpoint counts is not in the log"
    spec = position("tictactoe").rules.spec
    numbers = []
    for number in range(header["oldest"], totals["rounds"]):
        played = load_played(folder, number, spec)
        assert played is not None, f"the games of round {number} are lost"
        numbers += np.unique(played.games).tolist()
    assert numbers == list(range(totals["games"])), "games are lost, or there twice"
    return Left(totals["rounds"], totals["games"])


def killed(folder: Path, rng: random.Random, saving: bool, before: Left) -> str:
    """Train, and kill it; when that was."""
    with subprocess.Popen(
        [sys.executable, __file__, "--child", str(folder)], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        try:
            said = process.stdout.readline().split()
            assert said[:1] == [READY], "it did not go on"
            assert Left(*map(int, said[1:])) == before, f"it went on from {said[1:]}, not {before}"
            began = time.perf_counter()
            if saving:
                while process.stdout.readline().strip() != SAVING:
                    pass
                time.sleep(rng.uniform(0.0, 0.05))
            else:
                time.sleep(rng.uniform(0.0, 1.5))
            after = time.perf_counter() - began
        finally:
            process.send_signal(signal.SIGKILL)
        rest = process.stdout.read().split()
    unfinished = rest.count(SAVING) + saving > rest.count(SAVED)
    return f"{after:5.2f} s after it was ready, {'while saving' if unfinished else 'between saves'}"


def facts(log: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What must be the same in two runs: all but the clock."""
    return [{k: v for k, v in line.items() if "seconds" not in k} for line in log]


def same_arrays(one: Path, other: Path) -> bool:
    first, second = (CHECKPOINT.read(path / "checkpoint")[1] for path in (one, other))
    return first.keys() == second.keys() and all(
        np.array_equal(first[name], second[name]) for name in first
    )


def verdict(folder: Path, other: Path) -> str:
    """Go on to the end of one more round, and compare with a run that nobody interrupted."""
    wanted = examined(folder).rounds + 1
    for place in (folder, other):
        run = new_run(place)
        run.run(rounds=wanted)
        run.close()
    left = examined(folder)
    assert facts(read_log(folder)) == facts(read_log(other)), "another log than without kills"
    assert same_arrays(folder, other), "other weights than without kills"
    return (
        f"{left.rounds} rounds, {left.games:,} games: none lost, none twice; losses, weights and "
        "optimiser are bit for bit those of a run that was never interrupted"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--child", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.child:
        child(given.child)
        return 0
    rng = random.Random(given.seed)
    with tempfile.TemporaryDirectory() as place:
        folder, left = Path(place) / "killed", Left(0, 0)
        try:
            for number in range(1, given.kills + 1):
                when = killed(folder, rng, number % 2 == 0, left)
                now = examined(folder)
                assert now.rounds >= left.rounds, "a round is lost"
                left = now
                print(f"kill {number:2}  {when}  {left.rounds} rounds, {left.games} games, intact")
            print(f"holds: {verdict(folder, Path(place) / 'whole')}")
        except Exception as error:
            print(f"FAILS: {error}")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
