"""Does a network that was trained from nothing ever lose at tic-tac-toe? All replies are tried.

    python benchmarks/strength/tictactoe_learning.py [--seconds 60] [--seeds 0-4]
                                                        [--simulations 100]

For every seed a new run of `ponder train tictactoe` (time as on the clock, set-up and compiling
not counted, as the command counts it). Then the trained player moves as the first and as the
second player against every sequence of replies; a lost line is one in which the other one wins.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path
from typing import Any

from ponder import position
from ponder.learn.config import training
from ponder.learn.training import TrainingRun
from ponder.presets import alphazero


def lines(player: Any, here: Any, seat: int, known: dict[Any, Any]) -> tuple[int, int]:
    """How many lines there are from here, and how many of them the player loses."""
    if here.is_terminal:
        return 1, int(here.returns[seat] < 0)
    if here.current_player == seat:
        if here.key not in known:
            known[here.key] = player.search(here, seed=1).action
        return lines(player, here.play(known[here.key]), seat, known)
    found = [lines(player, here.play(reply), seat, known) for reply in here.legal_actions]
    return sum(n for n, _ in found), sum(lost for _, lost in found)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seeds", default="0-4")
    parser.add_argument("--simulations", type=int, default=100)
    given = parser.parse_args()
    first, _, last = given.seeds.partition("-")
    start = position("tictactoe")
    for seed in range(int(first), int(last or first) + 1):
        with tempfile.TemporaryDirectory() as folder:
            run = TrainingRun(start, Path(folder), training(seed=seed))
            cpu = time.process_time()
            run.run(given.seconds)
            run.close()
            cpu = time.process_time() - cpu
            player = alphazero(net=folder, simulations=given.simulations)
            total = [lines(player, start, seat, {}) for seat in (0, 1)]
        said = ", ".join(
            f"{lost} of {n} lines lost as player {i}" for i, (n, lost) in enumerate(total)
        )
        totals = run.totals
        print(
            f"seed {seed}: {totals.seconds:.0f} s ({cpu:.0f} s of processors), {totals.games} "
            f"games; {said}",
            flush=True,
        )


if __name__ == "__main__":
    main()
