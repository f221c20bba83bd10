"""Chess test suites: how many positions alpha-beta solves, one core, one position after another.

    python benchmarks/solving/chess_suites.py FILE.epd [--seconds 1] [--limit 300] [--engine SPEC]

A file of EPD lines with `bm` (best move) or `am` (avoid move) operations, or of FEN lines: those
are mates in `--mate` moves. Win At Chess (wacnew.epd) is the usual one.
"""

from __future__ import annotations

import argparse
import re
import time
from pathlib import Path

from ponder import Position
from ponder.core.registry import parse_engine
from ponder.games.chess.game import Chess

OPERATION = re.compile(r"\b(bm|am)\s+([^;]+);")
NAME = re.compile(r'\bid\s+"([^"]+)"')


def read_suite(path: str) -> list[tuple[str, Position, str, list[int]]]:
    """(name, position, what, moves) for each line; what is bm, am or mate."""
    suite = []
    for number, line in enumerate(Path(path).read_text().splitlines(), 1):
        if not line.strip():
            continue
        fields = line.split()
        found = OPERATION.search(line)
        clocks = fields[4:6] if len(fields) >= 6 and fields[4].isdigit() else ["0", "1"]
        here = Position.parse(Chess(), " ".join([*fields[:4], *clocks]))
        name = NAME.search(line)
        what, moves = "mate", []
        if found:
            what = found[1]
            moves = [here.parse_action(move) for move in found[2].split()]
        suite.append((name[1] if name else str(number), here, what, moves))
    return suite


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("file")
    options.add_argument("--seconds", type=float, default=1.0)
    options.add_argument("--limit", type=int, default=1_000_000)
    options.add_argument("--every", type=int, default=1, help="take every n-th position")
    options.add_argument("--mate", type=int, default=2, help="moves to mate, of FEN files")
    options.add_argument("--engine", default="alphabeta()")
    given = options.parse_args()
    engine = parse_engine(given.engine)
    suite = read_suite(given.file)[:: given.every][: given.limit]
    engine.search(suite[0][1], depth=1)  # compiles
    solved, missed, nodes, began = 0, [], 0, time.process_time()
    for name, here, what, moves in suite:
        if what == "mate":
            result = engine.search(here, depth=2 * given.mate - 1)
            right = result.value == 1.0
        else:
            result = engine.search(here, seconds=given.seconds)
            right = (result.action in moves) == (what == "bm")
        solved += right
        nodes += result.nodes
        if not right:
            missed.append(name)
    seconds = time.process_time() - began
    print(f"{given.engine}: {solved} of {len(suite)} solved, {nodes:,} nodes in {seconds:.1f} s")
    print(f"{nodes / seconds:,.0f} nodes a second of processor time")
    if missed:
        print("missed:", " ".join(missed))


if __name__ == "__main__":
    main()
