"""Chess with and without quiescence search: how often a shallow search is misled."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from ponder.core.position import Position
from ponder.core.start import position
from ponder.games.chess.evaluation import SCALE
from ponder.lab.matches import openings
from ponder.lab.plan import Above, Clause, Figure, Plan, Size
from ponder.lab.running import Lab
from ponder.lab.samples import Average, Exact
from ponder.search.alphabeta import AlphaBeta

BAITS = (
    "4k3/8/2p5/3p4/8/8/8/3QK3 w - - 0 1",
    "4k3/1p6/p7/8/8/3B4/8/4K3 w - - 0 1",
    "3rk3/3p4/8/8/8/8/3R4/4K3 w - - 0 1",
    "4k3/5p2/4p3/3n4/8/2N2Q2/8/4K3 w - - 0 1",
    "4k3/8/8/1q6/8/3P4/2P5/4K3 b - - 0 1",
    "4k3/8/3p4/2p1p3/8/3N4/8/4K3 w - - 0 1",
    "r3k3/p7/8/8/8/8/Q7/4K3 w - - 0 1",
    "4k3/1b6/8/3p4/8/8/3R4/4K3 w - - 0 1",
)
"""A guarded man is offered: whoever takes it and counts at once seems to have won it."""
BLUNDER = 2.0
"""Pawns."""
MOST = 10.0
"""Pawns that a bad move costs at most: a mate is not worth a thousand of them."""
LOSS, SHARE = "loss, pawns", "share of blunders"
DEPTHS = (1, 2, 3)

PLAN = Plan(
    claim="a search cut off in a position that is not quiescent is misled: it counts the men just "
    "before a capture",
    source="Long, Search (III) (Tsinghua): Quiescence Search",
    clauses=(
        Clause(
            "blunders",
            "without quiescence search it blunders more",
            f"{SHARE} (of {BLUNDER:g} pawns and more), without less with, position by position",
            Above(0.0),
        ),
        Clause(
            "loss",
            "without it the moves lose more",
            f"{LOSS}, without less with, position by position",
            Above(0.0),
        ),
        Clause(
            "baits",
            "it takes guarded men",
            f"blunders in {len(BAITS)} positions made for it, without less with",
            Above(0),
        ),
    ),
    sizes={
        "positions": Size(12, 100, 300, "after 16 random moves"),
        "judge": Size(4, 6, 6, "depth of the judge", least=2),
    },
    notes=(
        "judge: a search with quiescence; as the judge: how often the move is the judge's; loss: "
        "what it thinks worse of the move chosen, at most 20 pawns",
        "blunt judge: the same depth without quiescence, in case the judge is thought partial",
        "all depths of a position are one observation",
    ),
    figures=(Figure(SHARE, "depth", of="random play"), Figure(LOSS, "depth", of="random play")),
)


class Choice(NamedTuple):
    """What a shallow search chose in a position, and how good a deep one finds it."""

    nodes: int
    same: bool
    blunt: bool
    loss: float


def pawns(value: float) -> float:
    """An expected utility in pawns."""
    most = math.tanh(100 * MOST * SCALE)
    return math.atanh(max(-most, min(most, value))) / (100 * SCALE)


def judged(here: Position, engine: AlphaBeta, judge: AlphaBeta, best: Any, blunt: Any) -> Choice:
    """The engine's move against the judges'; its loss is what the judge then finds, a ply on."""
    found = engine.search(here)
    as_blunt = found.action == blunt.action
    if found.action == best.action:
        return Choice(found.nodes or 0, True, as_blunt, 0.0)
    after = here.play(found.best_move)
    mover = here.current_player
    if after.is_terminal:
        value = after.returns[mover]
    else:
        value = judge.search(after, depth=(judge.depth or 1) - 1).values[mover]
    return Choice(found.nodes or 0, False, as_blunt, max(0.0, pawns(best.value) - pawns(value)))


def choices(
    starts: list[Position], engine: AlphaBeta, judge: AlphaBeta, best: Any, blunt: Any
) -> list[Choice]:
    return [
        judged(start, engine, judge, *found)
        for start, *found in zip(starts, best, blunt, strict=True)
    ]


def chosen(starts: list[Position], deep: int) -> dict[str, list[Choice]]:
    """The choices of every shallow engine, by its depth and whether it looks for quiet."""
    judge = AlphaBeta(depth=deep, memory=32.0)
    best = [judge.search(start) for start in starts]
    blunt = [judge._replace(quiescence=False).search(start) for start in starts]
    engines = {
        f"{depth} {calm}": AlphaBeta(depth=depth, memory=1.0, quiescence=calm)
        for depth in DEPTHS
        for calm in (False, True)
    }
    return {name: choices(starts, e, judge, best, blunt) for name, e in engines.items()}


def run(lab: Lab) -> None:
    sets = {
        "baits": [position("chess", text) for text in BAITS],
        "random play": openings("chess", 16, lab["positions"], lab.seed),
    }
    for name, starts in sets.items():
        seen = lab.step(f"{name}: {len(starts)} positions", chosen, starts, lab["judge"])
        found = {key: [Choice(*c) for c in rows] for key, rows in seen.items()}
        fixed = name == "baits"
        for depth in DEPTHS:
            for calm in (False, True):
                rows = found[f"{depth} {calm}"]
                series = f"{name}: {'with' if calm else 'without'} quiescence"
                bad = [c.loss >= BLUNDER for c in rows]
                for unit, values, most in (
                    (SHARE, bad, 1.0),
                    (LOSS, [c.loss for c in rows], 20.0),
                    ("as the judge", [c.same for c in rows], 1.0),
                    ("as the blunt judge", [c.blunt for c in rows], 1.0),
                    ("nodes", [c.nodes for c in rows], None),
                ):
                    mean = sum(values) / len(values)
                    average = Average(values, bounds=None if most is None else (0.0, most))
                    lab.observe(series, depth, unit, Exact(mean, len(rows)) if fixed else average)
        gaps: dict[str, list[float]] = {SHARE: [], LOSS: []}
        clusters: list[int] = []
        for depth in DEPTHS:
            two = zip(found[f"{depth} False"], found[f"{depth} True"], strict=True)
            for i, (without, quiet) in enumerate(two):
                worse = float(without.loss >= BLUNDER) - float(quiet.loss >= BLUNDER)
                gaps[SHARE].append(worse)
                gaps[LOSS].append(without.loss - quiet.loss)
                clusters.append(i)
        if fixed:
            lab.observe(name, None, "blunders, without less with", Exact(sum(gaps[SHARE])), "baits")
            continue
        for unit, clause in ((SHARE, "blunders"), (LOSS, "loss")):
            apart = Average(gaps[unit], clusters)
            lab.observe(name, None, f"{unit}, without less with", apart, clause)
