"""How much Star1 and Star2 save: on random trees, and in backgammon.

    python benchmarks/speed/star_pruning.py                 random trees, and backgammon at depth 3
    python benchmarks/speed/star_pruning.py --depth 5       backgammon at depth 5 (minutes)

The random trees are those of the usual experiment: MAX, chance, MIN, chance ..., leaves uniform,
random probabilities, moves in no particular order. A row is the share of the leaves (trees) or of
the nodes (backgammon) of the full search that a search visits; values are compared as well.
"""

from __future__ import annotations

import argparse
import random
import time
from typing import Any

from ponder import Expectiminimax, Position, position
from ponder.games.tree import tree_game
from ponder.search.searcher import StarSearcher

SHAPES = ((3, 3, 3), (5, 4, 3), (4, 6, 3), (8, 6, 2))
VARIANTS = (("star1", False), ("star1", True), ("star2", False), ("star2", True))


def random_tree(rng: random.Random, moves: int, outcomes: int, rounds: int, player: int = 0) -> Any:
    """`rounds` times a decision and chance, players in turn; uniform leaves."""
    if rounds == 0:
        return rng.uniform(-1, 1)
    below = [_chance(rng, moves, outcomes, rounds, player) for _ in range(moves)]
    return {"player": player, "moves": below}


def _chance(rng: random.Random, moves: int, outcomes: int, rounds: int, player: int) -> Any:
    weights = [rng.random() for _ in range(outcomes)]
    return {
        "chance": [
            [weight / sum(weights), random_tree(rng, moves, outcomes, rounds - 1, 1 - player)]
            for weight in weights
        ]
    }


def searcher(s: Position, pruning: str, table: bool) -> StarSearcher:
    engine = Expectiminimax(pruning=pruning, table=table)
    return StarSearcher(engine, engine.method(s), s)


def trees(count: int) -> None:
    print(f"leaves / all leaves, mean of {count} random trees (moves, outcomes, rounds)")
    print(
        "shape".ljust(12)
        + "".join(f"{p} {'table' if t else 'bare'}".rjust(13) for p, t in VARIANTS)
    )
    for shape in SHAPES:
        visited = dict.fromkeys(VARIANTS, 0)
        everything = 0
        for seed in range(count):
            s = Position(tree_game(random_tree(random.Random(seed), *shape), 2))
            full = searcher(s, "none", False)
            value = full.visit(20)
            everything += full.leaves
            for variant in VARIANTS:
                search = searcher(s, *variant)
                assert abs(search.visit(20) - value) < 1e-9
                visited[variant] += search.leaves
        shares = "".join(f"{visited[v] / everything:13.3f}" for v in VARIANTS)
        print(str(shape).ljust(12) + shares)


def backgammon(depth: int, count: int) -> None:
    rng = random.Random(1)
    starts: list[Position] = []
    while len(starts) < count:
        here = position("backgammon")
        for _ in range(rng.randrange(40)):
            if not here.is_terminal:
                here = here.play(rng.choice(here.legal_actions))
        if not (here.is_terminal or here.is_chance):
            starts.append(here)
    print(f"\nbackgammon, {count} positions of random games, depth {depth} by deepening from 1")
    print("search".ljust(14) + "nodes".rjust(14) + "share".rjust(9) + "seconds".rjust(9))
    everything, values = 0, []
    for pruning, table in (("none", False), *VARIANTS):
        nodes, seconds, found = 0, 0.0, []
        for here in starts:
            search = searcher(here, pruning, table)
            search.visit(1)  # compiles
            began = time.perf_counter()
            for d in range(1, depth + 1):
                found.append(search.visit(d))
            seconds += time.perf_counter() - began
            nodes += search.nodes
        everything, values = everything or nodes, values or found
        assert all(abs(a - b) < 1e-9 for a, b in zip(found, values, strict=True))
        name = f"{pruning} {'table' if table else 'bare'}"
        print(f"{name:14}{nodes:14,}{nodes / everything:9.3f}{seconds:9.2f}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    parser.add_argument("--depth", type=int, default=3, help="of backgammon")
    parser.add_argument("--positions", type=int, default=20, help="of backgammon")
    parser.add_argument("--trees", type=int, default=20, help="of each shape")
    given = parser.parse_args()
    trees(given.trees)
    backgammon(given.depth, given.positions)


if __name__ == "__main__":
    main()
