"""How deep alpha-beta gets with as many nodes as minimax needs for depth 4."""

from __future__ import annotations

import statistics
from typing import Any

from ponder.core.position import Position
from ponder.lab.matches import openings
from ponder.lab.old_report import Report, Tell
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
    "its last depth",
    "fewest",
    "most",
    "published",
)


def run(quick: bool, seed: int, tell: Tell) -> Report:
    count = 6 if quick else 20
    rows: list[tuple[Any, ...]] = []
    medians: dict[str, float] = {}
    for game, plies in GAMES[:2] if quick else GAMES:
        starts = openings(game, plies, count, seed)
        tell(f"{game}: {len(starts)} positions")
        nodes, bare, whole, last = [], [], [], []
        for start in starts:
            budget = Minimax().search(start, depth=DEPTH).nodes or 0
            alone, found = reached(start, BARE, budget), reached(start, WHOLE, budget)
            if alone is None or found is None:
                continue
            nodes.append(budget)
            bare.append(alone[1])
            whole.append(found[0])
            last.append(found[1])
        medians[game] = statistics.median(last)
        rows.append(
            (
                game,
                len(nodes),
                round(statistics.mean(nodes)),
                statistics.mean(bare),
                statistics.mean(whole),
                statistics.mean(last),
                min(last),
                max(last),
                "6 to 8",
            )
        )
    for branching in (7, 35):
        full = sum(branching**ply for ply in range(DEPTH + 1))
        depth = perfect(branching, full)
        name = f"random tree, b = {branching}, best order"
        rows.append((name, None, full, None, None, depth, depth, depth, "6 to 8"))
    return Report(
        claim="with the effort of a full tree to depth 4, alpha-beta with good move ordering "
        "reaches depth 6 to 8",
        source="Helmert, Foundations of AI (Basel), G7, Comparison of Game Algorithms",
        columns=COLUMNS,
        rows=tuple(rows),
        holds=all(6 <= median <= 8 for median in medians.values()),
        conclusion=(
            "median of the deepest search that costs no more than minimax to depth 4: "
            + ", ".join(f"{game} {median:g}" for game, median in medians.items())
            + f"; the best order without a table: {rows[-1][5]}"
        ),
        notes=(
            "depths are means over positions after random openings, without those that are "
            "solved within the nodes; no quiescence search",
            "alpha-beta alone: moves as generated, straight to the depth; whole engine: all depths "
            "up to that one fit; its last depth: that depth fits, once the shallower ones have "
            "given the order",
            "best order: the minimal tree, b^ceil(i/2) + b^floor(i/2) - 1 nodes at each ply i",
        ),
    )


def reached(start: Position, engine: AlphaBeta, budget: int) -> tuple[int, int] | None:
    """The greatest depths with at most `budget` nodes: of all depths together, of the last one.

    An engine that does not deepen has only one depth to pay for. None where the game is solved
    within the nodes: there depth says nothing.
    """
    together = last = DEPTH - 1
    before = 0
    while last < 40:
        depth = last + 1
        found = engine.search(start, depth=depth, nodes=before + budget + 1)
        nodes = found.nodes or 0
        if found.stopped_by == "nodes" or nodes - before > budget:
            break
        if found.stopped_by == "solved":
            return None
        last = depth
        if nodes <= budget:
            together = depth
        if engine.deepen:
            before = nodes
    return together, last


def perfect(branching: int, budget: int) -> int:
    """The depth of the greatest minimal tree (Knuth & Moore 1975) with at most `budget` nodes."""
    depth, nodes = 0, 1
    while nodes <= budget:
        depth += 1
        nodes += int(branching ** -(-depth // 2) + branching ** (depth // 2) - 1)
    return depth - 1
