"""A search of a million simulations of every game: does everything stay in its range?

    python benchmarks/millions.py [SIMULATIONS] [GAME ...]

Checks that visits add up, that every value lies within the game's utilities, that the tree keeps
its memory cap; prints time and memory.
"""

from __future__ import annotations

import resource
import sys
import time

from ponder import MCTS, position
from ponder.core.registry import GAMES


def main() -> None:
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    games = sys.argv[2:] or list(GAMES)
    print(f"{'game':18} {'seconds':>8} {'/s':>10} {'nodes':>11} {'tree MB':>8} {'depth':>6}")
    for game in games:
        start = position(game)
        while start.is_chance:
            start = start.play(start.legal_actions[0])
        MCTS().search(start, simulations=1, seed=1)  # compiles
        began = time.perf_counter()
        result = MCTS().search(start, simulations=n, seed=1)
        spent = time.perf_counter() - began
        spec = start.rules.spec
        assert sum(row.visits for row in result.moves) == n, "visits are missing"
        for row in result.moves:
            if row.value is not None:
                assert spec.lowest <= row.value <= spec.highest, f"{row.name}: {row.value}"
        nodes = result.tree._store.nodes
        assert (nodes.visits >= 0).all()
        assert int(nodes.visits.max()) == n + 1
        means = nodes.value[1:] / nodes.visits[1:].clip(1)
        assert spec.lowest - 1e-9 <= means.min()
        assert means.max() <= spec.highest + 1e-9
        megabytes = result.memory / (1 << 20)
        print(
            f"{game:18} {spent:8.1f} {n / spent:10,.0f} {result.tree.size:11,} "
            f"{megabytes:8.1f} {result.depth:6}",
            flush=True,
        )
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"peak memory of the whole process: {peak:,.0f} MB")


if __name__ == "__main__":
    main()
