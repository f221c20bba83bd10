"""Which rules end up with the truth, and which do not, and where those end up instead.

Forty random minimax trees (P-games) whose root moves differ in value; the truth by an alpha-beta
search of its own in `reference.naive_pgame`.
"""

from __future__ import annotations

import math

import pytest

from ponder import MCTS, Position, position
from ponder.games.tree import tree_game
from ponder.jit import COMPILED
from ponder.select import (
    KLUCB,
    MOSS,
    UCB1,
    UCBV,
    Boltzmann,
    EpsilonGreedy,
    SequentialHalving,
    Thompson,
    UCB1Spread,
    UCB1Tuned,
    UCBSampled,
    UCTDecaying,
)
from reference.naive_pgame import move_value, telling_seeds

BRANCHING, DEPTH, TREES = 3, 6, 40


def p_game(seed):
    """The P-game written out as an explicit tree: all tests here then share compiled code."""

    def below(path, total, ply):
        if ply == DEPTH:
            return (total > 0) - (total < 0)
        sign = -1 if ply % 2 else 1
        paths = range(path * BRANCHING, path * BRANCHING + BRANCHING)
        return [below(p, total + sign * move_value(seed, p), ply + 1) for p in paths]

    return Position(tree_game(below(1, 0, 0)))


CONVERGING = [
    # and the simulations that are enough for all the trees
    (UCB1Tuned(), 5_000),
    (UCBV(c=0.1), 5_000),
    (UCB1Spread(), 5_000),
    (UCTDecaying(), 5_000),
    (MOSS(), 5_000),
    (KLUCB(), 5_000),
    (EpsilonGreedy(epsilon=1.0, decay=0.5), 5_000),
    (Boltzmann(temperature=1.0, decay=True), 5_000),
    (Thompson(), 5_000),
    (SequentialHalving(), 5_000),
]


@pytest.mark.skipif(not COMPILED, reason="too slow in plain mode")
@pytest.mark.parametrize(("rule", "simulations"), CONVERGING, ids=lambda part: type(part).__name__)
def test_rules_that_converge_recommend_a_best_move_of_every_tree(rule, simulations):
    failed = [
        seed
        for seed, best in telling_seeds(BRANCHING, DEPTH, TREES).items()
        if MCTS(select=rule).search(p_game(seed), simulations=simulations, seed=1).action
        not in best
    ]
    assert failed == []


# ------------------------------------------------------------------ where the mean ends up

TEXTBOOK = ((3.0, 12.0, 8.0), (2.0, 4.0, 6.0), (14.0, 5.0, 2.0))
"""MAX chooses a row, MIN a number in it: worth 3. Utilities lie in -14 .. 14."""
LOW, WIDTH = -14.0, 28.0


def limit(policy):
    """The value if MIN, then MAX, draw by policy(values for the mover) in the long run."""

    def mixed(values):
        return sum(p * v for p, v in zip(policy(values), values, strict=True))

    return mixed([-mixed([-leaf for leaf in row]) for row in TEXTBOOK])


def rescaled(values):
    return [(v - LOW) / WIDTH for v in values]


def greedy_but(epsilon):
    def policy(values):
        best = max(values)
        return [epsilon / len(values) + (1 - epsilon) * (v == best) for v in values]

    return policy


def softmax(tau):
    def policy(values):
        powers = [math.exp(v / tau) for v in rescaled(values)]
        return [power / sum(powers) for power in powers]

    return policy


def in_proportion(values):
    shares = rescaled(values)
    return [share / sum(shares) for share in shares]


NOT_CONVERGING = [
    (EpsilonGreedy(epsilon=0.2), greedy_but(0.2)),
    (Boltzmann(temperature=0.2), softmax(0.2)),
    (UCBSampled(c=0.02), in_proportion),
]


@pytest.mark.skipif(not COMPILED, reason="too slow in plain mode")
@pytest.mark.parametrize(
    ("rule", "policy"), NOT_CONVERGING, ids=lambda part: getattr(type(part), "__name__", "")
)
def test_a_policy_that_stays_random_averages_its_bad_moves_into_the_value(rule, policy):
    wanted = limit(policy)
    assert abs(wanted - 3) > 0.3  # not the minimax value
    found = MCTS(select=rule).search(position("tree"), simulations=400_000, seed=1)
    assert found.root_value == pytest.approx(wanted, abs=0.06)


@pytest.mark.skipif(not COMPILED, reason="too slow in plain mode")
@pytest.mark.parametrize(
    "rule",
    [
        UCB1(c=1.0 / 7.0),
        UCB1Tuned(),
        UCB1Spread(c=1.0),
        UCTDecaying(),
        EpsilonGreedy(epsilon=20.0, decay=1.0),
        Thompson(),
    ],
    ids=lambda part: type(part).__name__,
)
def test_the_value_of_rules_that_converge_comes_to_the_minimax_value(rule):
    found = MCTS(select=rule).search(position("tree"), simulations=400_000, seed=1)
    assert found.root_value == pytest.approx(3.0, abs=0.1)
