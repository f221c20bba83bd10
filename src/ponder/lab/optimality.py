"""Which tree policies find the minimax value in the limit: with the mean as backup, and without.

Random trees of 3 moves at each of 4 plies, small enough to be built whole within some hundred
simulations; from then on no random game is played, and all that is left is the tree policy and the
backup rule. Of a policy that keeps choosing bad moves with a fixed probability the limit itself is
known: every node is worth the mean of its children by those probabilities (`soft_value`). Of a
temperature that falls like 1 / ln N it is known how slowly bad moves die out (`cooling_value`).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ponder.core.position import Position
from ponder.core.registry import part_text
from ponder.lab.old_report import Report, Tell
from ponder.lab.trees import RandomTree, levels
from ponder.mcts.backup.extremes import TreeMinimax
from ponder.mcts.backup.mean import Mean
from ponder.mcts.engine import MCTS
from ponder.mcts.select.drawn import Boltzmann, EpsilonGreedy, UCBSampled
from ponder.mcts.select.ucb import UCB1, UCTDecaying

BRANCHING, TURNS = 3, "+-+-"
LOWEST, HIGHEST = -1.0, 1.0
STEPS = (100, 1_000, 10_000, 100_000, 1_000_000)
CONSTANT = (EpsilonGreedy(epsilon=0.1), Boltzmann(temperature=0.1), UCBSampled())
"""The probability of a bad move does not vanish."""
COOLING = Boltzmann(temperature=1.0, decay=True)
GREEDY = (
    UCB1(c=2.0 * math.sqrt(2.0)),
    UCTDecaying(),
    EpsilonGreedy(epsilon=1.0, decay=0.5),
    COOLING,
)
"""They explore for ever, and are greedy in the limit."""
FAR = (10**6, 10**12, 10**30)
"""Simulations for which the error of `COOLING` is computed."""


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


def errors(rule: Any, backup: Any, trees: list[RandomTree], simulations: int) -> float:
    """The mean distance between the value of the root and the exact one."""
    engine = MCTS(select=rule, backup=backup)
    off = 0.0
    for tree in trees:
        found = engine.search(Position(tree), simulations=simulations, seed=tree.seed)
        off += abs(found.value - exact(tree))
    return off / len(trees)


def exact(tree: RandomTree) -> float:
    return float(levels(tree.leaves(), tree.branching, tree.turns)[0][0])


def run(quick: bool, seed: int, tell: Tell) -> Report:
    steps = STEPS[1:4] if quick else STEPS
    trees = [RandomTree(BRANCHING, TURNS, 1_000 * seed + i) for i in range(5 if quick else 10)]
    kinds = (
        ("constant", CONSTANT[:1] if quick else CONSTANT),
        ("greedy", GREEDY[:1] if quick else GREEDY),
    )
    rows: list[tuple[Any, ...]] = []
    stuck: list[tuple[float, float]] = []  # error in the end, and what it tends to
    closer: list[float] = []  # error in the end, as a share of that of a hundredth of the effort
    minimax: list[float] = []
    cooled = 0.0  # the error of the falling temperature in the end
    for backup in (Mean(), TreeMinimax()):
        for kind, rules in kinds:
            for rule in rules:
                name = part_text(rule)
                tell(f"{part_text(backup)}, {name}: {len(trees)} trees to {steps[-1]:,}")
                found = [errors(rule, backup, trees, n) for n in steps]
                limit = 0.0
                if isinstance(backup, TreeMinimax):
                    minimax.append(found[-1])
                elif rule is COOLING:
                    cooled = found[-1]
                elif kind == "greedy":
                    closer.append(found[-1] / found[-3])
                else:
                    limit = soft_error(rule, trees)
                    stuck.append((found[-1], limit))
                rows.append((part_text(backup), name, *found, limit))
    off = max(abs(error / limit - 1.0) for error, limit in stuck)
    expected = [cooling_error(COOLING, trees, n) for n in (steps[-1], *FAR)]
    slow = ""
    if not quick:
        slow = (
            f"; falling temperature: {cooled:.3f} left, {expected[0]:.3f} expected by its "
            "schedule, so its limit is computed, not seen"
        )
    as_expected = quick or abs(cooled / expected[0] - 1.0) < 0.5
    return Report(
        claim="with the mean as backup, epsilon-greedy and Boltzmann exploration with a constant "
        "parameter do not converge to the minimax value, UCB1 does; a decaying parameter or "
        "minimax backup repairs them",
        source="Helmert, Foundations of AI (Basel), G7; Kocsis & Szepesvari 2006",
        columns=("backup", "select", *(f"error at {n:,}" for n in steps), "tends to"),
        rows=tuple(rows),
        holds=off < 0.2 and max(closer) < 0.5 and max(minimax) < 1e-9 and as_expected,
        conclusion=(
            f"constant: the error stops at {min(e for e, _ in stuck):.3f} or more, within "
            f"{off:.0%} of the computed limit; greedy in the limit: of the error at "
            f"{steps[-3]:,} simulations at most {max(closer):.0%} is left at {steps[-1]:,}; "
            f"minimax backup: at most {max(minimax):.1g}{slow}"
        ),
        notes=(
            f"mean distance of the root's value from the exact one, {len(trees)} random trees, "
            "utilities from -0.9 to 0.9",
            "tends to: for constant policies computed from the tree, every node being worth the "
            "mean of its children by the probabilities of the policy; 0 for the others by theory",
            "the falling temperature comes to 0 as slowly as 1 / ln N: by its schedule "
            + ", ".join(
                f"{error:.3f} after 10^{len(str(n)) - 1}"
                for n, error in zip(FAR, expected[1:], strict=True)
            ),
        ),
    )


def cooling_error(rule: Boltzmann, trees: list[RandomTree], simulations: float) -> float:
    """The error that a falling temperature with mean backup has left after so many simulations."""
    off = (cooling_value(rule, tree, simulations) - exact(tree) for tree in trees)
    return sum(map(abs, off)) / len(trees)


def soft_error(rule: Any, trees: list[RandomTree]) -> float:
    """The error that a constant policy with mean backup tends to, over all trees."""
    off = (soft_value(rule, t.leaves(), t.branching, t.turns) - exact(t) for t in trees)
    return sum(map(abs, off)) / len(trees)
