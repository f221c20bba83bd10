"""Every select rule with every backup rule: do they find the minimax move?

    python benchmarks/agreement/oracle.py [--every] [--seed N] [--select RULE ...]

On tic-tac-toe, one position of each class in which it matters what is played, by 8,000 simulations,
and on 200 random trees by 5,000 (`oracle_cases`). Two tables in Markdown: pairs that should find
every best move in the limit, and pairs that need not. One cell: how many best moves were not found,
in tic-tac-toe + in the trees; 0 if all were. What was not found is searched again with ten times
the simulations, and what is still not found stands after the slash.

Which pairs should (the Basel lecture on asymptotically optimal tree search):

    the select rule explores for ever and is greedy    with every backup rule
    in the limit
    it explores for ever, but a share of the visits    with backup rules that take one child's
    goes to bad moves for ever                         value, not with averages over the visits
    it gives moves up                                  with none

Classes: turning and mirroring the board leaves 627 of the 4,520 positions that are not the end. The
others have the same trees with other numbers on the moves, and no rule looks at those: children are
tried in random order, and ties go to the child tried first. So what is found there differs by
chance alone, as with another seed. --every searches them all.
"""

from __future__ import annotations

import argparse
import time
from typing import NamedTuple

from oracle_cases import Case, random_trees, tictactoe

from ponder import engine

TREES = 200
SIMULATIONS = (8_000, 5_000)
"""For a position of tic-tac-toe and for a tree."""
MORE = 10
"""Times the simulations, where a best move was not found."""

BACKUP = {
    "mean": "mean()",
    "max": "max(points={points})",
    "robust_max": "robust_max(points={points})",
    "mix": "mix(points=9)",
    "minimax": "minimax(points={points})",
    "power_mean": "power_mean(p=2.0)",
    "solver": "solver()",
}
CELLS = 9
"""Coulom's number of points, the cells of the board, where that is enough ..."""
MANY = 36
"""... and four times as many where it is not."""
BEST_CHILD = frozenset({"max", "minimax", "solver"})
"""Backup rules to which visits do not matter, as long as there are more and more of them."""
ONE_CHILD = BEST_CHILD | {"robust_max"}
"""And the one to which it matters only that the best child gets the most."""


class Rule(NamedTuple):
    """A select rule with its parameters, and the parts it wants beside it."""

    text: str
    fits: frozenset[str] = frozenset(BACKUP)
    """The backup rules with which it should converge."""
    beside: str = ""
    points: int = MANY


SELECT = {
    # How the parameters were chosen: docs/mcts/convergence.md
    "ucb1": Rule("ucb1(c=2.83)", points=CELLS),
    "ucb1_tuned": Rule("ucb1_tuned(c=1.0)"),
    "ucb1_spread": Rule("ucb1_spread(c=2.0)", points=CELLS),
    "ucb_v": Rule("ucb_v(c=0.3)"),
    "moss": Rule("moss(c=2.0)"),
    "kl_ucb": Rule("kl_ucb(c=0.0)", points=CELLS),
    "uct_decaying": Rule("uct_decaying()"),
    "thompson": Rule("thompson()"),
    "epsilon, decaying": Rule("epsilon_greedy(epsilon=1.0, decay=0.4)"),
    "boltzmann, decaying": Rule("boltzmann(temperature=1.0, decay=True)", points=CELLS),
    "sequential_halving": Rule("sequential_halving(select=ucb1(c=2.83))", points=CELLS),
    "puct": Rule("puct(c_init=1.25)", beside="expand=all_children()"),
    "progressive_bias": Rule("progressive_bias(c=2.83)"),
    "progressive widening": Rule(
        "ucb1(c=2.83)", beside="expand=progressive(first=1, a=4, b=1.5)", points=CELLS
    ),
    "implicit_minimax": Rule("implicit_minimax(c=2.83)", points=CELLS),
    "rave, c > 0": Rule("rave(c=2.83)", points=CELLS),
    "epsilon, constant": Rule("epsilon_greedy(epsilon=0.5)", ONE_CHILD),
    "boltzmann, constant": Rule("boltzmann(temperature=0.5)", ONE_CHILD),
    "ucb_sampled": Rule("ucb_sampled()", ONE_CHILD, points=CELLS),
    "urgency": Rule("urgency(points=9)", ONE_CHILD),
    "equal": Rule("equal()", BEST_CHILD, "decide=highest_value()"),
    "rave, c = 0": Rule("rave(c=0.0)", frozenset()),
    "grave": Rule("grave()", frozenset()),
    "progressive_pruning": Rule("progressive_pruning()", frozenset()),
}

Kinds = tuple[list[Case], list[Case]]


def missed(text: str, cases: list[Case], simulations: int, seed: int) -> list[Case]:
    searcher = engine(text)
    return [
        (start, best)
        for start, best in cases
        if searcher.search(start, simulations=simulations, seed=seed).action not in best
    ]


def cell(rule: Rule, backup: str, kinds: Kinds, seed: int) -> str:
    """How many best moves this pair does not find."""
    backup = backup.format(points=rule.points)
    text = f"mcts(select={rule.text}, backup={backup}{rule.beside and ', ' + rule.beside})"
    counts = []
    for cases, simulations in zip(kinds, SIMULATIONS, strict=True):
        left = missed(text, cases, simulations, seed)
        again = missed(text, left, MORE * simulations, seed)
        counts.append(f"{len(left)}/{len(again)}" if left else "0")
    return "0" if counts == ["0", "0"] else " + ".join(counts)


def table(should: bool, kinds: Kinds, seed: int, select: list[str]) -> None:
    """The pairs that should converge, or those that need not, a row as soon as it is known."""
    print(f"\n| select | {' | '.join(BACKUP)} |")
    print("|---|" + "---:|" * len(BACKUP))
    for name in select:
        rule = SELECT[name]
        wanted = [b for b in BACKUP if (b in rule.fits) == should]
        if wanted:
            found = {b: cell(rule, BACKUP[b], kinds, seed) for b in wanted}
            print(f"| {name} | {' | '.join(found.get(b, '') for b in BACKUP)} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description="select rules x backup rules against the truth")
    parser.add_argument("--every", action="store_true", help="every position of tic-tac-toe")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--select", nargs="+", choices=SELECT, default=list(SELECT), metavar="RULE")
    options = parser.parse_args()
    begun = time.perf_counter()
    kinds = tictactoe(options.every), random_trees(TREES)
    print(f"not found of {len(kinds[0]):,} + {len(kinds[1])}, seed {options.seed}")
    print("\nPairs that should converge")
    table(True, kinds, options.seed, options.select)
    print("\nPairs that need not")
    table(False, kinds, options.seed, options.select)
    print(f"\n{time.perf_counter() - begun:,.0f} seconds")


if __name__ == "__main__":
    main()
