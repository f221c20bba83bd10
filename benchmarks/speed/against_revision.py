"""This checkout beside an earlier revision of itself: is anything slower than it was?

    python benchmarks/speed/against_revision.py REVISION [PAIRS] [WORD]

The earlier revision is checked out into a temporary folder. Two processes, one for each, make
the same searches in turn: one of the old, one of the new, PAIRS times (25), so that whatever else
the machine does hits both alike. The ratio is the median over pairs of old processor time / new
processor time (above 1: faster now) with its 95 % interval, which needs no assumption about
the noise (order statistics of the pairs). Only searches that both revisions write alike are here;
WORD picks those with the word in their name.
"""

from __future__ import annotations

import contextlib
import math
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, Any

HERE = Path(__file__).resolve().parents[2]
Works = dict[str, tuple[Any, ...]]
"""By name: engine, game, limit, and how many searches are measured as one (1 if it is not said)."""
WORKS: Works = {
    "uct tictactoe": ("uct(2.0)", "tictactoe", "simulations=200000"),
    "uct connect4, 100": ("uct(2.0)", "connect4", "simulations=100"),
    "uct connect4": ("uct(2.0)", "connect4", "simulations=100000"),
    "uct connect4, 1,000,000": ("uct(2.0)", "connect4", "simulations=1000000"),
    "uct othello": ("uct(2.0)", "othello", "simulations=2000"),
    "uct breakthrough": ("uct(2.0)", "breakthrough", "simulations=8000"),
    "uct checkers": ("uct(2.0)", "checkers", "simulations=4000"),
    "uct hex": ("uct(2.0)", "hex", "simulations=4000"),
    "uct go": ("uct(2.0)", "go", "simulations=4000"),
    "uct backgammon, 256": ("uct(2.0)", "backgammon", "simulations=256"),
    "uct chess, 256": ("uct(2.0)", "chess", "simulations=256"),
    "mcts() connect4": ("mcts()", "connect4", "simulations=20000"),
    "alphabeta() connect4, depth 1": ("alphabeta()", "connect4", "depth=1"),
    "alphabeta() connect4, depth 10": ("alphabeta()", "connect4", "depth=10"),
    "alphabeta() chess, depth 4": ("alphabeta()", "chess", "depth=4"),
    "expectiminimax() pig, depth 6": ("expectiminimax()", "pig", "depth=6"),
}
WORKER = """
import sys, time
from ponder.bench.speed import start_of
from ponder.core.registry import parse_engine

works, clock, ready = {works!r}, time.{clock}, {{}}
for line in sys.stdin:
    name, seed = line.rstrip().rsplit("\\t", 1)
    spec, game, limit, *times = works[name]
    times = times[0] if times else 1
    if name not in ready:
        ready[name] = parse_engine(spec), start_of(game)
        engine, start = ready[name]
        word, _, number = limit.partition("=")
        engine.search(start, seed=1, **{{word: 1}})
    engine, start = ready[name]
    word, _, number = limit.partition("=")
    began = clock()
    for i in range(times):
        engine.search(start, seed=times * int(seed) + i, **{{word: int(number)}})
    print((clock() - began) / times, flush=True)
"""


class Revision:
    """A process with the code of one checkout that makes searches when told to."""

    def __init__(self, checkout: Path, works: Works, clock: str = "thread_time") -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", WORKER.format(works=works, clock=clock)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": str(checkout / "src")},
        )

    def seconds(self, name: str, seed: int) -> float:
        """Processor time of one search."""
        told: IO[str] = self.process.stdin  # type: ignore[assignment]
        heard: IO[str] = self.process.stdout  # type: ignore[assignment]
        print(f"{name}\t{seed}", file=told, flush=True)
        answer = heard.readline()
        if not answer:
            raise SystemExit(f"{name}: the search failed (see above)")
        return float(answer)

    def end(self) -> None:
        self.process.communicate()


def median_interval(values: list[float]) -> tuple[float, float]:
    """The 95 % interval of a median: by order statistics, from the binomial distribution."""
    n = len(values)
    below, k = 0.0, 0
    while below + math.comb(n, k) / 2**n <= 0.025:
        below += math.comb(n, k) / 2**n
        k += 1
    ordered = sorted(values)
    return ordered[max(k - 1, 0)], ordered[n - max(k, 1)]


@contextlib.contextmanager
def checked_out(revision: str) -> Iterator[Path]:
    """A revision in a folder of its own."""
    with tempfile.TemporaryDirectory() as folder:
        then = Path(folder) / "then"
        git = ["git", "-C", str(HERE), "worktree"]
        subprocess.run([*git, "add", "-q", "--detach", str(then), revision], check=True)
        try:
            yield then
        finally:
            subprocess.run([*git, "remove", "--force", str(then)], check=True)


def main() -> None:
    if len(sys.argv) not in (2, 3, 4):
        raise SystemExit(__doc__)
    pairs = int(sys.argv[2]) if len(sys.argv) > 2 else 25
    word = sys.argv[3] if len(sys.argv) > 3 else ""
    with checked_out(sys.argv[1]) as then:
        old, new = Revision(then, WORKS), Revision(HERE, WORKS)
        try:
            print(f"{'search':32} {'then ms':>9} {'now ms':>9} {'ratio':>6}   95 % interval")
            for name in [name for name in WORKS if word in name]:
                compare(name, old, new, pairs)
        finally:
            old.end()
            new.end()


def pairs_of(name: str, old: Revision, new: Revision, seeds: Sequence[int]) -> tuple[Any, Any]:
    """The times of both, in turn: who is first changes with the seed."""
    old.seconds(name, 0), new.seconds(name, 0)  # compile, and fill the caches
    then: list[float] = []
    now: list[float] = []
    for seed in seeds:
        for revision, times in ((old, then), (new, now))[:: 1 if seed % 2 else -1]:
            times.append(revision.seconds(name, seed))
    return then, now


def ratio_text(then: list[float], now: list[float]) -> str:
    """The median of old / new, and its 95 % interval."""
    ratios = [a / b for a, b in zip(then, now, strict=True)]
    low, high = median_interval(ratios)
    return f"{statistics.median(ratios):6.2f}   {low:.2f} to {high:.2f}"


def compare(name: str, old: Revision, new: Revision, pairs: int) -> None:
    then, now = pairs_of(name, old, new, range(pairs))
    print(
        f"{name:32} {1000 * statistics.median(then):9.3f} {1000 * statistics.median(now):9.3f}"
        f" {ratio_text(then, now)}",
        flush=True,
    )


if __name__ == "__main__":
    main()
