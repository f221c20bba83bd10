"""Train Connect Four for so much processor time, and keep the network at several times.

    python benchmarks/strength/connect4_training.py OUT [--seed 1]
                                               [--seconds 60 120 ...] [--set NAME=VALUE]

The run is that of `ponder train connect4 --out OUT --no-rate`; it ends by processor time instead of
the clock, so that other work on the machine does not count: 7,200 s are an hour of two cores. After
the first round that ends past each of the times the network is kept as OUT/at-SECONDS.network.
"""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path

from processor_time import train_for

from ponder import position
from ponder.cli.train import given as settings_given
from ponder.learn.config import training
from ponder.learn.file import IN_A_RUN
from ponder.learn.training import TrainingRun

GAME = "connect4"


def shown(loss: float | None) -> str:
    """There is none before the second round: what is learned from is of the rounds before."""
    return "none yet" if loss is None else f"{loss:.3f}"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("out", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=int, nargs="+", default=[60, 120, 300, 600, 1200])
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE")
    given = parser.parse_args()
    config = training(**settings_given(given.set, given.seed))
    run = TrainingRun(position(GAME), given.out, config)
    spent = 0.0
    for mark in given.seconds:
        spent += train_for(run, mark - spent)
        shutil.copyfile(given.out / IN_A_RUN, given.out / f"at-{mark}.network")
        totals, line = run.totals, run.log[-1]
        print(
            f"{spent:.0f} s of processor time, {totals.seconds / 60:.1f} minutes: "
            f"{totals.games:,} games, {totals.positions:,} positions, policy loss "
            f"{shown(line['policy_loss'])}, value loss {shown(line['value_loss'])}",
            flush=True,
        )
    run.close()


if __name__ == "__main__":
    main()
