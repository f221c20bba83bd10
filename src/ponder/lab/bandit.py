"""Regret of the select rules on the lecture's three arms: what is lost on the way, and at the end.

A search of the game `bandit` is the bandit problem, every simulation a pull. Cumulative regret
after n pulls is the sum of (best chance - chance of the arm pulled), which the visits of the root
moves give; simple regret is best chance - chance of the arm recommended.

Logarithmic growth is a straight line over ln n: its slope between two numbers of pulls does not
change from one decade to the next, and the share of bad pulls falls to nothing.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ponder.core.position import Position
from ponder.core.protocols import as_number
from ponder.core.registry import part_text
from ponder.core.result import SearchResult
from ponder.errors import InputError
from ponder.games.bandit import Bandit
from ponder.lab.plan import Above, Below, Between, Clause, Figure, Plan, Published, Size
from ponder.lab.running import Lab
from ponder.lab.samples import Average, Exact, Jackknife
from ponder.mcts.engine import MCTS
from ponder.mcts.run import CompiledRun
from ponder.mcts.select.drawn import Boltzmann, EpsilonGreedy, Thompson, UCBSampled
from ponder.mcts.select.halving import SequentialHalving
from ponder.mcts.select.ucb import KLUCB, MOSS, UCB1
from ponder.mcts.select.variance import UCBV, ProgressivePruning, UCB1Spread, UCB1Tuned
from ponder.mcts.tree import ROOT

ARMS = Bandit().arms
BEST = max(ARMS)
AUER = UCB1(c=2.0 * math.sqrt(2.0))
"""UCB1 of the paper: chances of 0 or 1, half the range is 1/2."""
LINEAR = (EpsilonGreedy(epsilon=0.1), Boltzmann(temperature=0.1), UCBSampled())
"""Each pulls bad arms with a probability that does not vanish."""
LOGARITHMIC = (AUER, UCB1Tuned(), KLUCB(), Thompson())
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
STEPS = (100, 1_000, 10_000, 100_000)
LOST, MISSED, GROWTH = "cumulative regret", "simple regret", "regret, growth from 10,000 to 100,000"
LONG = "cumulative regret of UCB1, long run"


def kl(p: float, q: float) -> float:
    return p * math.log(p / q) + (1 - p) * math.log((1 - p) / (1 - q))


LEAST = sum((BEST - p) / kl(p, BEST) for p in ARMS if p < BEST)
"""The least factor of ln n that a good rule can have (Lai & Robbins 1985)."""
MOST = sum(8.0 / (BEST - p) for p in ARMS if p < BEST)
"""The factor of ln n in the theorem of Auer et al. (2002)."""
CONSTANT = sum(2.0 / (BEST - p) for p in ARMS if p < BEST)
"""What UCB1's formula itself comes to: an arm is pulled until gap = sqrt(2 ln n / pulls)."""
ALL_PULLS = tuple(10**k for k in range(2, 8))

PLAN = Plan(
    claim="the regret of UCB1 and its kin grows with the logarithm of the pulls, UCB1's at most "
    "like 8 ln n / gap for every bad arm; a rule that keeps pulling bad arms with a fixed "
    "probability loses in proportion to the pulls",
    source="Auer, Cesa-Bianchi & Fischer 2002; Lai & Robbins 1985; Long's arms, Search (III): "
    + ", ".join(f"{p:.0%}" for p in ARMS),
    clauses=(
        Clause(
            "logarithmic",
            "UCB1, UCB1-Tuned, KL-UCB and Thompson sampling lose far less than in proportion",
            GROWTH + "; in proportion: 10, like ln n: 1.25, like the root: 3.16",
            Below(math.sqrt(10.0)),
        ),
        Clause(
            "linear",
            "rules that keep drawing bad arms lose in proportion",
            GROWTH,
            Above(math.sqrt(10.0)),
        ),
        Clause(
            "straight",
            "UCB1's regret is a straight line over ln n",
            "slope over ln n in the last decade as a multiple of that in the decade before; in "
            "proportion: 10, like the root: 3.16",
            Between(0.5, 2.0),
        ),
        Clause(
            "constant",
            "its slope is what the formula comes to",
            f"b of a + b ln n through the last two decades, as a multiple of sum 2 / gap = "
            f"{CONSTANT:.1f}",
            Between(0.75, 1.25),
        ),
        Clause(
            "bound",
            "it stays below the theorem",
            f"regret, long run, as a share of {MOST:.1f} ln n + (1 + pi^2 / 3) sum of the gaps",
            Below(1.0),
        ),
    ),
    sizes={
        "runs": Size(10, 100, 100, "searches of each rule"),
        "pulls": Size(100_000, 10_000_000, 10_000_000, "of the long run", least=10_000),
        "long_runs": Size(5, 40, 100, "searches of the long run"),
    },
    notes=(
        "the move recommended is the one pulled most; sequential_halving plans for its pulls, so "
        "it is searched anew for each number of them, the others are watched on the way",
        f"factors of ln n: {LEAST:.1f} is the least that any good rule can have in the limit (Lai "
        f"& Robbins), {CONSTANT:.1f} what UCB1's formula comes to, {MOST:.1f} the theorem's",
    ),
    published=(
        Published(
            "Lai-Robbins", "least in the limit", LOST, {n: LEAST * math.log(n) for n in STEPS}
        ),
        Published("theory", "2 / gap", LONG, {n: CONSTANT * math.log(n) for n in ALL_PULLS}),
    ),
    figures=(
        Figure(LOST, "pulls", log_x=True, log_y=True),
        Figure(LONG, "pulls", log_x=True),
    ),
    own="select",
)


def regrets_of(result: SearchResult) -> tuple[float, float]:
    """Cumulative and simple regret of one search of a `Bandit`, whatever its arms."""
    game = result.position.game
    if not isinstance(game, Bandit) or game.pulls != 1:
        raise InputError("regrets are of searches of bandit(arms=...), with one pull")
    best = max(game.arms)
    lost = sum(row.visits * (best - game.arms[as_number(row.action)]) for row in result.moves)
    return lost, best - game.arms[as_number(result.action)]


def watched(rule: Any, steps: tuple[int, ...], runs: int, seed: int) -> list[Any]:
    """[cumulative, simple] regret of every search after each of `steps` pulls."""
    start, engine = Position(Bandit()), MCTS(select=rule)
    found = []
    for number in range(seed * 1_000_003, seed * 1_000_003 + runs):
        if isinstance(rule, SequentialHalving):
            searches = (engine.search(start, simulations=n, seed=number) for n in steps)
            found.append([list(regrets_of(result)) for result in searches])
            continue
        run, seen = CompiledRun(start, engine, number, 64.0).prepare(), []
        for step in steps:
            run.advance(step - run.done)
            moves = run.store.children(ROOT)
            gaps = BEST - np.array([ARMS[a] for a in moves.action])
            chosen = gaps[moves.visits.argmax()]
            seen.append([float((moves.visits * gaps).sum()), float(chosen)])
        found.append(seen)
    return found


def run(lab: Lab) -> None:
    ours = LINEAR + LOGARITHMIC if lab.quick else LINEAR + LOGARITHMIC + OTHERS
    for number, rule in enumerate((*ours, *lab.own)):
        name = part_text(rule)
        found = lab.step(name, watched, rule, STEPS, lab["runs"], lab.seed)
        for k, n in enumerate(STEPS):
            lab.observe(name, n, LOST, Average([seen[k][0] for seen in found]))
            missed = Average([seen[k][1] for seen in found], bounds=(0.0, BEST))
            lab.observe(name, n, MISSED, missed)
        clause = "linear" if number < len(LINEAR) else ""
        if len(LINEAR) <= number < len(LINEAR) + len(LOGARITHMIC):
            clause = "logarithmic"
        growth = Jackknife(
            lambda sums: sums[..., 1] / sums[..., 0], [[s[-2][0], s[-1][0]] for s in found]
        )
        lab.observe(name, None, GROWTH, growth, clause)
    steps = tuple(n for n in ALL_PULLS if n <= lab["pulls"])
    name = f"UCB1, {lab['pulls']:,} pulls"
    found = lab.step(name, watched, AUER, steps, lab["long_runs"], lab.seed + 500)
    lost = np.array(found)[:, :, 0]
    for k, n in enumerate(steps):
        lab.observe("ucb1", n, LONG, Average(lost[:, k].tolist()))
    one = np.ones(len(lost))
    decade = math.log(10.0)
    straight = Jackknife(lambda s: s[..., 0] / s[..., 1], np.diff(lost, axis=1)[:, [-1, -2]])
    lab.observe("ucb1", None, "slope, last decade over the one before", straight, "straight")
    slope = np.column_stack([(lost[:, -1] - lost[:, -3]) / (2 * decade), one])
    factor = Jackknife(lambda s: s[..., 0] / s[..., 1] / CONSTANT, slope)
    lab.observe("ucb1", None, "slope over ln n as a multiple of sum 2 / gap", factor, "constant")
    gaps = sum(BEST - p for p in ARMS)
    for k, n in enumerate(steps):
        bound = MOST * math.log(n) + (1 + math.pi**2 / 3) * gaps
        lab.observe(
            "ucb1", n, "share of the bound", Average((lost[:, k] / bound).tolist()), "bound"
        )
    lab.observe("Lai-Robbins", None, "least factor of ln n", Exact(LEAST))
