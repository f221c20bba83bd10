"""Which tree policies find the minimax value in the limit: with the mean as backup, and without.

Random trees of 3 moves at each of 4 plies, small enough to be built whole within some thousand
simulations; from then on no random game is played, and all that is left is the tree policy and the
backup rule. Of a policy that keeps choosing bad moves with a fixed probability the limit itself is
known: every node is worth the mean of its children by those probabilities (`soft_value`). Of a
temperature that falls like 1 / ln N it is known how slowly bad moves die out (`cooling_value`): too
slowly to be seen on these trees, so that trees of 2 moves and 2 plies are searched besides.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ponder.core.position import Position
from ponder.core.registry import part_text
from ponder.lab.plan import Below, Between, Clause, Figure, Plan, Size
from ponder.lab.running import Lab
from ponder.lab.samples import Average, Exact, Jackknife
from ponder.lab.trees import RandomTree, levels
from ponder.mcts.backup.mean import Mean
from ponder.mcts.backup.operators import TreeMinimax
from ponder.mcts.engine import MCTS
from ponder.mcts.select.drawn import Boltzmann, EpsilonGreedy, UCBSampled
from ponder.mcts.select.ucb import UCB1, UCTDecaying

LARGE, SMALL = (3, "+-+-"), (2, "+-")
LOWEST, HIGHEST = -1.0, 1.0
CONSTANT = (EpsilonGreedy(epsilon=0.1), Boltzmann(temperature=0.1), UCBSampled())
"""The probability of a bad move does not vanish."""
COOLING = Boltzmann(temperature=1.0, decay=True)
GREEDY = (UCB1(c=2.0 * math.sqrt(2.0)), UCTDecaying(), EpsilonGreedy(epsilon=1.0, decay=0.5))
"""They explore forever, and are greedy in the limit."""
COMPLETE = 100_000
"""Simulations in which a tree has long been built whole: minimax backup needs no more."""
FAR = (10**12, 10**30)
"""Simulations for which the error of `COOLING` is only computed."""
ERROR, OFF = "error of the root's value", "trees off by more than 1e-9"

PLAN = Plan(
    claim="with the mean as backup, epsilon-greedy and Boltzmann exploration with a constant "
    "parameter do not converge to the minimax value, UCB1 does; a decaying parameter or minimax "
    "backup repairs them",
    source="Helmert, Foundations of AI (Basel), G7; Kocsis & Szepesvari 2006",
    clauses=(
        Clause(
            "stuck",
            "constant policies stop at the error that their probabilities give",
            "error at the end as a multiple of the computed limit",
            Between(0.8, 1.2),
        ),
        Clause(
            "converges",
            "UCB1 and decaying epsilon-greedy converge",
            "error at the end as a share of that after a hundredth of the simulations",
            Below(0.5),
        ),
        Clause(
            "schedule",
            "a falling temperature is on its schedule, on large trees and on small ones",
            "error as a multiple of what the schedule gives",
            Between(0.7, 1.3),
        ),
        Clause(
            "cooling",
            "and converges: on small trees it can be seen",
            "error on small trees at the end as a share of that after 100 simulations",
            Below(0.5),
        ),
        Clause("minimax", "minimax backup repairs all of them", OFF, Between(0, 0)),
    ),
    sizes={
        "simulations": Size(
            10_000, 1_000_000, 1_000_000, "of each search, the last of its decades", least=10_000
        ),
        "trees": Size(5, 100, 200, "of 3 moves at each of 4 plies"),
        "small": Size(40, 1_000, 2_000, "trees of 2 moves at each of 2 plies"),
        "small_simulations": Size(10_000, 100_000, 1_000_000, "of each search of those", least=100),
    },
    notes=("utilities from -0.9 to 0.9; every tree is one observation",),
    figures=(
        Figure(ERROR, "simulations", log_x=True, log_y=True, of="mean"),
        Figure(ERROR, "simulations", log_x=True, log_y=True, of="small trees"),
    ),
)


def chances(rule: Any, utilities: Any) -> Any:
    """In the limit: how likely `rule` is to choose each child, worth `utilities` to the mover."""
    scaled = (np.asarray(utilities) - LOWEST) / (HIGHEST - LOWEST)
    if isinstance(rule, EpsilonGreedy):
        weights = np.full(scaled.size, rule.epsilon / scaled.size)
        weights[scaled.argmax()] += 1.0 - rule.epsilon
        return weights
    if isinstance(rule, Boltzmann):
        weights = np.exp((scaled - scaled.max()) / rule.temperature)
    else:  # UCBSampled: the bonus vanishes, the mean is left
        weights = scaled
    return weights / weights.sum()


def soft_value(rule: Any, leaves: Any, branching: int, turns: str) -> float:
    """What the mean backup tends to when every choice is drawn by `chances`; for MAX."""
    values = np.asarray(leaves, dtype=float)
    for turn in reversed(turns):
        sign = 1.0 if turn == "+" else -1.0
        below = values.reshape(-1, branching)
        values = np.array([row @ chances(rule, sign * row) for row in below])
    return float(values[0])


def cooling_value(rule: Boltzmann, tree: RandomTree, simulations: float) -> float:
    """What the mean backup has come to after so many simulations, by the schedule of `rule`.

    At its t-th visit a node draws child i with a probability ~ exp(v_i ln t / temperature), v_i its
    exact value rescaled to [0, 1]; the means of these probabilities over all visits are the shares
    of the children, of the node's value and of its visits.
    """
    values = levels(tree.leaves(), tree.branching, tree.turns)

    def shares(exact_values: Any, visits: float) -> Any:
        logs = np.linspace(0.0, math.log(max(visits, 2.0)), 400)
        worse = (exact_values - exact_values.max()) / rule.temperature
        drawn = np.exp(worse[:, None] * logs)
        times = np.exp(logs) * np.gradient(logs)  # visits that each of these stands for
        return (drawn / drawn.sum(axis=0)) @ times / times.sum()

    def value(ply: int, node: int, visits: float) -> float:
        if ply == len(tree.turns):
            return float(values[ply][node])
        sign = 1.0 if tree.turns[ply] == "+" else -1.0
        first = node * tree.branching
        below = values[ply + 1][first : first + tree.branching]
        parts = shares((sign * below - LOWEST) / (HIGHEST - LOWEST), visits)
        return sum(float(p) * value(ply + 1, first + i, visits * p) for i, p in enumerate(parts))

    return value(0, 0, simulations)


def exact(tree: RandomTree) -> float:
    return float(levels(tree.leaves(), tree.branching, tree.turns)[0][0])


def errors(rule: Any, backup: Any, trees: list[RandomTree], steps: list[int]) -> list[list[float]]:
    """The distance between the value of the root and the exact one, in each tree at each step; one
    search passes them all."""
    engine = MCTS(select=rule, backup=backup)
    found = []
    for tree in trees:
        session, true, off = engine.start(Position(tree), seed=tree.seed), exact(tree), []
        for n in steps:
            session.run(simulations=n - session.moment)
            off.append(abs((session.result().root_value or 0.0) - true))
        found.append(off)
    return found


def expected(rule: Any, trees: list[RandomTree], simulations: float = 0.0) -> list[float]:
    """The errors that a policy with mean backup tends to; of COOLING, after so many simulations."""
    if rule is COOLING:
        return [abs(cooling_value(rule, tree, simulations) - exact(tree)) for tree in trees]
    return [abs(soft_value(rule, t.leaves(), t.branching, t.turns) - exact(t)) for t in trees]


def multiple(over: Any, under: Any) -> Jackknife:
    """The mean of one column as a multiple of another's."""
    return Jackknife(lambda s: s[..., 0] / s[..., 1], np.column_stack([over, under]))


def decades(last: int) -> list[int]:
    return [10**k for k in range(2, len(str(last)))]


def run(lab: Lab) -> None:
    steps = decades(lab["simulations"])
    trees = [RandomTree(*LARGE, 1_000 * lab.seed + i) for i in range(lab["trees"])]
    for backup, name in ((Mean(), "mean"), (TreeMinimax(), "minimax")):
        for rule in (*CONSTANT, *GREEDY, COOLING):
            series = f"{name}: {part_text(rule)}"
            moments = steps if name == "mean" else [n for n in steps if n <= COMPLETE]
            found = np.array(lab.step(series, errors, rule, backup, trees, moments))
            for k, n in enumerate(moments):
                lab.observe(series, n, ERROR, Average(found[:, k].tolist(), bounds=(0.0, 1.8)))
            if name == "minimax":
                wrong = int((found[:, -1] > 1e-9).sum())
                lab.observe(series, None, OFF, Exact(wrong, len(trees)), "minimax")
            elif rule in CONSTANT:
                limit = multiple(found[:, -1], expected(rule, trees))
                lab.observe(series, None, "error / limit", limit, "stuck")
            elif rule is COOLING:
                schedule = multiple(found[:, -1], expected(rule, trees, steps[-1]))
                lab.observe(series, steps[-1], "error / schedule", schedule, "schedule")
            else:
                left = multiple(found[:, -1], found[:, -3])
                lab.observe(series, None, "error, last / a hundredth", left, "converges")
    small(lab)
    for n in FAR:
        lab.observe(
            "mean: schedule of the falling temperature",
            n,
            ERROR,
            Exact(float(np.mean(expected(COOLING, trees, n)))),
        )


def small(lab: Lab) -> None:
    """Trees on which the falling temperature can be watched."""
    steps = decades(lab["small_simulations"])
    trees = [RandomTree(*SMALL, 1_000_000 * (1 + lab.seed) + i) for i in range(lab["small"])]
    series = f"small trees: {part_text(COOLING)}"
    found = np.array(lab.step(series, errors, COOLING, Mean(), trees, steps))
    for k, n in enumerate(steps):
        lab.observe(series, n, ERROR, Average(found[:, k].tolist()))
        by_schedule = expected(COOLING, trees, n)
        lab.observe("small trees: schedule", n, ERROR, Exact(float(np.mean(by_schedule))))
    last = multiple(found[:, -1], by_schedule)
    lab.observe(series, steps[-1], "error / schedule", last, "schedule")
    left = multiple(found[:, -1], found[:, 0])
    lab.observe(series, None, "error, last / after 100", left, "cooling")
