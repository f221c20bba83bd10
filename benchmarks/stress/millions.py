"""A search of a million simulations of every game: does everything stay in its range?

    python benchmarks/stress/millions.py [SIMULATIONS] [GAME ...]

For each game with the default ``mcts()``: no simulation is lost, no count has overflowed, every
value of every node is a number within the game's utilities, the tree keeps its memory cap. A line a
game, with "ok" or what is wrong; the status is 1 if anything is. Seconds are processor time.
"""

from __future__ import annotations

import resource
import sys
import time

import numpy as np

from ponder import MCTS, position
from ponder.core.registry import GAMES
from ponder.mcts.session import DEFAULT_MEMORY

EDGE = 1e-9
"""Of the range of utilities: what sums may be off by rounding."""


def faults(result: object, n: int) -> list[str]:
    """What is wrong with a search of n simulations."""
    spec, nodes = result.position.rules.spec, result.tree._store.nodes
    edge = EDGE * (spec.highest - spec.lowest)
    tried = nodes[1:][nodes.visits[1:] > 0]
    means = tried.value / tried.visits
    checks = {
        "simulations are missing": result.simulations == n,
        "visits of the root moves do not add up": sum(m.visits for m in result.moves) == n,
        "a count is negative": (nodes.visits >= 0).all(),
        "a node has more visits than there were": int(nodes.visits.max()) == n + 1,
        "a value is no number": np.isfinite(means).all(),
        "a value is too low": means.min() >= spec.lowest - edge,
        "a value is too high": means.max() <= spec.highest + edge,
        "the tree is larger than its cap": result.memory <= DEFAULT_MEMORY * (1 << 20),
    }
    return [what for what, holds in checks.items() if not holds]


def main() -> None:
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    wrong = False
    print(f"{n:,} simulations of mcts() from the start of each game")
    print(f"{'game':18} {'seconds':>8} {'/s':>10} {'nodes':>11} {'tree MB':>8} {'depth':>6}")
    for game in sys.argv[2:] or GAMES:
        start = position(game)
        while start.is_chance:
            start = start.play(start.legal_actions[0])
        MCTS().search(start, simulations=1, seed=1)  # compiles
        began = time.thread_time()
        result = MCTS().search(start, simulations=n, seed=1)
        spent = time.thread_time() - began
        found = faults(result, n)
        wrong = wrong or bool(found)
        print(
            f"{game:18} {spent:8.1f} {n / spent:10,.0f} {result.tree.size:11,} "
            f"{result.memory / (1 << 20):8.1f} {result.deepest:6}  {'; '.join(found) or 'ok'}",
            flush=True,
        )
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"peak memory of the whole process: {peak:,.0f} MB")
    sys.exit(wrong)


if __name__ == "__main__":
    main()
