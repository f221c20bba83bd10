"""Which move to play in the end: the most visited one, or the one with the best mean?

Searches with few simulations of positions whose exact values are known: bandits with ten arms,
P-games, and a tree whose results are noisy. All decide rules judge the same searches, so their
losses are compared pair by pair; only `max_robust`, which goes on searching while the two disagree,
searches for itself.
"""

from __future__ import annotations

import math
import random
from typing import Any, NamedTuple

from ponder.core.position import Position
from ponder.core.protocols import as_number
from ponder.core.registry import part_text
from ponder.games.bandit import Bandit
from ponder.games.gem import MOVES, Gem
from ponder.lab.pgame import telling_trees
from ponder.lab.plan import Above, Between, Clause, Figure, Plan, Size
from ponder.lab.running import Lab
from ponder.lab.samples import Average, Exact
from ponder.mcts.decide import HighestValue, LowerBound, MaxRobust, MostVisits, Secure, decide
from ponder.mcts.engine import MCTS
from ponder.mcts.select.ucb import UCB1

ARMS = 10
RULES = (MostVisits(), HighestValue(), Secure(), LowerBound())
WAITING = MaxRobust(extra=0.5)
SELECTS = (UCB1(c=1.0), UCB1(c=2.0 * math.sqrt(2.0)))
FEW, ENOUGH = (30, 100, 300), 10_000
LECTURE = (65, 100, 2, 3)
"""65 wins of 100 against 2 of 3."""
REGRET, APART = "simple regret", "simple regret, highest value less most visits"

PLAN = Plan(
    claim="65 wins of 100 are better evidence than 2 of 3, so play the most visited move; with "
    "enough simulations the choice between it and the highest value makes no difference",
    source="Long, Search (III) (Tsinghua); Chaslot 2010 (Mango: no significant "
    "difference with enough simulations)",
    clauses=(
        Clause(
            "evidence",
            "65 of 100 is more likely to be the better move than 2 of 3",
            "probability, all chances being equally likely before",
            Above(0.5),
        ),
        Clause(
            "few",
            "with few simulations the most visited move is the better choice",
            f"{APART}, search by search, 30 to 300 simulations",
            Above(0.0),
        ),
        Clause(
            "enough",
            "with enough simulations it makes no difference",
            f"{APART}, search by search, 10,000 simulations",
            Between(-0.02, 0.02),
        ),
    ),
    sizes={
        "bandits": Size(100, 8_000, 8_000, f"of {ARMS} arms with chances uniform in 0 .. 1"),
        "trees": Size(
            20, 1_000, 1_000, "P-games of 8 moves at each of 6 plies whose root moves differ"
        ),
        "selects": Size(1, 2, 2, "UCB1 with c = 1 and with the paper's", True),
        "noisy": Size(100, 2_000, 2_000, "noisy trees: 4 moves worth 0 to 1, noise 1, 2 plies"),
    },
    notes=(
        "simple regret: what is given away by the move chosen, wins 1, draws 1/2",
        "max_robust searches on while most visits and highest value disagree, up to half the "
        "simulations more",
    ),
    figures=(Figure(APART, "simulations", log_x=True),),
)


class Problem(NamedTuple):
    """A position and what each of its moves is worth."""

    start: Position
    worth: tuple[float, ...]

    def regret(self, action: int) -> float:
        return max(self.worth) - self.worth[action]


def bandits(count: int, seed: int) -> list[Problem]:
    """Arms whose chances are uniform in 0 .. 1."""
    draw = random.Random(f"robust {seed}")
    arms = [tuple(draw.random() for _ in range(ARMS)) for _ in range(count)]
    return [Problem(Position(Bandit(chances)), chances) for chances in arms]


def minimax_trees(count: int, seed: int) -> list[Problem]:
    """P-games with 8 moves at each of 6 plies: wins 1, draws 1/2."""
    return [
        Problem(Position(tree.game), tuple((value + 1.0) / 2.0 for value in tree.moves))
        for tree in telling_trees(8, 6, count, seed)
    ]


def noisy_trees(count: int, seed: int) -> list[Problem]:
    """Every result is the move's value and noise three times as large as the values' spread."""
    draw = random.Random(f"noisy {seed}")
    found = []
    for _ in range(count):
        values = tuple(draw.random() for _ in range(MOVES))
        game = Gem("noise", plies=2, values=values, noises=(1.0,) * MOVES)
        found.append(Problem(Position(game), values))
    return found


def losses(select: Any, problems: list[Problem], budget: int, seed: int) -> list[list[float]]:
    """The regret of each of RULES and of WAITING in every problem, and WAITING's simulations."""
    engine = MCTS(select=select)
    patient = MCTS(select=select, decide=WAITING)
    found: list[list[float]] = [[] for _ in range(len(RULES) + 2)]
    for number, problem in enumerate(problems):
        one = 1_000_003 * seed + number
        rows = engine.search(problem.start, simulations=budget, seed=one).moves
        for rule, lost in zip(RULES, found, strict=False):
            lost.append(problem.regret(as_number(rows[decide(rule, rows, one)].action)))
        waited = patient.search(problem.start, simulations=budget, seed=one)
        found[-2].append(problem.regret(as_number(waited.action)))
        found[-1].append(waited.simulations or 0)
    return found


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


def run(lab: Lab) -> None:
    better = chance_of_better(*LECTURE)
    lab.observe("65 of 100 and 2 of 3", None, "probability", Exact(better), "evidence")
    cases = {
        "bandit": (bandits, lab["bandits"]),
        "pgame": (minimax_trees, lab["trees"]),
        "noisy": (noisy_trees, lab["noisy"]),
    }
    for game, (make, count) in cases.items():
        lab.tell(f"{game}: {count} positions")
        problems = make(count, lab.seed)
        for select in SELECTS[: lab["selects"]]:
            where = f"{game}, {part_text(select)}"
            for budget in (*FEW, ENOUGH):
                what = f"{where}, {budget:,}"
                found = lab.step(what, losses, select, problems, budget, lab.seed)
                for rule, lost in zip((*RULES, WAITING), found, strict=False):
                    name = f"{where}: {part_text(rule).partition('(')[0]}"
                    lab.observe(name, budget, REGRET, Average(lost, bounds=(0.0, 1.0)))
                apart = [high - most for most, high in zip(found[0], found[1], strict=True)]
                sample = Average(apart, bounds=(-1.0, 1.0))
                lab.observe(where, budget, APART, sample, "enough" if budget == ENOUGH else "few")
                lab.observe(where, budget, "simulations of max_robust", Average(found[-1]))
