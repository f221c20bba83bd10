"""What each part of the alpha-beta engine brings: nodes and time to a fixed depth without it."""

from __future__ import annotations

import math
import time
from typing import Any

from ponder.core.position import Position
from ponder.lab.matches import openings
from ponder.lab.old_report import Report, Tell
from ponder.search.alphabeta import AlphaBeta

GAMES = (("chess", 8, 5), ("connect4", 6, 9), ("othello", 8, 7))
"""Each with the length of its random openings and the depth of the search."""
QUICK = (("connect4", 6, 7), ("othello", 8, 5))
NONE = "no ordering at all"
PAIR = "table and history alone"
OFF: dict[str, dict[str, Any]] = {
    "everything on": {},
    "no table": {"table": False},
    "no hints": {"hints": False},
    "no killers": {"killers": False},
    "no history": {"history": False},
    "no scout": {"scout": False},
    "no aspiration": {"aspiration": False},
    "no deepening": {"deepen": False},
    PAIR: {"hints": False, "killers": False, "scout": False, "aspiration": False},
    NONE: dict.fromkeys(("table", "hints", "killers", "history", "scout", "aspiration"), False)
    | {"deepen": False},
}
COLUMNS = ("game", "depth", "engine", "nodes", "ratio", "reduction", "seconds", "same values")


def run(quick: bool, seed: int, tell: Tell) -> Report:
    count = 4 if quick else 10
    rows: list[tuple[Any, ...]] = []
    ratios: dict[str, list[float]] = {name: [] for name in OFF}
    shares = []
    sound = True
    for game, plies, depth in QUICK if quick else GAMES:
        starts = openings(game, plies, count, seed)
        found = {}
        for name, changes in OFF.items():
            tell(f"{game} to depth {depth}: {name}")
            engine = AlphaBeta(quiescence=False, memory=16.0)._replace(**changes)
            found[name] = measure(starts, engine, depth)
        whole, _, expected = found["everything on"]
        most, least = found[NONE][0], min(nodes for nodes, _, _ in found.values())
        for name, (nodes, seconds, values) in found.items():
            pairs = zip(values, expected, strict=True)
            same = all(math.isclose(a, b, abs_tol=1e-9) for a, b in pairs)
            sound &= same
            ratios[name].append(nodes / whole)
            share = (most - nodes) / (most - least)
            if name == PAIR:
                shares.append(share)
            rows.append((game, depth, name, nodes, nodes / whole, share, seconds, same))
    single = {name: max(r) for name, r in ratios.items() if name.startswith("no ") and name != NONE}
    dearest = max(single, key=lambda name: single[name])
    return Report(
        claim="move ordering makes alpha-beta effective; history and table bring 99 % of the "
        "possible reduction; no part changes the value",
        source="the lecture, Move Ordering; Schaeffer 1989 (chess, depths up to 8)",
        columns=COLUMNS,
        rows=tuple(rows),
        holds=sound and min(ratios[NONE]) > 1 and min(shares) > 0.5,
        conclusion=(
            f"without any ordering {min(ratios[NONE]):.1f} to {max(ratios[NONE]):.1f} times the "
            f"nodes; table and history bring {min(shares):.0%} to {max(shares):.0%} of the "
            f"reduction (published: 99 %); the single part missed most is {dearest[3:]} "
            f"({single[dearest]:.2f} times); values {'never' if sound else 'DO'} change"
        ),
        notes=(
            "nodes and processor seconds are sums over positions after random openings; a ratio "
            "below 1 means that the part costs more nodes than it saves there",
            "reduction: of the nodes without any ordering down to the fewest of the column, the "
            "share that is saved",
            "no ordering at all: plain alpha-beta, straight to the depth",
        ),
    )


def measure(
    starts: list[Position], engine: AlphaBeta, depth: int
) -> tuple[int, float, list[float]]:
    """Nodes, processor seconds and values of a search to `depth` from each position."""
    engine.search(starts[0], depth=1)  # compiles
    began = time.process_time()
    found = [engine.search(start, depth=depth) for start in starts]
    seconds = time.process_time() - began
    return sum(r.nodes or 0 for r in found), seconds, [r.value for r in found]
