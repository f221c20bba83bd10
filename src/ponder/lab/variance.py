"""What select rules look at: epsilon-greedy at the best arm alone, Boltzmann at the means, others
at the spread, too.

First half: three arms, 90 %, 60 % and 30 %. How are the pulls shared that miss the best one?
Second half: two scenarios that differ in the spread of one move alone. Move 1 wins with 52 %. Moves
2 and 3 both pay 0.5 on average: move 2 a little more or less, move 3 all or nothing in the first
scenario, and nearly always the same in the second. The gap is small and the searches are long, so
that every move is visited often: after few visits the means themselves are uncertain.
"""

from __future__ import annotations

import json
import math
from typing import Any

from ponder.core.position import Position
from ponder.core.registry import part_text
from ponder.games.bandit import Bandit
from ponder.games.tree import TreeGame
from ponder.lab.plan import Above, Below, Between, Clause, Plan, Size
from ponder.lab.running import Lab
from ponder.lab.samples import Average
from ponder.mcts.engine import MCTS
from ponder.mcts.run import CompiledRun
from ponder.mcts.select.drawn import Boltzmann, EpsilonGreedy, Thompson, UCBSampled
from ponder.mcts.select.ucb import KLUCB, MOSS, UCB1
from ponder.mcts.select.urgency import Urgency
from ponder.mcts.select.variance import UCBV, ProgressivePruning, UCB1Spread, UCB1Tuned
from ponder.mcts.tree import ROOT

ARMS = (0.9, 0.6, 0.3)
BURN = 1_000
"""Pulls before the counting begins: by then the best arm is known."""
GREEDY, SOFT = EpsilonGreedy(epsilon=0.1), Boltzmann(temperature=0.1)
WARM = Boltzmann(temperature=0.3)
"""For the arms: a colder one that begins with bad luck stays away from the best arm for long."""
BLIND = (
    GREEDY,
    SOFT,
    UCBSampled(),
    UCB1(c=2.0 * math.sqrt(2.0)),
    KLUCB(),
    MOSS(),
    Thompson(),
    UCB1Spread(),
)
"""Formulas without the spread of the child."""
SEEING = (UCB1Tuned(), UCBV(), Urgency(), ProgressivePruning())
"""Formulas with it."""
REST = "share of the worst arm among the pulls of the two that are not best"
THIRD = "share of move 3 among the visits of moves 2 and 3"
SHIFT = f"{THIRD}, wide less narrow"
ODDS = 1.0 / (1.0 + math.exp((ARMS[1] - ARMS[2]) / WARM.temperature))
"""What Boltzmann's formula gives; utilities are rescaled to 0 .. 1."""

PLAN = Plan(
    claim="epsilon-greedy treats all moves but the best alike, however bad they are; Boltzmann "
    "exploration tells them apart by their means, but considers the means alone and treats two "
    "scenarios equally in which only the spread of a move differs; rules with the variance in "
    "their formula do not",
    source="Helmert, Foundations of AI (Basel), G7, epsilon-Greedy: Weakness, Boltzmann "
    "Exploration: Weakness",
    clauses=(
        Clause("alike", "epsilon-greedy treats the rest alike", REST, Between(0.48, 0.52)),
        Clause(
            "means",
            "Boltzmann exploration tells them apart",
            f"{REST}; by its formula {ODDS:.3f}",
            Between(ODDS - 0.02, ODDS + 0.02),
        ),
        Clause("blind", "Boltzmann exploration ignores the spread", SHIFT, Between(-0.05, 0.05)),
        Clause("seeing", "rules with the variance in their formula do not", SHIFT, Above(0.0)),
        Clause(
            "less",
            "epsilon-greedy, which has no spread in its formula, visits the wide move less",
            SHIFT,
            Below(0.0),
        ),
    ),
    sizes={
        "runs": Size(10, 100, 200, "searches of each rule and scenario"),
        "simulations": Size(20_000, 100_000, 100_000, "of each", least=2_000),
    },
    notes=(
        "wide: move 3 pays 0 or 1; narrow: 0.49 or 0.51; both scenarios with the same seeds, their "
        "difference taken run by run",
        f"arms: {', '.join(f'{p:.0%}' for p in ARMS)}; pulls after the first {BURN:,} are counted",
    ),
    own="select",
)


def scenario(step: float) -> Position:
    """The tree in which move 3 pays 0.5 - step or 0.5 + step."""

    def toss(*outcomes: tuple[float, float]) -> dict[str, Any]:
        return {"chance": [list(outcome) for outcome in outcomes]}

    moves = [
        toss((0.48, 0.0), (0.52, 1.0)),
        toss((0.5, 0.25), (0.5, 0.75)),
        toss((0.5, 0.5 - step), (0.5, 0.5 + step)),
    ]
    return Position(TreeGame(json.dumps({"moves": moves}), players=1))


def thirds(rule: Any, step: float, lab: Lab) -> list[float]:
    engine, start = MCTS(select=rule), scenario(step)
    found = []
    for run in range(lab["runs"]):
        seed = 1_000_003 * lab.seed + run
        moves = engine.search(start, simulations=lab["simulations"], seed=seed).moves
        visits = {row.action: row.visits for row in moves}
        found.append(visits[2] / (visits[1] + visits[2]))
    return found


def rest(rule: Any, lab: Lab) -> list[float]:
    """Of the pulls after BURN that miss the best arm, the share of the worst; 0.5 if there are
    none."""
    start, found = Position(Bandit(ARMS)), []
    for i in range(lab["runs"]):
        run = CompiledRun(start, MCTS(select=rule), 1_000_003 * lab.seed + i, 64.0).prepare()
        counts = []
        for step in (BURN, lab["simulations"]):
            run.advance(step - run.done)
            moves = run.store.children(ROOT)
            counts.append([int(moves.visits[moves.action == a][0]) for a in range(len(ARMS))])
        middle, worst = (counts[1][a] - counts[0][a] for a in (1, 2))
        found.append(worst / (middle + worst) if middle + worst else 0.5)
    return found


def run(lab: Lab) -> None:
    for rule, clause in ((GREEDY, "alike"), (WARM, "means")):
        name = part_text(rule)
        shares = lab.step(f"arms: {name}", rest, rule, lab)
        lab.observe(name, None, REST, Average(shares, bounds=(0.0, 1.0)), clause)
    rules = (GREEDY, SOFT, *SEEING) if lab.quick else (*BLIND, *SEEING)
    for rule in (*rules, *lab.own):
        name = part_text(rule)
        wide, narrow = (
            lab.step(f"{name}, {word}", thirds, rule, step, lab)
            for word, step in (("wide", 0.5), ("narrow", 0.01))
        )
        for word, shares in (("wide", wide), ("narrow", narrow)):
            lab.observe(name, word, THIRD, Average(shares, bounds=(0.0, 1.0)))
        shift = Average([a - b for a, b in zip(wide, narrow, strict=True)], bounds=(-1.0, 1.0))
        clause = "seeing" if any(rule is one for one in SEEING) else ""
        clause = "less" if rule is GREEDY else "blind" if rule is SOFT else clause
        lab.observe(name, None, SHIFT, shift, clause)
