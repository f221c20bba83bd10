"""Every select rule with every backup rule: do they find the minimax move?

    python benchmarks/oracle.py trees [TREES] [SIMULATIONS]
    python benchmarks/oracle.py tictactoe [SIMULATIONS] [all]

trees: random trees of depth 4 with two or three moves each, whose best root move is better than the
others by 0.2 or more; the truth by the uncompiled reference search.

tictactoe: every position that can be reached and is not the end (4,520), less those where all moves
are equally good; the truth by visiting each state. Of positions that turning and mirroring the
board make of one another one is searched, with ``all`` every one. The others have the same tree but
for the numbers of the moves, and no rule looks at those: children are tried in random order, ties
are broken by that order. So what is found there differs by chance alone, as with another seed.

One cell: how many best moves were not found. Those are searched again with ten times as many
simulations, and what is still not found stands after the slash. Rules marked * need not converge
(by the Basel lecture, and progressive pruning).
"""

from __future__ import annotations

import random
import sys
from typing import Any

from ponder import Position, engine, position
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
MORE = 10
"""Times the simulations, where a best move was not found."""

Case = tuple[Position, set[Any]]
"""A position, and its best moves."""

SYMMETRIES = [
    [3 * (2 - row if up else row) + (2 - column if left else column) for row, column in cells]
    for cells in (
        [(cell // 3, cell % 3) for cell in range(9)],
        [(cell % 3, cell // 3) for cell in range(9)],
    )
    for up in (False, True)
    for left in (False, True)
]
"""The eight ways to lay the board on itself."""


def random_tree(rng: random.Random) -> Case:
    """A tree whose root has one clearly best move."""

    def node(depth: int) -> object:
        if depth == 0:
            return round(rng.uniform(-1, 1), 2)
        return [node(depth - 1) for _ in range(rng.randint(2, 3))]

    while True:
        start = Position(tree_game(node(4)))
        values = {a: minimax(start.play(a), player=0).value for a in start.legal_actions}
        ranked = sorted(values.values())
        if ranked[-1] - ranked[-2] >= 0.2:
            return start, {max(values, key=lambda a: values[a])}


def board(s: Position) -> tuple[int, ...]:
    """Who has each square; -1 where nobody has."""
    cells = [-1] * 9
    for ply, action in enumerate(s.history):
        cells[action] = ply % 2
    return tuple(cells)


def tictactoe_positions(every_one: bool) -> list[Case]:
    """The positions in which it matters what is played."""
    values: dict[tuple[int, ...], float] = {}
    cases: dict[tuple[int, ...], Case] = {}

    def value(s: Position) -> float:
        here = board(s)
        if here not in values:
            if s.is_terminal:
                values[here] = s.returns[0]
            else:
                below = {a: value(s.play(a)) for a in s.legal_actions}
                values[here] = (max if s.current_player == 0 else min)(below.values())
                key = here if every_one else min(tuple(here[i] for i in way) for way in SYMMETRIES)
                cases.setdefault(key, (s, {a for a in below if below[a] == values[here]}))
        return values[here]

    value(position("tictactoe"))
    print(f"{len(values):,} positions, {len(cases):,} of them not the end", end="")
    print("" if every_one else " and not alike", end="")
    told = [case for case in cases.values() if len(case[1]) < len(case[0].legal_actions)]
    print(f", {len(told):,} where it matters what is played")
    return told


def missed(searcher: Any, cases: list[Case], simulations: int) -> list[Case]:
    return [
        (start, best)
        for start, best in cases
        if searcher.search(start, simulations=simulations, seed=1).action not in best
    ]


def table(cases: list[Case], simulations: int) -> None:
    print(f"best moves not found of {len(cases)} by {simulations:,} simulations", end="")
    print(f" / nor by {MORE * simulations:,} (* need not converge)")
    print(f"{'':22}" + "".join(f"{b.partition('(')[0]:>12}" for b in BACKUP))
    for name, select in SELECT.items():
        print(f"{name:22}", end="", flush=True)
        for backup in BACKUP:
            extra = ", expand=all_children()" if select == "puct()" else ""
            searcher = engine(f"mcts(select={select}, backup={backup}{extra})")
            few = missed(searcher, cases, simulations)
            cell = f"{len(few)}/{len(missed(searcher, few, MORE * simulations))}" if few else "0"
            print(f"{cell:>12}", end="", flush=True)
        print(flush=True)


def main() -> None:
    kind, *rest = sys.argv[1:] or ["trees"]
    if kind == "trees":
        count, simulations, *_ = [*map(int, rest), *(200, 5000)[len(rest) :]]
        rng = random.Random(17)
        table([random_tree(rng) for _ in range(count)], simulations)
    elif kind == "tictactoe":
        numbers = [int(word) for word in rest if word != "all"]
        table(tictactoe_positions("all" in rest), numbers[0] if numbers else 8000)
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
