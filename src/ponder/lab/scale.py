"""Which changes of the evaluation's scale change decisions: none in minimax, many with chance."""

from __future__ import annotations

from typing import Any

from ponder.core.position import Position
from ponder.lab.report import Report, Tell
from ponder.lab.trees import SCALES, RandomTree
from ponder.search.expectiminimax import Expectiminimax
from ponder.search.minimax import Minimax

KINDS = (("minimax", "+-+-", Minimax()), ("expectiminimax", "+?-?", Expectiminimax(table=False)))
COLUMNS = ("search", "plies", "scale", "decisions changed", "trees", "share", "published")
SHOWN = {
    "affine": "0.5 v + 0.25",
    "cubed": "v^3",
    "exponential": "a exp(2 v) + c",
}


def decision(turns: str, engine: Any, seed: int, scale: str) -> int:
    tree = RandomTree(branching=4, turns=turns, seed=seed, scale=scale)
    return int(engine.search(Position(tree), depth=len(turns)).action)


def run(quick: bool, seed: int, tell: Tell) -> Report:
    trees = 40 if quick else 500
    rows: list[tuple[Any, ...]] = []
    changed = {}
    for name, turns, engine in KINDS:
        tell(f"{name}: {trees} trees in {len(SCALES)} scales")
        counts = dict.fromkeys(SCALES[1:], 0)
        for k in range(trees):
            plain = decision(turns, engine, seed * 100_000 + k, "plain")
            for scale in counts:
                counts[scale] += decision(turns, engine, seed * 100_000 + k, scale) != plain
        for scale, count in counts.items():
            changed[name, scale] = count
            free = name == "minimax" or scale == "affine"
            published = "never" if free else "may change"
            rows.append((name, turns, SHOWN[scale], count, trees, count / trees, published))
    never = changed["expectiminimax", "affine"] + sum(
        count for (name, _), count in changed.items() if name == "minimax"
    )
    bent = {s: changed["expectiminimax", s] for s in ("cubed", "exponential")}
    return Report(
        claim="minimax decisions survive every monotone change of the values, expectiminimax "
        "decisions only positive affine ones",
        source="the lecture, What Values to Use?",
        columns=COLUMNS,
        rows=tuple(rows),
        holds=never == 0 and min(bent.values()) > 0,
        conclusion=(
            f"{never} decisions changed where none should; a curved scale changed "
            f"{bent['cubed'] / trees:.0%} (cubed) and {bent['exponential'] / trees:.0%} "
            "(exponential) of the decisions with chance"
        ),
        notes=("trees with 4 branches a node; + MAX, - MIN, ? chance with equal probabilities",),
    )
