"""Simulations a second with one thread and with all of them, shared in each way."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from ponder.bench.speed import SEED, start_of
from ponder.core.limits import Limit
from ponder.core.position import Position
from ponder.mcts.engine import MCTS
from ponder.mcts.parallel import KINDS
from ponder.mcts.threads import thread_count

GAMES = ("tictactoe", "connect4", "othello", "go(size=9)")


class Row(NamedTuple):
    """One game, one way; evaluations are simulations but for leaf: there `threads` each."""

    game: str
    parallel: str
    threads: int
    simulations: float
    ratio: float


def measure(game: str, start: Position, seconds: float) -> Iterator[Row]:
    """All ways for one game, by the clock on the wall: threads are about waiting less."""
    many, alone = thread_count(0), 0.0
    for kind, threads in [("one", 1), *((kind, many) for kind in KINDS)]:
        engine = MCTS(threads=threads, parallel="tree" if kind == "one" else kind)
        simulations_of(engine, start, Limit(simulations=2 * threads))  # compiles
        began = time.perf_counter()
        done = simulations_of(engine, start, Limit(seconds=seconds))
        rate = done / (time.perf_counter() - began)
        alone = alone or rate
        yield Row(game, kind, threads, rate, rate / alone)


def simulations_of(engine: MCTS, start: Position, limit: Limit) -> int:
    """Search and count; Ctrl-C, which ends one search, is here meant for all of them."""
    found = engine.search(start, limit, seed=SEED)
    if found.stopped_by == "interrupt":
        raise KeyboardInterrupt
    return found.simulations or 0


def recommendation(rows: Sequence[Row]) -> str | None:
    """One line: one tree, if that gains a fifth on average, else a tree each, if that does.

    Simulations in one tree are worth more than as many in several: docs/lab/threads.md. None if not
    both were measured.
    """
    ratios = {
        kind: [row.ratio for row in rows if row.parallel == kind] for kind in ("tree", "root")
    }
    if not all(ratios.values()):
        return None
    mean = {kind: sum(found) / len(found) for kind, found in ratios.items()}
    best = next((kind for kind, ratio in mean.items() if ratio >= 1.2), None)
    if best is None:
        return "use one thread: more threads gain less than a fifth here"
    return f"use --threads auto --parallel {best}: {mean[best]:.1f} times the simulations of one"


def run(games: Sequence[str], seconds: float, rows: list[Row], tell: Callable[[str], None]) -> None:
    """Measure; a row goes into `rows` at once: an interrupt may come. `tell` takes progress."""
    starts = {game: start_of(game) for game in games or GAMES}  # a wrong name is found out at once
    for game, start in starts.items():
        tell(f"measuring {game}: {1 + len(KINDS)} times {seconds:g} s")
        for row in measure(game, start, seconds):
            rows.append(row)


def report(rows: Sequence[Row], as_json: bool) -> str:
    """A table, or one JSON object."""
    advice = recommendation(rows)
    if as_json:
        return json.dumps({"rows": [row._asdict() for row in rows], "advice": advice})
    width = max(len(row.game) for row in rows)
    lines = [f"{'game':{width}}  {'way':5}  {'threads':>7}  {'simulations/s':>13}  {'ratio':>5}"]
    for row in rows:
        lines.append(
            f"{row.game:{width}}  {row.parallel:5}  {row.threads:>7}  "
            f"{row.simulations:>13,.0f}  {row.ratio:>5.2f}"
        )
    lines += ["", "leaf: each simulation is worth as many random games as there are threads"]
    return "\n".join(lines if advice is None else [*lines, advice])
