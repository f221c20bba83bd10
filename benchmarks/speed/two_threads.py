"""Two threads beside one: Connect Four, by the clock on the wall.

    python benchmarks/speed/two_threads.py [SIMULATIONS [REPEATS]]

A million simulations of `uct()` by one thread, by two in one tree and by two with a tree each, in
turn, 15 times. Both cores must be idle: what other programs take is missing here.
"""

from __future__ import annotations

import statistics
import sys
import time

from ponder import position
from ponder.presets import uct


def main() -> None:
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    repeats = int(sys.argv[2]) if len(sys.argv) > 2 else 15
    start = position("connect4")
    engines = {
        "one thread": uct(),
        "two threads, one tree": uct()._replace(threads=2),
        "two threads, a tree each": uct()._replace(threads=2, parallel="root"),
    }
    for engine in engines.values():
        engine.search(start, simulations=min(n, 1000), seed=1)  # compiles
    seconds: dict[str, list[float]] = {name: [] for name in engines}
    for i in range(repeats):
        for name, engine in engines.items():
            began = time.perf_counter()
            engine.search(start, simulations=n, memory=4096, seed=i)
            seconds[name].append(time.perf_counter() - began)
    for name, measured in seconds.items():
        ratios = [one / other for one, other in zip(seconds["one thread"], measured, strict=True)]
        print(
            f"{name}: {n / statistics.median(measured):,.0f} simulations/s, "
            f"{statistics.median(ratios):.2f} times one thread ({min(ratios):.2f} to "
            f"{max(ratios):.2f} in {repeats} rounds)"
        )


if __name__ == "__main__":
    main()
