"""How long the first search of each game takes on an empty cache, and in the next process.

    python benchmarks/compile_times.py [GAME ...]

Each row is two new processes, one after the other, that make ten simulations of `MCTS()` from the
start; only the first has to compile. Wall seconds depend on what else the machine does, processor
seconds hardly.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from typing import NamedTuple

from ponder.core.registry import GAMES

PROGRAM = """
import sys
from ponder import MCTS, position
here = position(sys.argv[1])
while here.is_chance:
    here = here.play(here.legal_actions[0])
MCTS().search(here, simulations=10, seed=1)
"""


class Seconds(NamedTuple):
    wall: float
    processor: float


def first_search(game: str, cache: str) -> Seconds:
    """What a new process that searches the game takes, with compiled code kept in `cache`."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": cache}
    began, used = time.perf_counter(), processor_seconds()
    subprocess.run([sys.executable, "-c", PROGRAM, game], env=environment, check=True)
    return Seconds(time.perf_counter() - began, processor_seconds() - used)


def processor_seconds() -> float:
    """Of all processes that this one has started and that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def main() -> None:
    print("| game | cold: processor s | wall s | warm: processor s | wall s |")
    print("|---|---:|---:|---:|---:|")
    for game in sys.argv[1:] or GAMES:
        with tempfile.TemporaryDirectory() as cache:
            cold, warm = first_search(game, cache), first_search(game, cache)
        figures = f"{cold.processor:.1f} | {cold.wall:.1f} | {warm.processor:.1f} | {warm.wall:.1f}"
        print(f"| {game} | {figures} |", flush=True)


if __name__ == "__main__":
    main()
