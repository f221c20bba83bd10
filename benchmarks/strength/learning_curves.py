"""Learning curves with the same defaults for every game: points against fixed opponents over time.

    python benchmarks/strength/learning_curves.py OUT [GAME ...] [--seconds 60 120 240 480]
                                         [--games 100] [--seed 1]
                                         [--opponents "mcts(simulations=1000)" ...]

Trains each game in a folder of its own in OUT, with `ponder train`'s defaults, and stops at each of
the times (processor time of training) to let the network play so many games with 100 simulations a
move: from random openings, each seat once, against `random()`, and `mcts(simulations=N)` with
N = 100, 1,000 and 10,000. A win is 1, a loss 0; of several players the
share of the range of utilities. Intervals are of 95 %, openings as clusters. An opponent that has
been beaten with 90 % or more is not played again. Started again, it continues.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

from points import points_from, random_openings
from processor_time import train_for

from ponder import position
from ponder.core.registry import parse_engine
from ponder.learn.config import training
from ponder.learn.training import TrainingRun
from ponder.presets import alphazero

EINSTEIN = Path(__file__).parents[2] / "examples" / "einstein.py"
GAMES = [
    "othello(rows=6, columns=6)",
    "breakthrough(rows=6, columns=6)",
    "hex(size=7)",
    "go(size=5)",
    "go(size=7)",
    "backgammon",
    f"{EINSTEIN}:Einstein",
    "connect4(players=3)",
]
OPPONENTS = ["random()", *(f"mcts(simulations={n})" for n in (100, 1_000, 10_000))]
PLIES = 4
BEATEN = 0.9


def score(start: Any, network: Path, opponent: str, games: int, seed: int) -> Any:
    player, other = alphazero(net=str(network), simulations=100), parse_engine(opponent)
    openings = random_openings(start, PLIES, -(-games // start.players), seed)
    return points_from(openings, player, other).interval(0.95)


def curve(
    game: str, out: Path, seconds: list[float], opponents: list[str], games: int, seed: int
) -> None:
    start = position(game)
    folder = out / "".join(c if c.isalnum() else "_" for c in game.rpartition("/")[2])
    folder.mkdir(parents=True, exist_ok=True)
    done_file = folder / "curve.json"
    done: list[Any] = json.loads(done_file.read_text()) if done_file.exists() else []
    run = TrainingRun(start, folder, training(seed=seed))
    try:
        spent = sum(row["processor_seconds"] for row in done[-1:])
        for mark in seconds[len(done) :]:
            spent += train_for(run, mark - spent)
            beaten = {name for row in done for name, s in row["scores"].items() if s[0] >= BEATEN}
            scores = {
                name: list(score(start, folder, name, games, seed))
                for name in opponents
                if name not in beaten
            }
            row = {"processor_seconds": spent, **run.totals._asdict()}
            done.append({**row, "scores": scores})
            done_file.write_text(json.dumps(done, indent=1))
            shown = ", ".join(
                f"{name} {value:.1%} ({low:.1%} to {high:.1%})"
                for name, (value, low, high) in scores.items()
            )
            said = f"{spent:.0f} s of processor time, {run.totals.games:,} games"
            print(f"{game}, {said}: {shown}", flush=True)
    finally:
        run.close()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("out", type=Path)
    parser.add_argument("games_played", nargs="*", metavar="GAME", default=GAMES)
    parser.add_argument("--seconds", type=float, nargs="+", default=[60, 120, 240, 480])
    parser.add_argument("--opponents", nargs="+", default=OPPONENTS)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    began = time.perf_counter()
    for game in given.games_played:
        curve(game, given.out, given.seconds, given.opponents, given.games, given.seed)
    print(f"{time.perf_counter() - began:.0f} s in all")


if __name__ == "__main__":
    main()
