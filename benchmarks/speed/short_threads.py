"""Simulations in a few milliseconds: one thread beside two, in one tree and in a tree each.

    python benchmarks/speed/short_threads.py                    5, 10 and 50 ms
    python benchmarks/speed/short_threads.py --milliseconds 2

Medians over searches of different positions, the engines in turn; the ratio is to one thread in the
same time. Beside it the median of what a whole call takes: preparing and reporting are not counted
by a search's own clock. Needs two idle cores.
"""

from __future__ import annotations

import argparse
import time
from statistics import median

from ponder.lab.matches import openings
from ponder.lab.threads import GAMES, alone, together

SEARCHES = 90


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    parser.add_argument("--milliseconds", type=float, nargs="*", default=[5.0, 10.0, 50.0])
    given = parser.parse_args()
    engines = {"one": alone({}), "tree": together("tree", {}), "root": together("root", {})}
    print(f"{'game':12}{'ms':>5}  {'way':6}{'simulations':>12}{'ratio':>7}{'call, ms':>10}")
    for game, plies in GAMES:
        starts = openings(game, plies, SEARCHES, 0)
        for engine in engines.values():
            engine.search(starts[0], seconds=0.01, seed=0)  # compiles
        for milliseconds in given.milliseconds:
            made: dict[str, list[int]] = {name: [] for name in engines}
            calls: dict[str, list[float]] = {name: [] for name in engines}
            for seed, start in enumerate(starts):
                for name, engine in engines.items():
                    began = time.perf_counter()
                    found = engine.search(start, seconds=milliseconds / 1000, seed=seed)
                    calls[name].append(1000 * (time.perf_counter() - began))
                    made[name].append(found.simulations or 0)
            for name in engines:
                ratio = median(made[name]) / median(made["one"])
                print(
                    f"{game:12}{milliseconds:5g}  {name:6}{median(made[name]):12,.0f}{ratio:7.2f}"
                    f"{median(calls[name]):10.1f}"
                )


if __name__ == "__main__":
    main()
