"""Ponder beside hand-written C: the same UCT on Connect Four, the same visits, how much slower?

    python benchmarks/speed/climit.py [SIMULATIONS]

Compiles climit.c with gcc into a temporary folder, plainly and with the children of the best child
fetched ahead, as Ponder does; runs all three in turn, and checks that they made the same tree.
Ponder's side is a whole `search`, with its result. Times are processor times.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from ponder import position
from ponder.core.rng import new_rng
from ponder.presets import uct

SOURCE = Path(__file__).with_name("climit.c")
REPEATS = 15
SEED = 1


def compiled(folder: str, *more: str) -> str:
    program = str(Path(folder) / f"climit{len(more)}")
    # no contraction to fused operations: they round otherwise, and the visits would differ
    flags = ["-O3", "-march=native", "-ffp-contract=off"]
    subprocess.run(["gcc", *flags, *more, "-o", program, str(SOURCE), "-lm"], check=True)
    return program


def search_in_c(program: str, n: int) -> tuple[float, list[int]]:
    """Seconds of processor time; then the tree's size and the visits of columns 1 to 7."""
    words = subprocess.run(
        [program, str(n), str(new_rng(SEED)[0])], check=True, capture_output=True, text=True
    ).stdout.split()
    return float(words[0]), [int(word) for word in words[1:]]


def search_here(n: int) -> tuple[float, list[int]]:
    start = position("connect4")
    began = time.thread_time()
    result = uct().search(start, simulations=n, memory=4096, seed=SEED)
    spent = time.thread_time() - began
    visits = [row.visits for row in sorted(result.moves, key=lambda row: row.action)]
    return spent, [result.tree.size, *visits]


def main() -> None:
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    search_here(10)  # compiles
    rates: dict[str, list[float]] = {"ponder": [], "C": [], "C, ahead": []}
    with tempfile.TemporaryDirectory() as folder:
        programs = {"C": compiled(folder), "C, ahead": compiled(folder, "-DAHEAD")}
        for _ in range(REPEATS):
            seconds, tree = search_here(n)
            rates["ponder"].append(n / seconds)
            for name, program in programs.items():
                seconds, same_tree = search_in_c(program, n)
                rates[name].append(n / seconds)
                if tree != same_tree:
                    sys.exit(f"the trees differ: {tree} here, {same_tree} in C")
    print(f"{n:,} simulations of Connect Four, the same tree in all, {REPEATS} runs in turn")
    print("              median /s      best /s   ponder is")
    ours = statistics.median(rates["ponder"])
    for name, found in rates.items():
        middle = statistics.median(found)
        print(f"{name:8} {middle:14,.0f} {max(found):12,.0f} {ours / middle:11.2f}")


if __name__ == "__main__":
    main()
