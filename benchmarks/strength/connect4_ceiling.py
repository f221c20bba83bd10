"""How much can anybody score in a match of Connect Four from random openings?

    python benchmarks/strength/connect4_ceiling.py [--seeds 1 2 3 4] [--simulations 3764]

A player that never makes a mistake, against OpenSpiel's search with the simulations that 0.03
seconds allow it, on the openings of `ponder match connect4 ... --games 100 --seed K`. Exact values
are those of `bitbully` (PyPI, C++) with its opening book. Two players: `quickest` takes the fastest
win and the slowest loss; `judged` takes the fastest win, and else lets `strong()` choose among the
moves that keep the value.
"""

from __future__ import annotations

import argparse
import random
from typing import Any, NamedTuple

from bitbully import BitBully, Board

from ponder import match
from ponder.core.registry import parse_engine

GAMES = 100
OURS = 23_000
"""Simulations that 0.03 seconds allow `strong()`."""


class Choice(NamedTuple):
    action: Any


def sign(value: int) -> int:
    return (value > 0) - (value < 0)


class Perfect:
    """Keeps the exact value of every position."""

    def __init__(self, judged: bool) -> None:
        self.judged = judged
        self.solver = BitBully(opening_book="12-ply-dist")
        self.engine = parse_engine(f"strong(simulations={OURS})")

    def search(self, position: Any, limit: Any = None, *, seed: int) -> Choice:
        columns = [int(name) - 1 for name in position.history_names]
        actions = {int(position.action_name(a)) - 1: a for a in position.legal_actions}
        scores = {c: s for c, s in self.scores(columns).items() if c in actions}
        best = max(scores.values())
        good = [c for c, score in scores.items() if score == best]
        if self.judged and best <= 0:
            good = [c for c, score in scores.items() if sign(score) == sign(best)]
            if len(good) > 1:
                moves = [actions[c] for c in good]
                return Choice(self.engine.search(position, seed=seed, moves=moves).action)
        return Choice(actions[random.Random(seed).choice(good)])

    def scores(self, columns: list[int]) -> dict[int, int]:
        found = self.solver.score_all_moves(Board(columns))
        return dict(found) if isinstance(found, dict) else dict(enumerate(found))


def main() -> None:
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    options.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3, 4])
    options.add_argument("--simulations", type=int, default=3764, help="of OpenSpiel's search")
    given = options.parse_args()
    for name, judged in (("quickest", False), ("judged", True)):
        points = games = 0.0
        for seed in given.seeds:
            result = match(
                "connect4",
                Perfect(judged),
                f"openspiel_mcts(simulations={given.simulations})",
                games=GAMES,
                seed=seed,
            )
            points += result.score * result.games
            games += result.games
            print(f"{name:9} seed {seed}  {100 * result.score:.1f} %", flush=True)
        print(f"{name:9} all     {100 * points / games:.2f} % of {games:.0f} games")


if __name__ == "__main__":
    main()
