"""Draw a set of solved positions of Connect Four by strata, or solve one once more.

    python benchmarks/strength/connect4_strata.py FILE --seed 1 [--solver ponder]
    python benchmarks/strength/connect4_strata.py FILE --check [--solver ponder]
                                                         [--stones 8 40] [--every 1]

`docs/solved-positions.md` says what the strata are and how positions are drawn; the file is a
function of the seed alone. There are two solvers, which give the same file: `ponder`, and
`bitbully` (C++, `pip install bitbully bitbully_databases`), whose opening book holds all positions
of twelve stones. `--check` solves every move of every position again and says where scores differ;
of every K-th position with `--every K`, of those with so many stones with `--stones`.
"""

from __future__ import annotations

import argparse
import itertools
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from solved_sets import (
    EARLY,
    LATE,
    MIDDLE,
    SOURCES,
    STRATA,
    Solved,
    plies_to_end,
    read_set,
    score_at,
    write_set,
)

from ponder import position
from ponder.core.registry import parse_engine
from ponder.search.exact import ExactSearch

START = position("connect4")
COLUMNS = 7
ENGINES = (
    *(f"mcts(simulations={n})" for n in (10, 100, 1_000, 10_000)),
    *(f"alphabeta(depth={depth})" for depth in (2, 4, 8)),
)
MOST_RANDOM = 6
"""Random moves at the beginning of a played game, at most."""


class PonderSolver:
    def __init__(self) -> None:
        self.exact = ExactSearch(START, 1024)

    def score(self, here: Any) -> int:
        value, plies = self.exact.value_and_distance(self.exact.bounds_of(here))
        return score_at(len(here.history), int(value), plies) if value and plies else 0

    def moves(self, here: Any) -> tuple[int | None, ...]:
        scores: list[int | None] = [None] * COLUMNS
        for action in here.legal_actions:
            after = here._after(action)
            if after.is_terminal:
                result = int(after.returns[here.current_player])
                scores[action] = score_at(len(here.history), result, 1)
            else:
                scores[action] = -self.score(after)
        return tuple(scores)


class BitbullySolver:
    def __init__(self) -> None:
        from bitbully import BitBully, Board

        self.solver, self.board = BitBully(opening_book="12-ply-dist"), Board

    def score(self, here: Any) -> int:
        return int(self.solver.mtdf(self.board(columns_of(here))))

    def moves(self, here: Any) -> tuple[int | None, ...]:
        found = dict(self.solver.score_all_moves(self.board(columns_of(here))))
        return tuple(int(found[c]) if c in found else None for c in range(COLUMNS))


SOLVERS = {"ponder": PonderSolver, "bitbully": BitbullySolver}


def columns_of(here: Any) -> list[int]:
    return [int(name) - 1 for name in here.history_names]


def at(columns: str) -> Any:
    here = START
    for column in columns:
        here = here._after(int(column) - 1)
    return here


def drawn(source: str, stones: int, rng: Any, engines: list[Any]) -> Any:
    """A position of so many stones; None where the game ends sooner."""
    moves = int(rng.integers(MOST_RANDOM + 1)) if source == "played" else stones
    players = [engines[i] for i in rng.integers(len(engines), size=2)]
    here = START
    while len(here.history) < stones and not here.is_terminal:
        if len(here.history) < moves:
            action = here.legal_actions[int(rng.integers(len(here.legal_actions)))]
        else:
            engine = players[here.current_player]
            action = engine.search(here, seed=int(rng.integers(1 << 31))).action
        here = here._after(int(action))
    return None if here.is_terminal else here


def without_mirror(columns: list[int]) -> Any:
    """The same for a position and its mirror image, whatever the order of the moves."""
    images = []
    for image in (columns, [COLUMNS - 1 - c for c in columns]):
        board: list[list[int]] = [[] for _ in range(COLUMNS)]
        for ply, column in enumerate(image):
            board[column].append(ply % 2)
        images.append(board)
    return str(min(images))


def positions(source: str, seed: int, solver: Any) -> Iterator[Solved]:
    """Those of one source, as they are found."""
    engines = [parse_engine(text) for text in ENGINES]
    left = {stratum: stratum.count for stratum in STRATA}
    met: set[str] = set()
    for number in itertools.count():
        bands = [band for band in (EARLY, MIDDLE, LATE) if any(s.stones == band for s in left)]
        if not bands:
            return
        rng = np.random.default_rng([seed, SOURCES.index(source), number])
        fewest, most = bands[number % len(bands)]
        here = drawn(source, int(rng.integers(fewest, most + 1)), rng, engines)
        if here is None:
            continue
        same = without_mirror(columns_of(here))
        if same in met:
            continue
        met.add(same)
        stones, score = len(here.history), solver.score(here)
        plies = plies_to_end(stones, score)
        stratum = next((one for one in left if one.holds(stones, plies)), None)
        if stratum is None:
            continue
        yield Solved(source, "".join(here.history_names), solver.moves(here))
        left[stratum] -= 1
        if not left[stratum]:
            del left[stratum]


def draw(path: Path, seed: int, solver: Any) -> None:
    began, found = time.process_time(), []
    for source in SOURCES:
        for one in positions(source, seed, solver):
            found.append(one)
            if len(found) % 200 == 0:
                spent = time.process_time() - began
                print(f"{len(found)} positions, {spent:.0f} s of processor time", flush=True)
    notes = [
        f"Solved positions of Connect Four, draw {seed}: see docs/solved-positions.md",
        f"python benchmarks/strength/connect4_strata.py {path.name} --seed {seed}",
    ]
    write_set(path, notes, found)
    print(f"{path}: {len(found)} positions, {time.process_time() - began:.0f} s of processor time")


def check(path: Path, solver: Any, fewest: int, most: int, every: int) -> None:
    began = time.process_time()
    solved = [one for one in read_set(path)[::every] if fewest <= one.stones <= most]
    wrong = [one for one in solved if solver.moves(at(one.columns)) != one.scores]
    for one in wrong:
        print(f"differs: {one.line()}")
    spent = time.process_time() - began
    print(
        f"{len(solved) - len(wrong)} of {len(solved)} positions the same, every move; {spent:.0f} s"
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("file", type=Path)
    parser.add_argument("--seed", type=int)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--stones", type=int, nargs=2, default=(0, 42), help="for --check")
    parser.add_argument("--every", type=int, default=1, help="for --check")
    parser.add_argument("--solver", choices=SOLVERS, default="ponder")
    given = parser.parse_args()
    if given.check == (given.seed is not None):
        parser.error("give --seed to draw a set, or --check to solve one again")
    solver = SOLVERS[given.solver]()
    if given.check:
        check(given.file, solver, *given.stones, given.every)
    elif given.file.exists():
        parser.error(f"{given.file} is there already")
    else:
        draw(given.file, given.seed, solver)


if __name__ == "__main__":
    main()
