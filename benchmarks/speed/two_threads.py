"""Two threads in one tree beside one thread: Connect Four, by the clock on the wall.

    python benchmarks/speed/two_threads.py [SIMULATIONS [REPEATS]]

A million simulations of `uct()` by one thread and by two, in turn, 15 times. Both cores must be
idle: what other programs take is missing here.
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
    engines = {threads: uct()._replace(threads=threads) for threads in (1, 2)}
    for engine in engines.values():
        engine.search(start, simulations=min(n, 1000), seed=1)  # compiles
    seconds: dict[int, list[float]] = {1: [], 2: []}
    for i in range(repeats):
        for threads, engine in engines.items():
            began = time.perf_counter()
            engine.search(start, simulations=n, memory=4096, seed=i)
            seconds[threads].append(time.perf_counter() - began)
    pairs = [one / two for one, two in zip(seconds[1], seconds[2], strict=True)]
    for threads, measured in seconds.items():
        print(f"{threads} threads: {n / statistics.median(measured):,.0f} simulations/s")
    print(f"two are {statistics.median(pairs):.2f} times as fast, median of {repeats} pairs")


if __name__ == "__main__":
    main()
