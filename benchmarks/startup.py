"""How long until the first answer: whole commands in new processes, with and without a warm cache.

    python benchmarks/startup.py

Wall time of `ponder --help` and of `ponder search connect4 --simulations 1000`. Cold: with an
empty folder for compiled code, where the search compiles first; warm: every later process.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

RUNS = 7
PONDER = str(Path(sys.executable).with_name("ponder"))
SEARCH = ("search", "connect4", "--simulations", "1000", "--seed", "1")


def seconds_of(arguments: tuple[str, ...], cache: str) -> float:
    environment = {**os.environ, "XDG_CACHE_HOME": cache}
    environment.pop("NUMBA_CACHE_DIR", None)
    began = time.perf_counter()
    done = subprocess.run(
        [PONDER, *arguments],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    spent = time.perf_counter() - began
    assert done.stdout, "the command printed nothing"
    return spent


def main() -> None:
    with tempfile.TemporaryDirectory() as cache:
        print(f"{'command':44} {'median':>8} {'lowest':>8} {'highest':>8}   seconds")
        show("ponder --help", [seconds_of(("--help",), cache) for _ in range(RUNS)])
        show("ponder search connect4 ..., cold", [seconds_of(SEARCH, cache)])
        show("ponder search connect4 ..., warm", [seconds_of(SEARCH, cache) for _ in range(RUNS)])


def show(what: str, times: list[float]) -> None:
    middle = statistics.median(times)
    print(f"{what:44} {middle:8.2f} {min(times):8.2f} {max(times):8.2f}", flush=True)


if __name__ == "__main__":
    main()
