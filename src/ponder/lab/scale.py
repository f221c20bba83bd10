"""Which changes of the evaluation's scale change decisions: none in minimax, many with chance."""

from __future__ import annotations

from typing import Any

from ponder.core.position import Position
from ponder.lab.plan import Above, Between, Clause, Plan, Size
from ponder.lab.running import Lab
from ponder.lab.samples import Exact, Share
from ponder.lab.trees import SCALES, RandomTree
from ponder.search.expectiminimax import Expectiminimax
from ponder.search.minimax import Minimax

KINDS = (("minimax", "+-+-", Minimax()), ("expectiminimax", "+?-?", Expectiminimax(table=False)))
SHOWN = {"affine": "0.5 v + 0.25", "cubed": "v^3", "exponential": "a exp(2 v) + c"}
COUNT, SHARE = "decisions changed", "share of decisions changed"

PLAN = Plan(
    claim="minimax decisions survive every monotone change of the values, expectiminimax decisions "
    "only positive affine ones",
    source="Long, Search (III) (Tsinghua): What Values to Use?",
    clauses=(
        Clause("minimax", "no monotone change moves a minimax decision", COUNT, Between(0, 0)),
        Clause("affine", "no affine change moves a decision with chance", COUNT, Between(0, 0)),
        Clause("curved", "curved scales move decisions with chance", SHARE, Above(0.01)),
    ),
    sizes={"trees": Size(40, 500, 500, "random trees")},
    notes=("trees with 4 branches a node; + MAX, - MIN, ? chance with equal probabilities",),
)


def decision(turns: str, engine: Any, seed: int, scale: str) -> int:
    tree = RandomTree(branching=4, turns=turns, seed=seed, scale=scale)
    return int(engine.search(Position(tree), depth=len(turns)).action)


def decisions(lab: Lab, turns: str, engine: Any) -> dict[str, list[int]]:
    seeds = range(lab.seed * 100_000, lab.seed * 100_000 + lab["trees"])
    return {scale: [decision(turns, engine, k, scale) for k in seeds] for scale in SCALES}


def run(lab: Lab) -> None:
    for name, turns, engine in KINDS:
        found = lab.step(f"{name}: {lab['trees']} trees", decisions, lab, turns, engine)
        for scale, shown in SHOWN.items():
            moved = [a != b for a, b in zip(found[scale], found["plain"], strict=True)]
            series = f"{name} {turns}: {shown}"
            if name == "minimax" or scale == "affine":
                clause = "minimax" if name == "minimax" else "affine"
                lab.observe(series, None, COUNT, Exact(sum(moved), len(moved)), clause)
            else:
                lab.observe(series, None, SHARE, Share(moved), "curved")
