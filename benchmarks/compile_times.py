"""How long the first search of each game takes on an empty cache, and the second process.

python benchmarks/compile_times.py [GAME ...]
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time

from ponder.core.registry import GAMES

PROGRAM = """
import random, sys
from ponder import MCTS, position
here = position(sys.argv[1])
while here.is_chance:
    here = here.play(here.legal_actions[0])
MCTS().search(here, simulations=10, seed=1)
"""


def seconds(game: str, cache: str) -> float:
    began = time.perf_counter()
    environment = {**os.environ, "NUMBA_CACHE_DIR": cache}
    subprocess.run([sys.executable, "-c", PROGRAM, game], env=environment, check=True)
    return time.perf_counter() - began


def main() -> None:
    print(f"{'game':18} {'cold s':>7} {'warm s':>7}")
    for game in sys.argv[1:] or GAMES:
        with tempfile.TemporaryDirectory() as cache:
            cold, warm = seconds(game, cache), seconds(game, cache)
        print(f"{game:18} {cold:7.1f} {warm:7.2f}", flush=True)


if __name__ == "__main__":
    main()
