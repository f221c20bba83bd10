"""Othello endgames solved exactly: the FFO test suite, every move of every position.

    python benchmarks/solving/othello_ffo.py FILE.obf [--memory 256]

A line of the file is a board (X, O, -), who moves, and each move with its score (discs, empty
cells counted for the winner): FFO 1 to 19 have 14 to 16 empty cells. Then small boards from the
start: 4 x 4 and 6 x 4. (6 x 6, solved by Feinstein in 1993 with 4 * 10**10 positions, is not
tried.)
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from ponder import position, solve

SMALL_BOARDS = ((4, 4), (6, 4))


def problems(path: str) -> list[tuple[str, dict[str, int]]]:
    found = []
    for line in Path(path).read_text().splitlines():
        board, *moves = [part.strip() for part in line.split(";") if part.strip()]
        cells, turn = board.lower().replace("-", ".").split()
        rows = "/".join(cells[i : i + 8] for i in range(0, 64, 8))
        scores = {name.lower(): int(score) for name, score in (m.split(":") for m in moves)}
        found.append((f"{rows} {turn}", scores))
    return found


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("file")
    options.add_argument("--memory", type=float, default=256.0)
    given = options.parse_args()
    suite = problems(given.file)
    solve(position("othello(scores=True)"), seconds=0.01, memory=1)  # compiles
    all_nodes, all_seconds, right = 0, 0.0, 0
    for number, (text, scores) in enumerate(suite, 1):
        began = time.process_time()
        found = solve(position("othello(scores=True)", text), memory=given.memory)
        seconds = time.process_time() - began
        same = {move.name: move.value for move in found.moves} == scores
        right += same
        all_nodes += found.nodes
        all_seconds += seconds
        print(
            f"{number:3}  {text.count('.')} empty  score {found.value:+.0f}  "
            f"{'all moves right' if same else 'WRONG'}  {found.nodes:>9,} nodes  {seconds:.2f} s"
        )
    print(
        f"{right} of {len(suite)} right in {all_seconds:.1f} s (CPU), "
        f"{all_nodes / all_seconds / 1e6:.2f} million nodes/s"
    )
    for columns, rows in SMALL_BOARDS:
        start = position(f"othello(columns={columns}, rows={rows}, scores=True)")
        found = solve(start, memory=given.memory)
        print(f"{columns} x {rows}: score {found.value:+.0f}, {found.nodes:,} nodes")


if __name__ == "__main__":
    main()
