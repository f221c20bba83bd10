"""How long until the first answer: whole commands in new processes, with an empty cache and again.

    python benchmarks/speed/startup.py [REVISION]

Processor seconds (of the command and of all processes that it starts) and wall seconds. Cold: the
folder of compiled code is empty; warm: what the cold command compiled is there. First four searches
of 100 simulations, medians of five; then one cold search of every shipped game with the engine that
is taken when none is named, and the median of three warm ones; last, what needs no search. All with
`--tier compiled`: nothing is answered by plain Python.

With REVISION, an earlier revision makes the same commands in turn with this checkout: "before". It
is checked out into a temporary folder. Wall seconds depend on what else the machine does, processor
seconds less: the load is told. Prints tables in Markdown.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from ponder.core.registry import GAMES

HERE = Path(__file__).resolve().parents[2]
TARGETS = {
    ("tictactoe", "mcts()"): 5,
    ("connect4", "strong()"): 10,
    ("chess", "mcts()"): 10,
    ("othello", "strong()"): 9,
}
"""Searches, and the most processor seconds that each may take with an empty cache."""
COLD, WARM = 5, 3
ENGINE = "strong()"
PROGRAM = "from ponder.cli import main; main()"


class Seconds(NamedTuple):
    processor: float
    wall: float


class Checkout:
    """The code of one revision, as a command."""

    def __init__(self, folder: Path) -> None:
        self.environment = {**os.environ, "PYTHONPATH": str(folder / "src"), "PONDER_AHEAD": "0"}
        for name in ("NUMBA_CACHE_DIR", "NUMBA_DISABLE_JIT"):
            self.environment.pop(name, None)
        with tempfile.TemporaryDirectory() as cache:
            told = self._run(("search", "--help"), cache).stdout
        self.tier = ("--tier", "compiled") if "--tier" in told else ()

    def _run(self, arguments: tuple[str, ...], cache: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-P", "-c", PROGRAM, *arguments],
            env={**self.environment, "XDG_CACHE_HOME": cache},
            capture_output=True,
            text=True,
            check=True,
        )

    def seconds(self, arguments: tuple[str, ...], cache: str) -> Seconds:
        began, used = time.perf_counter(), processor_seconds()
        done = self._run(arguments, cache)
        assert done.stdout, "the command printed nothing"
        return Seconds(processor_seconds() - used, time.perf_counter() - began)

    def search(self, game: str, engine: str, cache: str) -> Seconds:
        told = ("search", game, "--engine", engine, "--simulations", "100", "--seed", "1")
        return self.seconds((*told, *self.tier), cache)


def processor_seconds() -> float:
    """Of all processes that this one has started and that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def middle(times: list[Seconds]) -> Seconds:
    return Seconds(*map(statistics.median, zip(*times, strict=True)))


class Start(NamedTuple):
    cold: Seconds
    warm: Seconds


def starts(
    checkouts: list[Checkout], game: str, engine: str, cold_runs: int, warm_runs: int
) -> list[Start]:
    """For each checkout, all in turn."""
    cold: list[list[Seconds]] = [[] for _ in checkouts]
    warm: list[list[Seconds]] = [[] for _ in checkouts]
    for _ in range(cold_runs):
        for number, checkout in enumerate(checkouts):
            with tempfile.TemporaryDirectory() as cache:
                cold[number].append(checkout.search(game, engine, cache))
                for _ in range(-(-warm_runs // cold_runs)):
                    warm[number].append(checkout.search(game, engine, cache))
    return [Start(middle(a), middle(b)) for a, b in zip(cold, warm, strict=True)]


def table(first: str, checkouts: list[Checkout]) -> None:
    names = ["before", "now"][-len(checkouts) :]
    kinds = ["cold: processor s", "cold: wall s", "warm: processor s", "warm: wall s"]
    columns = [f"{kind}{f', {name}' if len(names) > 1 else ''}" for kind in kinds for name in names]
    print(f"\n| {first} | {' | '.join(columns)} |", flush=True)
    print(f"|---|{'---:|' * len(columns)}")


def row(what: str, found: list[Start]) -> None:
    cells = [
        f"{getattr(getattr(start, heat), kind):.2f}"
        for heat in ("cold", "warm")
        for kind in ("processor", "wall")
        for start in found
    ]
    print(f"| {what} | {' | '.join(cells)} |", flush=True)


@contextmanager
def checked_out(revision: str) -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        then = Path(folder) / "then"
        git = ["git", "-C", str(HERE), "worktree"]
        subprocess.run([*git, "add", "-q", "--detach", str(then), revision], check=True)
        try:
            yield then
        finally:
            subprocess.run([*git, "remove", "--force", str(then)], check=True)


def all_tables(checkouts: list[Checkout]) -> None:
    print(f"Load of the machine at the beginning: {os.getloadavg()[0]:.1f}.")
    table("search", checkouts)
    for (game, engine), most in TARGETS.items():
        found = starts(checkouts, game, engine, COLD, COLD)
        row(f"{game} `{engine}` (at most {most} processor s)", found)
    table(f"game, `{ENGINE}`", checkouts)
    for game in sorted(GAMES):
        row(game, starts(checkouts, game, ENGINE, 1, WARM))
    print("\n| command | processor s | wall s |\n|---|---:|---:|")
    for name, checkout in zip(["before", "now"][-len(checkouts) :], checkouts, strict=True):
        with tempfile.TemporaryDirectory() as cache:
            help_ = middle([checkout.seconds(("--help",), cache) for _ in range(COLD)])
        told = f", {name}" if len(checkouts) > 1 else ""
        print(f"| `ponder --help`{told} | {help_.processor:.2f} | {help_.wall:.2f} |")
    print(f"\nLoad at the end: {os.getloadavg()[0]:.1f}.")


def main() -> None:
    if len(sys.argv) not in (1, 2) or sys.argv[1:2] in (["-h"], ["--help"]):
        raise SystemExit(__doc__)
    now = Checkout(HERE)
    if len(sys.argv) == 1:
        all_tables([now])
        return
    with checked_out(sys.argv[1]) as then:
        all_tables([Checkout(then), now])


if __name__ == "__main__":
    main()
