"""`ponder perft`: count move sequences, the classic test of rules."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from typing import Annotated, Any

import typer

from ponder.cli import options
from ponder.cli.console import LiveLine
from ponder.cli.waiting import compiling
from ponder.errors import InputError


def command(
    game: options.Game,
    depth: Annotated[
        int, typer.Argument(metavar="DEPTH", parser=options.whole, help="Plies to count.")
    ],
    position: options.PositionText = "",
    moves: options.Moves = "",
    divide: Annotated[
        bool, typer.Option("--divide", help="Split by first move, or outcome.")
    ] = False,
    as_json: options.Json = False,
) -> None:
    """Count move sequences: the classic test of rules.

    Compare with published tables, or with another program move by move (--divide). Outcomes of
    dice count as moves.
    """
    if depth < (1 if divide else 0):
        raise InputError(f"DEPTH must be {1 if divide else 0} or more, not {depth}")
    from ponder.search.perft import perft

    live = LiveLine()
    with compiling(game, "perft"):
        here = options.position_of(game, position, moves)
        perft(here, min(depth, 1))  # compiles before the clock runs
        began = time.perf_counter()
        split = in_background(lambda: _split(here, depth, live, began))
        seconds = time.perf_counter() - began
    live.clear()
    total = sum(count for _, count in split)
    if as_json:
        data: dict[str, Any] = {"game": game, "position": here.text(), "depth": depth}
        data |= {"nodes": total, "seconds": seconds}
        print(json.dumps(data | ({"divide": dict(split)} if divide else {})))
        return
    if divide:
        for name, count in split:
            print(f"{name}: {count:,}")
        print()
    print(f"perft({depth}) = {total:,}   {seconds:.2f} s = {total / max(seconds, 1e-9):,.0f}/s")


def _split(here: Any, depth: int, live: LiveLine, began: float) -> list[tuple[str, int]]:
    """perft by first move. Moves of one name stay apart: names are for people."""
    from ponder.search.perft import divided

    if depth == 0:
        return [("", 1)]
    counts: list[tuple[str, int]] = []
    total, moves = 0, len(here.legal_actions)
    for name, count in divided(here, depth):
        counts.append((name, count))
        total += count
        spent = time.perf_counter() - began
        left = spent / len(counts) * (moves - len(counts))
        live.write(
            f"{len(counts)} of {moves} moves  {total:,} nodes  "
            f"{spent:.0f} s, about {left:.0f} s left"
        )
    return counts


def in_background(work: Callable[[], Any]) -> Any:
    """Do `work` in another thread: one kernel call may take minutes, and Ctrl-C should not."""
    outcome: dict[str, Any] = {}

    def run() -> None:
        try:
            outcome["value"] = work()
        except BaseException as error:
            outcome["error"] = error

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    while thread.is_alive():
        thread.join(0.05)
    if "error" in outcome:
        raise outcome["error"]
    return outcome["value"]
