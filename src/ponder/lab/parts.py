"""What each part of the alpha-beta engine brings: nodes and time to a fixed depth without it."""

from __future__ import annotations

import math
from typing import Any

from ponder.core.position import Position
from ponder.lab.matches import openings
from ponder.lab.report import Report, Tell
from ponder.search.alphabeta import AlphaBeta

GAMES = (("chess", 8, 5), ("connect4", 6, 9), ("othello", 8, 7))
"""Each with the length of its random openings and the depth of the search."""
QUICK = (("connect4", 6, 7), ("othello", 8, 5))
ORDERING = {"hints": False, "killers": False, "history": False, "table": False}
OFF: dict[str, dict[str, Any]] = {
    "everything on": {},
    "no table": {"table": False},
    "no hints": {"hints": False},
    "no killers": {"killers": False},
    "no history": {"history": False},
    "no scout": {"scout": False},
    "no aspiration": {"aspiration": False},
    "no deepening": {"deepen": False},
    "no ordering at all": {**ORDERING, "deepen": False},
}
COLUMNS = ("game", "depth", "engine", "nodes", "ratio", "seconds", "same values")


def run(quick: bool, seed: int, tell: Tell) -> Report:
    count = 4 if quick else 10
    rows: list[tuple[Any, ...]] = []
    worst: dict[str, float] = {}
    sound = True
    for game, plies, depth in QUICK if quick else GAMES:
        starts = openings(game, plies, count, seed)
        whole = 0
        expected: list[float] = []
        for name, changes in OFF.items():
            tell(f"{game} to depth {depth}: {name}")
            engine = AlphaBeta(quiescence=False, memory=16.0)._replace(**changes)
            nodes, seconds, values = measure(starts, engine, depth)
            whole, expected = whole or nodes, expected or values
            same = all(
                math.isclose(a, b, abs_tol=1e-9) for a, b in zip(values, expected, strict=True)
            )
            sound &= same
            ratio = nodes / whole
            worst[name] = max(worst.get(name, 0.0), ratio)
            rows.append((game, depth, name, nodes, ratio, seconds, same))
    none = "no ordering at all"
    single = {name: r for name, r in worst.items() if name not in (none, "everything on")}
    dearest = max(single, key=lambda name: single[name])
    least = min(row[4] for row in rows if row[2] == none)
    return Report(
        claim="move ordering makes alpha-beta effective: the table's move, killers and history "
        "bring most of what is possible, iterative deepening helps; none changes the value",
        source="the lecture, Move Ordering; Schaeffer 1989",
        columns=COLUMNS,
        rows=tuple(rows),
        holds=sound and least > 1,
        conclusion=(
            f"without any ordering {least:.1f} to {worst[none]:.1f} times the nodes; the single "
            f"part missed most: {dearest[3:]} ({single[dearest]:.2f} times); values "
            f"{'never' if sound else 'DO'} change"
        ),
        notes=(
            "nodes and seconds are sums over positions after random openings; a ratio below 1 "
            "means that the part costs more nodes than it saves there",
            "no ordering at all: no table, hints, killers, history and deepening",
        ),
    )


def measure(
    starts: list[Position], engine: AlphaBeta, depth: int
) -> tuple[int, float, list[float]]:
    """Nodes, seconds and values of a search to `depth` from each position."""
    found = [engine.search(start, depth=depth) for start in starts]
    return sum(r.nodes or 0 for r in found), sum(r.seconds for r in found), [r.value for r in found]
