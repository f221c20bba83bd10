"""Which move to play in the end: the most visited one, or the one with the best mean?

Searches with few simulations of positions whose exact values are known: bandits with ten arms, and
P-games. All decide rules judge the same searches, so their losses are compared pair by pair; only
`max_robust`, which goes on searching while the two disagree, searches for itself.
"""

from __future__ import annotations

import math
import random
import statistics
from typing import Any, NamedTuple

from ponder.arena.rating import Z
from ponder.core.position import Position
from ponder.core.registry import part_text
from ponder.games.bandit import Bandit
from ponder.lab.old_report import Report, Tell
from ponder.lab.pgame import telling_trees
from ponder.mcts.decide import HighestValue, LowerBound, MaxRobust, MostVisits, Secure, decide
from ponder.mcts.engine import MCTS
from ponder.mcts.select.ucb import UCB1

ARMS = 10
RULES = (MostVisits(), HighestValue(), Secure(), LowerBound())
WAITING = MaxRobust(extra=0.5)
BUDGETS = (30, 100, 300, 1_000, 10_000)
LECTURE = (65, 100, 2, 3)
"""65 wins of 100 against 2 of 3."""


class Problem(NamedTuple):
    """A position and what each of its moves is worth, rescaled to [0, 1]."""

    start: Position
    worth: tuple[float, ...]

    def regret(self, action: int) -> float:
        return max(self.worth) - self.worth[action]


def bandits(count: int, seed: int) -> list[Problem]:
    """Arms whose chances are uniform in 0 .. 1."""
    draw = random.Random(f"robust {seed}")
    found = []
    for _ in range(count):
        arms = tuple(draw.random() for _ in range(ARMS))
        found.append(Problem(Position(Bandit(arms)), arms))
    return found


def minimax_trees(count: int, seed: int) -> list[Problem]:
    """P-games with 8 moves at each of 6 plies: wins 1, draws 1/2."""
    return [
        Problem(Position(tree.game), tuple((value + 1.0) / 2.0 for value in tree.moves))
        for tree in telling_trees(8, 6, count, seed)
    ]


def losses(
    select: Any, problems: list[Problem], budget: int, seed: int
) -> tuple[list[list[float]], float]:
    """The regret of each of RULES and of WAITING in every problem; simulations of WAITING."""
    engine = MCTS(select=select)
    patient = MCTS(select=select, decide=WAITING)
    found: list[list[float]] = [[] for _ in range(len(RULES) + 1)]
    spent = 0
    for number, problem in enumerate(problems):
        one = 1_000_003 * seed + number
        rows = engine.search(problem.start, simulations=budget, seed=one).moves
        for rule, lost in zip(RULES, found, strict=False):
            lost.append(problem.regret(rows[decide(rule, rows, one)].action))
        waited = patient.search(problem.start, simulations=budget, seed=one)
        found[-1].append(problem.regret(waited.action))
        spent += waited.simulations or 0
    return found, spent / len(problems)


def chance_of_better(won: int, of: int, other_won: int, other_of: int) -> float:
    """The probability that the first arm is better, when all chances are equally likely before.

    That of Beta(a, b) being above Beta(c, d), for whole numbers:
    sum over i < a of B(c + i, b + d) / ((b + i) B(1 + i, b) B(c, d)).
    """
    a, b = 1 + won, 1 + of - won
    c, d = 1 + other_won, 1 + other_of - other_won

    def log_beta(x: int, y: int) -> float:
        return math.lgamma(x) + math.lgamma(y) - math.lgamma(x + y)

    return math.fsum(
        math.exp(log_beta(c + i, b + d) - log_beta(1 + i, b) - log_beta(c, d)) / (b + i)
        for i in range(a)
    )


class RobustCase(NamedTuple):
    """Problems, and the select rules that are tried on them."""

    game: str
    problems: list[Problem]
    selects: tuple[Any, ...]


def run(quick: bool, seed: int, tell: Tell) -> Report:
    arms, trees = (100, 20) if quick else (500, 100)
    budgets = (BUDGETS[0], BUDGETS[-1]) if quick else BUDGETS
    rules = (UCB1(c=1.0), UCB1(c=2.0 * math.sqrt(2.0)))
    cases = (
        RobustCase("bandit", bandits(arms, seed), rules),
        RobustCase("pgame", minimax_trees(trees, seed), rules),
    )
    rows: list[tuple[Any, ...]] = []
    few: list[str] = []  # where the two differ with few simulations
    enough: list[bool] = []  # do they differ with the most?
    for game, problems, selects in cases:
        for select in selects[:1] if quick else selects:
            tell(f"{game}, {part_text(select)}: {len(problems)} positions")
            for budget in budgets:
                found, spent = losses(select, problems, budget, seed)
                apart = [high - most for most, high in zip(found[0], found[1], strict=True)]
                mean = statistics.mean(apart)
                margin = Z * statistics.stdev(apart) / math.sqrt(len(apart))
                if budget == budgets[-1]:
                    enough.append(abs(mean) > margin)
                elif abs(mean) > margin:
                    few.append(
                        f"{game}, {part_text(select)}, {budget}: highest_value "
                        f"{'loses' if mean > 0 else 'saves'} {abs(mean):.3f}"
                    )
                means = (statistics.mean(lost) for lost in found)
                rows.append((game, part_text(select), budget, *means, spent, mean, margin))
    better = chance_of_better(*LECTURE)
    return Report(
        claim="65 wins of 100 are better evidence than 2 of 3, so play the most visited move; with "
        "enough simulations the choice between it and the highest value makes no difference",
        source="the Tsinghua lecture on adversarial search; Chaslot 2010 (Mango: no significant "
        "difference with enough simulations)",
        columns=(
            "game",
            "select",
            "simulations",
            *(part_text(rule).partition("(")[0] for rule in (*RULES, WAITING)),
            "its simulations",
            "highest_value less most_visits",
            "+-",
        ),
        rows=tuple(rows),
        holds=better > 0.5 and not any(enough),
        conclusion=(
            f"the arm with 65 of 100 is the better one with {better:.1%}; with {budgets[-1]:,} "
            f"simulations the two rules differ significantly in {sum(enough)} of {len(enough)} "
            f"cases, with fewer in {len(few)} of {len(rows) - len(enough)}"
            + (f" ({'; '.join(few)})" if few else "")
        ),
        notes=(
            "simple regret, the share of a win given away by the move chosen, mean over positions; "
            "all but max_robust judge the same searches; +-: 95 % interval of the difference",
            f"bandit: {arms:,} times {ARMS} arms with chances uniform in 0 .. 1; pgame: {trees} "
            "trees of 8 moves at each of 6 plies whose root moves differ",
            "max_robust searches on while most visits and highest value disagree, up to half the "
            "simulations more: how many it used on average stands beside it",
        ),
    )
