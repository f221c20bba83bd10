"""Simulations a second with one thread and with all of them, shared in each way."""

from __future__ import annotations

import json
import time
from typing import NamedTuple

from ponder.bench.speed import SEED, start_of
from ponder.mcts.parallel import KINDS, thread_count
from ponder.mcts.search import MCTS

GAMES = ("tictactoe", "connect4", "othello")


class Row(NamedTuple):
    """One game, one way; evaluations are simulations but for leaf: there `threads` each."""

    game: str
    parallel: str
    threads: int
    simulations: float
    ratio: float


def measure(game: str, seconds: float) -> list[Row]:
    """All ways for one game, by the clock on the wall: threads are about waiting less."""
    start, many = start_of(game), thread_count(0)
    rows: list[Row] = []
    for kind, threads in [("one", 1), *((kind, many) for kind in KINDS)]:
        engine = MCTS(threads=threads, parallel="tree" if kind == "one" else kind)
        engine.search(start, simulations=2 * threads, seed=SEED)  # compiles
        began = time.perf_counter()
        done = engine.search(start, seconds=seconds, seed=SEED).simulations or 0
        rate = done / (time.perf_counter() - began)
        rows.append(Row(game, kind, threads, rate, rate / rows[0].simulations if rows else 1.0))
    return rows


def recommendation(rows: list[Row]) -> str:
    """One line: one tree, if that gains a fifth on average, else a tree each, if that does.

    Simulations in one tree are worth more than as many in several: docs/lab/threads.md.
    """
    mean = {
        kind: sum(row.ratio for row in rows if row.parallel == kind)
        / sum(row.parallel == kind for row in rows)
        for kind in ("tree", "root")
    }
    best = next((kind for kind, ratio in mean.items() if ratio >= 1.2), None)
    if best is None:
        return "use one thread: more gain less than a fifth here"
    return f"use --threads auto --parallel {best}: {mean[best]:.1f} times the simulations of one"


def report(games: list[str], seconds: float, as_json: bool) -> str:
    """A table, or one JSON object."""
    rows = [row for game in games or GAMES for row in measure(game, seconds)]
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
    lines += [
        "",
        "leaf: each simulation is worth as many random games as there are threads",
        advice,
    ]
    return "\n".join(lines)
