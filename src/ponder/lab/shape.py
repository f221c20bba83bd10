"""Branching and depth: how Monte Carlo tree search and alpha-beta take wider and deeper trees.

Trees of equal value: every tree has one root move that wins and others that do not, P-games whose
root moves differ. Width: 2 to 16 moves with about the same number of leaves. Depth: the same
branching, more and more plies. The simulations are the same throughout.
"""

from __future__ import annotations

from typing import Any

from ponder.core.position import Position
from ponder.lab.pgame import KnownTree, telling_trees
from ponder.lab.plan import Above, Between, Clause, Figure, Plan, Size
from ponder.lab.running import Lab
from ponder.lab.samples import Average, Gap, Share
from ponder.mcts.engine import MCTS
from ponder.mcts.select.ucb import UCB1
from ponder.search.alphabeta import AlphaBeta

WIDE = ((2, 16), (4, 8), (16, 4))
"""Branching and depth: 65,536 leaves each."""
DEEP = ((2, 4), (2, 8), (2, 12), (2, 16), (2, 20))
"""The second and the last are compared."""
FAILS = "share of searches that fail"
BY_CHANCE = "failures as a share of those of a random move"
MCTS_NAME, AB = "mcts", "alpha-beta, as many nodes"

PLAN = Plan(
    claim="Monte Carlo tree search is unaffected by the branching factor, and cannot handle "
    "extreme depth: it needs far more simulations where the decision lies deep",
    source="Long, Search (III) (Tsinghua): Monte Carlo tree search: strengths and weaknesses",
    clauses=(
        Clause(
            "branching",
            "branching does not matter, the number of leaves being equal",
            f"{BY_CHANCE}, b = 16 less b = 2",
            Between(-0.1, 0.1),
        ),
        Clause(
            "depth",
            "depth does: the same simulations fail more often in deeper trees",
            f"{FAILS}, 20 plies less 8 plies",
            Above(0.05),
        ),
    ),
    sizes={
        "trees": Size(40, 4_000, 8_000, "of each shape"),
        "simulations": Size(300, 300, 300, "of each search"),
    },
    notes=(
        "mcts(select=ucb1(c=1.0)); P-games whose root moves differ in value; a search fails if it "
        "recommends a move that is not one of the best",
        "as a share of a random move's failures: wider trees have more bad moves to choose from",
        "alpha-beta beside it, with as many nodes as there are simulations, which is no fair "
        "match: it shows where so many nodes end",
    ),
    figures=(Figure(FAILS, "plies", of="b = 2"),),
)


def failed(engine: Any, trees: list[KnownTree], limit: dict[str, int], seed: int) -> list[bool]:
    found = []
    for i, tree in enumerate(trees):
        given = limit | ({"seed": seed * 1_000 + i} if isinstance(engine, MCTS) else {})
        action = engine.search(Position(tree.game), **given).action
        found.append(tree.moves[action] < max(tree.moves))
    return found


def blind(trees: list[KnownTree]) -> list[float]:
    """How often a random move fails in each tree."""
    return [sum(m < max(t.moves) for m in t.moves) / len(t.moves) for t in trees]


def run(lab: Lab) -> None:
    n = lab["simulations"]
    seen: dict[tuple[int, int], Any] = {}
    for b, d in dict.fromkeys((*WIDE, *DEEP)):
        trees = telling_trees(b, d, lab["trees"], lab.seed)
        for name, engine, limit in (
            (MCTS_NAME, MCTS(select=UCB1(c=1.0)), {"simulations": n}),
            (AB, AlphaBeta(quiescence=False, memory=1.0), {"nodes": n}),
        ):
            found = lab.step(f"b = {b}, {d} plies: {name}", failed, engine, trees, limit, lab.seed)
            lab.observe(f"b = {b}: {name}", d, FAILS, Share(found))
            if name == MCTS_NAME:
                seen[b, d] = found, blind(trees)
                share = [f / c for f, c in zip(*seen[b, d], strict=True)]
                lab.observe(f"b = {b}", d, BY_CHANCE, Average(share))
    wide, narrow = (
        [f / c for f, c in zip(*seen[shape], strict=True)] for shape in (WIDE[-1], WIDE[0])
    )
    lab.observe("b = 16 less b = 2", None, BY_CHANCE, Gap(wide, narrow), "branching")
    deep, shallow = ([float(f) for f in seen[shape][0]] for shape in (DEEP[-1], DEEP[1]))
    lab.observe("20 plies less 8", None, FAILS, Gap(deep, shallow), "depth")
