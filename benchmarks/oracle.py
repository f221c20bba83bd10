"""Every select rule with every backup rule: do they find the minimax move of random trees?

    python benchmarks/oracle.py [TREES] [SIMULATIONS]

Trees of depth 4 with two or three moves each, whose best root move is better than the others by 0.2
or more; the truth by the uncompiled reference search. One cell: trees whose best move was found,
of TREES. Rules that should not converge (by the Basel lecture, and progressive pruning) are shown
as well.
"""

from __future__ import annotations

import random
import sys

from ponder import Position, engine
from ponder.games.tree import tree_game
from ponder.search.reference import minimax

SELECT = {
    "ucb1": "ucb1(c=1.4)",
    "ucb1_tuned": "ucb1_tuned()",
    "ucb1_spread": "ucb1_spread()",
    "ucb_v": "ucb_v(c=0.1)",
    "moss": "moss()",
    "kl_ucb": "kl_ucb()",
    "uct_decaying": "uct_decaying()",
    "epsilon, decaying": "epsilon_greedy(epsilon=1.0, decay=0.5)",
    "boltzmann, decaying": "boltzmann(temperature=1.0, decay=True)",
    "thompson": "thompson()",
    "sequential_halving": "sequential_halving()",
    "puct": "puct()",
    "epsilon, constant *": "epsilon_greedy(epsilon=0.2)",
    "boltzmann, constant *": "boltzmann(temperature=0.2)",
    "ucb_sampled *": "ucb_sampled()",
    "progressive_pruning *": "progressive_pruning()",
}
BACKUP = ("mean()", "max()", "robust_max()", "mix()", "minimax()", "power_mean(p=8.0)", "solver()")


def random_tree(rng: random.Random) -> tuple[Position, object]:
    """A tree whose root has one clearly best move, and that move."""

    def node(depth: int) -> object:
        if depth == 0:
            return round(rng.uniform(-1, 1), 2)
        return [node(depth - 1) for _ in range(rng.randint(2, 3))]

    while True:
        start = Position(tree_game(node(4)))
        values = {a: minimax(start.play(a), player=0).value for a in start.legal_actions}
        ranked = sorted(values.values())
        if ranked[-1] - ranked[-2] >= 0.2:
            return start, max(values, key=lambda a: values[a])


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    simulations = int(sys.argv[2]) if len(sys.argv) > 2 else 5000
    rng = random.Random(17)
    trees = [random_tree(rng) for _ in range(count)]
    print(f"best moves found of {count} trees, {simulations:,} simulations (* need not converge)")
    print(f"{'':22}" + "".join(f"{b.partition('(')[0]:>12}" for b in BACKUP))
    for name, select in SELECT.items():
        cells = []
        for backup in BACKUP:
            extra = ", expand=all_children()" if select == "puct()" else ""
            searcher = engine(f"mcts(select={select}, backup={backup}{extra})")
            found = sum(
                searcher.search(start, simulations=simulations, seed=1).action == best
                for start, best in trees
            )
            cells.append(f"{found:12}")
        print(f"{name:22}" + "".join(cells), flush=True)


if __name__ == "__main__":
    main()
