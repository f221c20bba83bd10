"""How quick a live search is to look at and to rewind.

    python benchmarks/speed/sessions.py [SIMULATIONS]

A session of `mcts()` on Connect Four is run for 1,000,000 simulations, then rewound to moments
all over it, each the same afterwards as it was then (the visits of the root moves are compared
with those seen on the way); the 10,000 most visited nodes are read; a result is made. Wall time.
"""

from __future__ import annotations

import random
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

from ponder import engine, position


def visits_of(session: Any) -> dict[Any, int]:
    return {row.action: row.visits for row in session.result().moves}


def timed(work: Callable[[], Any], repeats: int) -> str:
    """Median and longest, in milliseconds."""
    took = []
    for _ in range(repeats):
        began = time.perf_counter()
        work()
        took.append(1000 * (time.perf_counter() - began))
    return f"{statistics.median(took):8.1f} {max(took):8.1f}"


def main() -> None:
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    session = engine("mcts()").start(position("connect4"), seed=1)
    session.run(simulations=1)
    rng = random.Random(1)
    moments = sorted(rng.sample(range(2, n), 20))
    began, seen = time.perf_counter(), {}
    for moment in moments:
        session.run(simulations=moment - session.moment)
        seen[moment] = visits_of(session)
    session.run(simulations=n - session.moment)
    print(f"{n:,} simulations, looked at 20 times, in {time.perf_counter() - began:.1f} s")
    print(f"{'milliseconds':24} {'median':>8} {'longest':>8}")
    order = rng.sample(moments, len(moments))
    took = []
    for moment in order:
        began = time.perf_counter()
        session.rewind(moment)
        took.append(1000 * (time.perf_counter() - began))
        if visits_of(session) != seen[moment]:
            raise SystemExit(f"moment {moment} is not what it was")
    print(f"{'rewind':24} {statistics.median(took):8.1f} {max(took):8.1f}")
    session.rewind(n)
    print(f"{'10,000 nodes':24} {timed(lambda: session.nodes(10_000), 20)}")
    print(f"{'result':24} {timed(session.result, 20)}")
    print(f"{'step':24} {timed(session.step, 20)}")


if __name__ == "__main__":
    main()
