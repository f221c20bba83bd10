"""How deep alpha-beta gets with as many nodes as minimax needs for depth 4."""

from __future__ import annotations

import statistics
from typing import Any

from ponder.core.position import Position
from ponder.lab.matches import openings
from ponder.lab.report import Report, Tell
from ponder.search.alphabeta import AlphaBeta
from ponder.search.minimax import Minimax

DEPTH = 4
GAMES = (("connect4", 4), ("othello", 8), ("breakthrough", 8), ("chess", 8))
BARE = AlphaBeta(
    table=False,
    hints=False,
    killers=False,
    history=False,
    scout=False,
    aspiration=False,
    quiescence=False,
    deepen=False,
)
WHOLE = AlphaBeta(quiescence=False, memory=16.0)
COLUMNS = (
    "game",
    "positions",
    "minimax nodes",
    "alpha-beta alone",
    "whole engine",
    "fewest",
    "most",
    "published",
)


def run(quick: bool, seed: int, tell: Tell) -> Report:
    count = 4 if quick else 30
    rows: list[tuple[Any, ...]] = []
    medians = []
    for game, plies in GAMES[:2] if quick else GAMES:
        starts = openings(game, plies, count, seed)
        tell(f"{game}: {len(starts)} positions")
        nodes, bare, whole = [], [], []
        for start in starts:
            budget = Minimax().search(start, depth=DEPTH).nodes or 0
            nodes.append(budget)
            bare.append(reached(start, BARE, budget))
            whole.append(reached(start, WHOLE, budget))
        medians.append(statistics.median(whole))
        rows.append(
            (
                game,
                len(starts),
                round(statistics.mean(nodes)),
                statistics.mean(bare),
                statistics.mean(whole),
                min(whole),
                max(whole),
                "6 to 8",
            )
        )
    return Report(
        claim="with the effort of a full tree to depth 4, alpha-beta with good move ordering "
        "reaches depth 6 to 8",
        source="Helmert, Foundations of AI (Basel), G7, Comparison of Game Algorithms",
        columns=COLUMNS,
        rows=tuple(rows),
        holds=all(6 <= median <= 8 for median in medians),
        conclusion=(
            "median depth of the whole engine: "
            + ", ".join(f"{row[0]} {m:g}" for row, m in zip(rows, medians, strict=True))
        ),
        notes=(
            "depths are means over positions after random openings; a depth counts if it is "
            "finished within the nodes, those of all shallower depths included",
            "alpha-beta alone: moves in the order of generation, straight to the depth; no "
            "quiescence search in either",
        ),
    )


def reached(start: Position, engine: AlphaBeta, budget: int) -> int:
    """The greatest depth that the engine finishes with at most `budget` nodes."""
    depth = DEPTH - 1
    while depth < 40:
        found = engine.search(start, depth=depth + 1, nodes=budget + 1)
        if (found.nodes or 0) > budget or found.stopped_by == "nodes":
            return depth
        depth += 1
        if found.stopped_by == "solved":
            return depth
    return depth
