"""Regret of the select rules on the lecture's three arms: what is lost on the way, and at the end.

A search of the game `bandit` is the bandit problem, every simulation a pull. Cumulative regret
after n pulls is the sum of (best chance - chance of the arm pulled), which the visits of the root
moves give; simple regret is best chance - chance of the arm recommended.
"""

from __future__ import annotations

import math
from typing import Any

from ponder.core.position import Position
from ponder.core.registry import part_text
from ponder.core.result import SearchResult
from ponder.errors import InputError
from ponder.games.bandit import Bandit
from ponder.lab.report import Report, Tell
from ponder.mcts.engine import MCTS
from ponder.mcts.select.drawn import Boltzmann, EpsilonGreedy, UCBSampled
from ponder.mcts.select.halving import SequentialHalving
from ponder.mcts.select.indices import KLUCB, MOSS
from ponder.mcts.select.pruning import ProgressivePruning
from ponder.mcts.select.thompson import Thompson
from ponder.mcts.select.ucb import UCB1
from ponder.mcts.select.variance import UCBV, UCB1Spread, UCB1Tuned

ARMS = Bandit().arms
BEST = max(ARMS)
LINEAR = (EpsilonGreedy(epsilon=0.1), Boltzmann(temperature=0.1), UCBSampled())
"""Each pulls bad arms with a probability that does not vanish."""
LOGARITHMIC = (
    UCB1(c=2.0 * math.sqrt(2.0)),
    UCB1Tuned(),
    KLUCB(),
    Thompson(),
)
"""Proven to lose no more than a multiple of ln n (UCB1-Tuned: seen, not proven)."""
OTHERS = (
    UCB1Spread(c=1.0),
    UCBV(c=0.1),
    MOSS(),
    EpsilonGreedy(epsilon=20.0, decay=1.0),
    Boltzmann(temperature=0.1, decay=True),
    ProgressivePruning(),
    SequentialHalving(),
)
STEPS = (100, 3_200, 102_400)
RATIO = STEPS[2] / STEPS[1]
"""What the regret grows by where it is linear; where it is logarithmic, by 1.4 in the end."""


def lai_robbins() -> float:
    """The least factor of ln n that a good rule can have (Lai & Robbins 1985)."""

    def kl(p: float, q: float) -> float:
        return p * math.log(p / q) + (1 - p) * math.log((1 - p) / (1 - q))

    return sum((BEST - p) / kl(p, BEST) for p in ARMS if p < BEST)


def regrets_of(result: SearchResult) -> tuple[float, float]:
    """Cumulative and simple regret of one search of a `Bandit`, whatever its arms."""
    game = result.position.game
    if not isinstance(game, Bandit) or game.pulls != 1:
        raise InputError("regrets are of searches of bandit(arms=...), with one pull")
    best = max(game.arms)
    lost = sum(row.visits * (best - game.arms[row.action]) for row in result.moves)
    return lost, best - game.arms[result.action]


def regrets(rule: Any, pulls: int, runs: int, seed: int) -> tuple[float, float]:
    """Mean cumulative and mean simple regret of `runs` searches of `pulls` pulls each."""
    start, engine = Position(Bandit()), MCTS(select=rule)
    lost, missed = 0.0, 0.0
    for run in range(runs):
        found = engine.search(start, simulations=pulls, seed=seed * 1_000_003 + run)
        cumulative, simple = regrets_of(found)
        lost += cumulative
        missed += simple
    return lost / runs, missed / runs


def run(quick: bool, seed: int, tell: Tell) -> Report:
    runs = 10 if quick else 100
    rules = (LINEAR[0], LINEAR[2], *LOGARITHMIC[:2]) if quick else LINEAR + LOGARITHMIC + OTHERS
    rows: list[tuple[Any, ...]] = []
    growth: dict[Any, float] = {}
    for rule in rules:
        name = part_text(rule)
        tell(f"{name}: {runs} searches of {', '.join(f'{n:,}' for n in STEPS)} pulls")
        found = [regrets(rule, n, runs, seed) for n in STEPS]
        growth[rule, type(rule)] = found[2][0] / max(found[1][0], 1e-9)
        cumulative, simple = zip(*found, strict=True)
        rows.append((name, *cumulative, growth[rule, type(rule)], *simple))
    least = tuple(lai_robbins() * math.log(n) for n in STEPS)
    rows.append(("Lai-Robbins: least factor times ln n", *least, least[2] / least[1], *[None] * 3))
    flat = max(growth[r, type(r)] for r in LOGARITHMIC if (r, type(r)) in growth)
    steep = min(growth[r, type(r)] for r in LINEAR if (r, type(r)) in growth)
    return Report(
        claim="the regret of UCB1 and its kin grows with the logarithm of the pulls; a rule that "
        "keeps pulling bad arms with a fixed probability loses in proportion to the pulls",
        source="Auer, Cesa-Bianchi & Fischer 2002; Lai & Robbins 1985; the lecture's arms: "
        + ", ".join(f"{p:.0%}" for p in ARMS),
        columns=(
            "rule",
            *(f"lost in {n:,}" for n in STEPS),
            "growth",
            *(f"missed after {n:,}" for n in STEPS),
        ),
        rows=tuple(rows),
        holds=flat < math.sqrt(RATIO) < steep,
        conclusion=(
            f"from {STEPS[1]:,} to {STEPS[2]:,} pulls the regret grows at most {flat:.1f}-fold "
            f"with the logarithmic rules, at least {steep:.1f}-fold with a constant share of "
            "random pulls"
        ),
        notes=(
            f"means of {runs} runs; lost: cumulative regret; missed: simple regret, the chance "
            "given away by the arm recommended, here the one pulled most",
            "the last row is a bound in the limit: rules may lose less in a search this short",
            "sequential_halving plans for the number of pulls: each column is a search of its own, "
            "as with all rules",
        ),
    )
