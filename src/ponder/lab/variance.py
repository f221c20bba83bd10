"""Two scenarios that differ in the spread of one move alone: which select rules notice?

Move 1 wins with 52 %. Moves 2 and 3 both pay 0.5 on average: move 2 a little more or less, move 3
all or nothing in the first scenario, and nearly always the same in the second. A rule that looks at
means alone treats moves 2 and 3 alike in both. The gap is small and the searches are long, so that
every move is visited often: after few visits the means themselves are uncertain, by the spread.
"""

from __future__ import annotations

import json
import math
import statistics
from typing import Any, NamedTuple

from ponder.core.position import Position
from ponder.core.registry import part_text
from ponder.games.tree import TreeGame
from ponder.lab.old_report import Report, Tell
from ponder.mcts.engine import MCTS
from ponder.mcts.select.drawn import Boltzmann, EpsilonGreedy, UCBSampled
from ponder.mcts.select.indices import KLUCB, MOSS
from ponder.mcts.select.pruning import ProgressivePruning
from ponder.mcts.select.thompson import Thompson
from ponder.mcts.select.ucb import UCB1
from ponder.mcts.select.urgency import Urgency
from ponder.mcts.select.variance import UCBV, UCB1Spread, UCB1Tuned

FEW, MANY = 1_000, 100_000
"""Simulations: few, for the right choice; many, for the shares of the visits."""
CLEAR = 0.05
"""Of the visits of moves 2 and 3: a smaller shift counts as none."""
BLIND = (
    EpsilonGreedy(epsilon=0.1),
    Boltzmann(temperature=0.1),
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


class SeenVisits(NamedTuple):
    """Means over runs."""

    share: float
    """Of all visits, those of move 3."""
    third: float
    """Of the visits of moves 2 and 3, those of move 3."""
    error: float
    """Standard error of `third`."""
    right: float
    """How often move 1 is the choice after few simulations."""


def seen(rule: Any, start: Position, runs: int, seed: int) -> SeenVisits:
    engine = MCTS(select=rule)
    shares, thirds, right = [], [], 0
    for run in range(runs):
        one = 1_000_003 * seed + run
        moves = engine.search(start, simulations=MANY, seed=one).moves
        visits = {row.action: row.visits for row in moves}
        shares.append(visits[2] / MANY)
        thirds.append(visits[2] / (visits[1] + visits[2]))
        right += engine.search(start, simulations=FEW, seed=one).action == 0
    error = statistics.stdev(thirds) / math.sqrt(runs)
    return SeenVisits(statistics.mean(shares), statistics.mean(thirds), error, right / runs)


def run(quick: bool, seed: int, tell: Tell) -> Report:
    runs = 40
    blind, seeing = (BLIND[1:2], SEEING[:2]) if quick else (BLIND, SEEING)
    wide, narrow = scenario(0.5), scenario(0.01)
    rows: list[tuple[Any, ...]] = []
    noticed: dict[bool, list[bool]] = {False: [], True: []}
    equal, drawn = True, []  # does Boltzmann exploration ... ; who is drawn to the wide move?
    for knows, rules in ((False, blind), (True, seeing)):
        for rule in rules:
            tell(f"{part_text(rule)}: {runs} searches of each scenario")
            first, second = (seen(rule, start, runs, seed) for start in (wide, narrow))
            shift = first.third - second.third
            margin = 1.96 * math.hypot(first.error, second.error)
            noticed[knows].append(abs(shift) > max(CLEAR, margin))
            equal &= not (isinstance(rule, Boltzmann) and noticed[knows][-1])
            if knows:
                drawn.append(shift > margin)
            rows.append(
                (
                    part_text(rule),
                    "yes" if knows else "no",
                    first.share,
                    second.share,
                    first.third,
                    second.third,
                    shift,
                    margin,
                    noticed[knows][-1],
                    first.right,
                    second.right,
                )
            )
    return Report(
        claim="Boltzmann exploration considers the means alone and treats two scenarios equally "
        "in which only the spread of a move differs; rules with the variance in their formula "
        "do not",
        source="Helmert, Foundations of AI (Basel), G7, Boltzmann Exploration: Weakness",
        columns=(
            "rule",
            "formula has spread",
            "visits of 3, wide",
            "narrow",
            "of 2 and 3, wide",
            "narrow",
            "shift",
            "+-",
            "notices",
            "right, wide",
            "right, narrow",
        ),
        rows=tuple(rows),
        holds=equal and all(drawn),
        conclusion=(
            f"Boltzmann exploration {'treats both alike' if equal else 'tells them apart'}; "
            f"{sum(drawn)} of {len(seeing)} rules with the spread in their formula visit the wide "
            f"move more, beyond the interval; of {len(blind)} rules without it "
            f"{sum(noticed[False])} shift their visits either way"
        ),
        notes=(
            f"means of {runs} searches of {MANY:,} simulations; wide: move 3 pays 0 or 1; narrow: "
            "0.49 or 0.51; shift: of the visits of moves 2 and 3, the share of move 3, wide "
            "less narrow; +-: its 95 % interval",
            f"notices: the shift is beyond its interval and above {CLEAR:g}",
            f"right: how often move 1 is the most visited after {FEW:,} simulations",
        ),
    )
