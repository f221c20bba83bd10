"""What the experiments on Monte Carlo search compute besides, against arithmetic done here."""

from __future__ import annotations

import random

import pytest

from ponder.core.position import Position
from ponder.games.pgame import PGame
from ponder.jit import COMPILED
from ponder.lab.optimality import COOLING, cooling_value, soft_value
from ponder.lab.pgame import known
from ponder.lab.robust import chance_of_better
from ponder.lab.trees import RandomTree
from ponder.mcts.select.drawn import Boltzmann, EpsilonGreedy, UCBSampled
from ponder.search.minimax import Minimax


def test_the_limit_of_epsilon_greedy_is_the_value_of_play_with_random_mistakes():
    # MIN below: 0.9 * -0.5 + 0.1 * mean(-0.5, 0.5), and 0.9 * 0 + 0.1 * mean(0, 0.8)
    below = -0.45, 0.04
    expected = 0.9 * below[1] + 0.1 * (below[0] + below[1]) / 2
    found = soft_value(EpsilonGreedy(epsilon=0.1), [-0.5, 0.5, 0.0, 0.8], 2, "+-")
    assert found == pytest.approx(expected, abs=1e-12)


def test_the_limits_of_the_other_constant_rules_are_means_by_their_probabilities():
    # utilities 0 and 0.5 are 0.5 and 0.75 of the range -1 .. 1
    assert soft_value(UCBSampled(), [0.0, 0.5], 2, "+") == pytest.approx(0.5 * 0.75 / 1.25)
    odds = 2.718281828459045 ** ((0.75 - 0.5) / 0.1)
    expected = 0.5 * odds / (1 + odds)
    assert soft_value(Boltzmann(temperature=0.1), [0.0, 0.5], 2, "+") == pytest.approx(expected)


@pytest.mark.parametrize("seed", range(3))
def test_a_falling_temperature_is_worth_the_mean_of_all_its_draws(seed):
    tree = RandomTree(2, "+", seed)
    worse, better = sorted(tree.leaves())
    total = 0.0
    for visit in range(1, 5001):
        odds = visit ** ((better - worse) / 2)  # the range of utilities is 2
        total += (odds * better + worse) / (odds + 1)
    assert cooling_value(COOLING, tree, 5000) == pytest.approx(total / 5000, abs=1e-3)


@pytest.mark.skipif(not COMPILED, reason="too slow in plain mode")
@pytest.mark.parametrize("seed", range(3))
def test_the_exact_values_of_a_pgame_are_those_of_minimax(seed):
    tree = known(PGame(3, 6, seed))
    start = Position(tree.game)
    # after a move of MAX it is MIN's turn: the value is MIN's
    values = [-Minimax().search(start.play(str(a + 1)), depth=5).value for a in range(3)]
    assert [(v > 0) - (v < 0) for v in values] == [int(v) for v in tree.moves]
    assert 3**3 <= tree.leaves <= 3**6


def test_65_of_100_is_better_than_2_of_3_as_often_as_drawn_beliefs_say():
    rng = random.Random(1)
    draws = 40_000
    hits = sum(rng.betavariate(66, 36) > rng.betavariate(3, 2) for _ in range(draws))
    assert chance_of_better(65, 100, 2, 3) == pytest.approx(hits / draws, abs=0.01)
    assert chance_of_better(4, 9, 4, 9) == pytest.approx(0.5)
