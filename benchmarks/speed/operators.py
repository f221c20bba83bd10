"""What each part of a Monte Carlo search costs: simulations a second, relative to plain UCT.

    python benchmarks/speed/operators.py [GAME] [SIMULATIONS]

One part is exchanged at a time; the rest is ``mcts()``. Each engine searches the same position in
turn with plain UCT, several times; the figures are medians, by processor time. Bytes are those of
a node of the tree.
"""

from __future__ import annotations

import statistics
import sys
import time

from ponder import engine, position
from ponder.core.registry import PARTS
from ponder.errors import InputError

REPEATS = 5
SKIPPED = ("function", "probed")  # a function of the user, a file of tables
COMPANIONS = {"puct": ", expand=all_children()"}


def specs() -> list[tuple[str, str]]:
    """Every part in a search of its own."""
    made = []
    for kind in ("select", "expand", "evaluate", "backup"):
        for name in PARTS[kind]:
            if name not in SKIPPED:
                made.append((kind, f"mcts({kind}={name}(){COMPANIONS.get(name, '')})"))
    made.append(("search", "mcts(transpositions=True)"))
    return made


def rate(spec: str, start: object, n: int) -> tuple[float, float]:
    """Simulations a second of processor time, bytes a node."""
    searcher = engine(spec)
    began = time.thread_time()
    result = searcher.search(start, simulations=n, seed=1)
    spent = time.thread_time() - began
    return result.simulations / spent, result.memory / result.tree.size


def main() -> None:
    game = sys.argv[1] if len(sys.argv) > 1 else "connect4"
    n = int(sys.argv[2]) if len(sys.argv) > 2 else 50_000
    start = position(game)
    rate("mcts()", start, min(n, 100))
    print(f"{n:,} simulations of {game}, {REPEATS} runs in turn with mcts()")
    print(f"{'engine':58} {'/s':>10} {'relative':>9} {'bytes':>6}")
    for _, spec in specs():
        try:
            rate(spec, start, min(n, 100))  # compiles
        except InputError as error:
            print(f"{spec:58} {str(error)[:60]}")
            continue
        ratios, rates = [], []
        for _ in range(REPEATS):
            plain, _ = rate("mcts()", start, n)
            this, size = rate(spec, start, n)
            rates.append(this)
            ratios.append(this / plain)
        print(
            f"{spec:58} {statistics.median(rates):10,.0f} {statistics.median(ratios):9.2f} "
            f"{size:6.0f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
