"""How the tree of alpha-beta grows with depth: Connect Four, Othello and chess from the start.

    python benchmarks/speed/growth_classical.py [GAME:DEPTH ...]

Minimax visits N(d) nodes to depth d; alpha-beta in the best of orders about the square root of that
(Knuth & Moore 1975). Three searches, all without quiescence: minimax; alpha-beta that takes moves
as the game lists them and remembers nothing; the whole engine (table, ordering, null windows): the
sum over depths 1 to d. The effective branching factor is N(d) ** (1 / d). Processor time of whole
calls.
"""

from __future__ import annotations

import sys
import time

from ponder import AlphaBeta, Minimax, position
from ponder.presets import plain_alphabeta

DEPTHS = {"connect4": 8, "othello": 7, "chess": 5}
UNORDERED = plain_alphabeta()
WHOLE = AlphaBeta(quiescence=False)


def measured(engine, here, depth: int) -> tuple[int, float]:  # type: ignore[no-untyped-def]
    began = time.process_time()
    nodes = engine.search(here, depth=depth).nodes
    return nodes, time.process_time() - began


def main() -> None:
    chosen = dict(word.split(":") for word in sys.argv[1:]) or DEPTHS
    print("| game, depth | minimax | unordered | whole engine | factors | root of minimax's |")
    print("|---|---|---|---|---|---|")
    for name, deepest in chosen.items():
        here = position(name)
        engines = (Minimax(), UNORDERED, WHOLE)
        for engine in engines:
            engine.search(here, depth=1)  # compiles
        for depth in range(2, int(deepest) + 1):
            found = [measured(engine, here, depth) for engine in engines]
            shown = " | ".join(f"{n:,} nodes, {s:.3f} s" for n, s in found)
            factors = [n ** (1 / depth) for n, _ in found]
            print(
                f"| {name}, {depth} | {shown} | {', '.join(f'{f:.2f}' for f in factors)} "
                f"| {factors[0] ** 0.5:.2f} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
