"""Connect Four solved exactly: published scores, nodes a second, beside a C++ solver.

    python benchmarks/solving/connect4_exact.py FILE [FILE ...] [--against bitbully] [--repeats 15]
                                        [--memory 64]
    python benchmarks/solving/connect4_exact.py --empty 600

A file has lines ``COLUMNS SCORE``: the columns played, from 1, and the score of the position:
22 - the stones of the winner when he wins; negative if the mover loses; 0 for a draw. Pascal Pons'
sets Test_L3_R1 (late) and Test_L2_R1 (middle game) are such files. Times are of this process's
work (CPU), one position after the other with one table; reading the moves is not counted. With
`--repeats N` the two take turns, each time with an empty table, and the ratio is of the medians.

`--empty S` works on the empty 7 x 6 board for S seconds and says how far it came.

`bitbully` (PyPI, C++) is used without its opening book.
"""

from __future__ import annotations

import argparse
import statistics
import time
from pathlib import Path

from ponder import position
from ponder.search.exact import ExactSearch

START = position("connect4")


def read(path: str) -> list[tuple[str, int]]:
    lines = (line.split() for line in Path(path).read_text().splitlines())
    return [(columns, int(score)) for columns, score in lines]


def score_of(search: ExactSearch, here, played: int) -> int:  # type: ignore[no-untyped-def]
    value, distance = search.value_and_distance(search.bounds_of(here))
    if not value:
        return 0
    return int(value) * (22 - (played + distance + 1) // 2)


def ours(lines: list[tuple[str, int]], memory: float) -> float:
    positions = []
    for columns, score in lines:
        here = START
        for column in columns:
            here = here._after(int(column) - 1)
        positions.append((here, columns, score))
    search = ExactSearch(START, memory)
    began = time.process_time()
    wrong = [
        columns
        for here, columns, score in positions
        if score_of(search, here, len(columns)) != score
    ]
    seconds = time.process_time() - began
    print(
        f"  ponder    {len(lines) - len(wrong)} of {len(lines)} right, {seconds:.2f} s, "
        f"{search.nodes:,} nodes = {search.nodes / seconds / 1e6:.2f} million/s"
    )
    for columns in wrong:
        print(f"    wrong: {columns}")
    return seconds


def theirs(lines: list[tuple[str, int]]) -> float:
    from bitbully import BitBully, Board

    boards = [(Board([int(c) - 1 for c in columns]), score) for columns, score in lines]
    agent = BitBully(opening_book=None)
    agent.mtdf(Board([3, 3, 3, 3, 3, 3, 2, 2, 2, 2, 2, 2, 4, 4, 4, 4]))  # makes its table
    began = time.process_time()
    right = sum(agent.mtdf(board) == score for board, score in boards)
    seconds = time.process_time() - began
    print(f"  bitbully  {right} of {len(lines)} right, {seconds:.2f} s")
    return seconds


def empty_board(seconds: float, memory: float) -> None:
    search = ExactSearch(START, memory)
    search.begin(seconds, None, None)
    began = time.process_time()
    bounds = search.bounds_of(START)
    spent = time.process_time() - began
    print(
        f"  empty board: {search.value_and_distance(bounds)}, "
        f"{search.nodes:,} nodes in {spent:.0f} s = {search.nodes / spent / 1e6:.2f} million/s, "
        f"stopped by {search.stopped or 'nothing: solved'}"
    )


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("files", nargs="*")
    options.add_argument("--memory", type=float, default=64.0)
    options.add_argument("--against", choices=("bitbully",))
    options.add_argument("--repeats", type=int, default=1)
    options.add_argument("--empty", type=float)
    given = options.parse_args()
    for path in given.files:
        lines = read(path)
        print(Path(path).name)
        mine, peers = [], []
        for _ in range(given.repeats):
            mine.append(ours(lines, given.memory))
            if given.against:
                peers.append(theirs(lines))
        if given.against:
            ratio = statistics.median(mine) / statistics.median(peers)
            print(f"  time ratio ponder / bitbully {ratio:.2f}, medians of {given.repeats}")
    if given.empty:
        empty_board(given.empty, given.memory)


if __name__ == "__main__":
    main()
