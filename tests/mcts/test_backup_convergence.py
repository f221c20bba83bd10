"""Backup rules other than the mean still end up with the best move, and report their own values."""

from __future__ import annotations

import random

import pytest

from plain_games import Countdown
from ponder import MCTS, Position, position
from ponder.backup import Discounted, Max, Mix, PowerMean, RobustMax, TreeMinimax
from ponder.games.tree import tree_game
from ponder.search.reference import max_n, minimax
from ponder.select import UCB1
from reference.naive_tictactoe import NaiveTicTacToe


def uneven_tree(rng):
    """Depth 4, two or three moves each; values of the root moves differ by at least 0.2."""
    while True:

        def node(depth):
            if depth == 0:
                return round(rng.uniform(-1, 1), 2)
            return [node(depth - 1) for _ in range(rng.randint(2, 3))]

        s = Position(tree_game(node(4)))
        values = sorted(minimax(s.play(a), player=0).value for a in s.legal_actions)
        if values[-1] - values[-2] >= 0.2:
            return s


def trees(count):
    rng = random.Random(11)
    return [uneven_tree(rng) for _ in range(count)]


@pytest.mark.parametrize(
    ("rule", "precision"),
    [
        (Max(), 0.0),
        (RobustMax(), 0.0),
        (TreeMinimax(), 0.0),
        (Mix(), 0.05),
        (PowerMean(p=8.0), 0.15),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, tuple) else str(value),
)
def test_the_best_move_of_sixty_random_trees_is_found(rule, precision):
    for s in trees(60):
        exact = minimax(s)
        found = MCTS(select=UCB1(c=1.4), backup=rule).search(s, simulations=20_000, seed=1)
        assert found.action == exact.action, s.game
        # these trees are built to their leaves, where max and minimax are exact
        assert found.root_value == pytest.approx(exact.value, abs=precision + 1e-12), s.game
        assert found.values[0] == pytest.approx(-found.values[1])
        best = next(row for row in found.moves if row.action == found.action)
        assert best.value == pytest.approx(exact.value, abs=precision + 1e-12)


def leaf(*utilities):
    return {"returns": list(utilities)}


def test_three_players_get_the_values_of_max_n():
    nested = [
        [[leaf(0.9, 0.1, 0), leaf(0.1, 0.2, 0.7)], [leaf(0.3, 0.4, 0.3), leaf(0.2, 0.6, 0.2)]],
        [[leaf(0.2, 0.8, 0), leaf(0.7, 0.1, 0.2)], [leaf(0.5, 0.2, 0.3), leaf(0, 1, 0)]],
    ]
    s = Position(tree_game(nested, 3))
    for rule in (Max(), TreeMinimax()):
        found = MCTS(backup=rule).search(s, simulations=5_000, seed=1)
        assert found.root_values == pytest.approx(max_n(s).values), rule
        assert found.action == max_n(s).action


@pytest.mark.plain
def test_discounting_prefers_the_shorter_of_two_wins():
    # the same win in one move or in three; without a discount they are worth the same
    s = Position(tree_game([[[[[1, 1]]]], 1, [-1]]))
    found = MCTS(backup=Discounted(gamma=0.9)).search(s, simulations=2_000, seed=1)
    values = {row.name: row.value for row in found.moves}
    assert values == pytest.approx({"1": 0.9**4, "2": 1.0, "3": -0.9})
    assert found.best_move.name == "2"


def test_discounting_counts_the_moves_of_plain_python_games():
    # two counters, one at a time: the second player takes the last one, two moves from the root
    found = MCTS(backup=Discounted(0.5)).search(Position(Countdown(2, 1)), simulations=10, seed=1)
    assert (found.root_value, found.value) == (-0.25, -0.5)


@pytest.mark.plain
def test_plain_python_rules_may_use_the_other_backups():
    found = MCTS(backup=Max()).search(Position(NaiveTicTacToe()), simulations=500, seed=1)
    assert sum(row.visits for row in found.moves) == 500
    assert found.values[0] == -found.values[1]


@pytest.mark.plain
def test_a_seed_reproduces_a_search_with_another_backup():
    start = position("tictactoe")
    one, two = (MCTS(backup=Mix()).search(start, simulations=500, seed=3) for _ in range(2))
    assert one.moves == two.moves
    assert one.values == two.values
