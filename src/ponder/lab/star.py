"""How much Star1 and Star2 save: expectiminimax on random trees, and why it is not more.

The trees of the usual experiment: MAX, chance, MIN, chance ..., uniform leaves, random
probabilities. A search is measured by the leaves it visits, as a share of all.
"""

from __future__ import annotations

import random
from typing import Any

from ponder.core.position import Position
from ponder.games.tree import tree_game
from ponder.lab.plan import Above, Between, Clause, Plan, Size
from ponder.lab.running import Lab
from ponder.lab.samples import Exact, Jackknife
from ponder.search.expectiminimax import Expectiminimax
from ponder.search.searcher import StarSearcher

SHAPES = ((3, 3, 3), (5, 4, 3), (4, 6, 3), (8, 6, 2))
"""Moves, outcomes, rounds of a decision and chance."""
SEARCHES = {"star1": ("star1", False), "star2": ("star2", False), "star2, table": ("star2", True)}
ORDERS = ("random", "best")
SAVED = "share of the leaves saved"

PLAN = Plan(
    claim="Star1 saves a quarter to a third of the leaves of random trees, Star2 more than half; "
    "values stay the same",
    source="Ballard 1983; Hauk, Buro & Schaeffer 2004",
    clauses=(
        Clause("same", "pruning does not change the value", "values that differ", Between(0, 0)),
        Clause("star1", "Star1 saves a fifth or more", f"{SAVED}, moves in no order", Above(0.2)),
        Clause(
            "half",
            "Star2 saves more than half",
            f"{SAVED}, with a table, moves in no order",
            Above(0.5),
        ),
        Clause(
            "order",
            "the order of moves is why not: with the best move first Star2 does save half",
            f"{SAVED}, best move first",
            Above(0.5),
        ),
        Clause(
            "gain",
            "sorting helps Star2 more than Star1",
            f"{SAVED}: what the best order adds for Star2 (with a table) less for Star1",
            Above(0.0),
        ),
    ),
    sizes={"trees": Size(10, 60, 60, "of each shape")},
    notes=(
        "shape: moves, outcomes, rounds; best: the moves of every decision sorted by exact value, "
        "so that Star2's probe, which looks at one move below each outcome, looks at the best",
    ),
)


def random_tree(rng: random.Random, moves: int, outcomes: int, rounds: int, player: int = 0) -> Any:
    """`rounds` times a decision and chance, players in turn; uniform leaves."""
    if rounds == 0:
        return rng.uniform(-1, 1)

    def chance() -> Any:
        weights = [rng.random() for _ in range(outcomes)]
        below = [random_tree(rng, moves, outcomes, rounds - 1, 1 - player) for _ in weights]
        return {"chance": [[w / sum(weights), b] for w, b in zip(weights, below, strict=True)]}

    return {"player": player, "moves": [chance() for _ in range(moves)]}


def sorted_tree(tree: Any) -> tuple[float, Any]:
    """The value for MAX, and the tree with the best moves of everybody first."""
    if not isinstance(tree, dict):
        return tree, tree
    if "chance" in tree:
        below = [(p, *sorted_tree(node)) for p, node in tree["chance"]]
        return sum(p * v for p, v, _ in below), {"chance": [[p, node] for p, _, node in below]}
    sign = 1 if tree["player"] == 0 else -1  # MIN wants the least for MAX
    found = sorted((sorted_tree(node) for node in tree["moves"]), key=lambda f: -sign * f[0])
    return found[0][0], {"player": tree["player"], "moves": [node for _, node in found]}


def leaves(start: Position, pruning: str, table: bool) -> tuple[int, float]:
    engine = Expectiminimax(pruning=pruning, table=table)
    search = StarSearcher(engine, engine.method(start), start)
    value = search.visit(20)
    search.hand_back()
    return search.leaves, value


def counted(shape: tuple[int, int, int], order: str, trees: int, seed: int) -> list[Any]:
    """For each tree: all leaves, those of each of SEARCHES, and how many values were wrong."""
    found = []
    for k in range(trees):
        tree = random_tree(random.Random(seed * 100_003 + k), *shape)
        if order == "best":
            tree = sorted_tree(tree)[1]
        start = Position(tree_game(tree, 2))
        everything, value = leaves(start, "none", False)
        seen = [leaves(start, *how) for how in SEARCHES.values()]
        wrong = sum(abs(v - value) > 1e-9 for _, v in seen)
        found.append([everything, *(n for n, _ in seen), wrong])
    return found


def saved(place: int) -> Any:
    return lambda sums: 1.0 - sums[..., place] / sums[..., 0]


def run(lab: Lab) -> None:
    for shape in SHAPES:
        found = {}
        for order in ORDERS:
            what = f"{shape}, {order} order"
            found[order] = lab.step(what, counted, shape, order, lab["trees"], lab.seed)
            wrong = sum(row[-1] for row in found[order])
            lab.observe(what, None, "values that differ", Exact(wrong, lab["trees"]), "same")
            for place, name in enumerate(SEARCHES, 1):
                clause = {("random", 1): "star1", ("random", 3): "half", ("best", 3): "order"}
                sample = Jackknife(saved(place), found[order])
                series = f"{name}, {order} order"
                lab.observe(series, str(shape), SAVED, sample, clause.get((order, place), ""))
        # all leaves, those of Star1 and of Star2: of the best order, then of none
        both = [
            [row[i] for row in rows for i in (0, 1, 3)]
            for rows in zip(found["best"], found["random"], strict=True)
        ]

        def added(sums: Any) -> Any:
            """What the best order saves Star2, less what it saves Star1."""
            star1 = sums[..., 4] / sums[..., 3] - sums[..., 1] / sums[..., 0]
            return sums[..., 5] / sums[..., 3] - sums[..., 2] / sums[..., 0] - star1

        lab.observe(
            str(shape), None, "added by order, star2 less star1", Jackknife(added, both), "gain"
        )
