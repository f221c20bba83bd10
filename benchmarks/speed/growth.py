"""How the cost grows with the tree: simulations a second and bytes a node.

    python benchmarks/speed/growth.py [MOST]

One search of Connect Four each, with 10 thousand, 100 thousand, 1 million ... up to MOST
(10 million) simulations, each in a process of its own, so that its memory can be measured: what
the process grew by during the search, against what the result says.
"""

from __future__ import annotations

import json
import subprocess
import sys

from ponder import position
from ponder.presets import uct

MEMORY = 4096  # megabytes: more than the largest tree needs
LEAST = 10_000  # simulations


def one_search(n: int) -> None:
    """Runs in the process of its own; prints a line of JSON."""
    import resource
    import time

    start = position("connect4")
    uct().search(start, simulations=10, seed=1)  # compiles
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    began = time.thread_time()
    result = uct().search(start, simulations=n, memory=MEMORY, seed=1)
    spent = time.thread_time() - began
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024
    tree = (result.tree.size, result.memory, grown, result.deepest)
    print(json.dumps([result.simulations, spent, *tree]))


def main() -> None:
    if sys.argv[1:2] == ["--one"]:
        one_search(int(sys.argv[2]))
        return
    most = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000_000
    print("simulations   simulations/s        nodes   depth   bytes/node   grown process/node")
    n = LEAST
    while n <= most:
        command = [sys.executable, __file__, "--one", str(n)]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        made, seconds, nodes, memory, grown, depth = json.loads(done.stdout)
        assert made == n, "the search ended early"
        each = f"{memory / nodes:12.0f} {grown / nodes:20.1f}"
        print(f"{n:11,} {n / seconds:15,.0f} {nodes:12,} {depth:7} {each}", flush=True)
        n *= 10


if __name__ == "__main__":
    main()
