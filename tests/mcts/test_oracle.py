"""Monte Carlo tree search against exhaustive truth: it must end up with the best moves."""

from __future__ import annotations

import pytest

from ponder import MCTS, Position, position
from ponder.games.pgame import PGame
from ponder.games.tree import tree_game
from ponder.search.reference import expectimax, expectiminimax, max_n, minimax
from ponder.select import UCB1
from reference.naive_pgame import telling_seeds
from reference.naive_tictactoe import NaiveTicTacToe
from reference.whole_game import solve_all

UNIT = UCB1(c=2.83)
"""Auer's sqrt(2), for utilities in [-1, 1] instead of [0, 1]."""


def tree(nested, players=2):
    return Position(tree_game(nested, players))


def leaf(*utilities):
    return {"returns": list(utilities)}


# ------------------------------------------------------------------ tic-tac-toe


def test_a_best_move_in_every_position_of_tic_tac_toe():
    known = solve_all(position("tictactoe"))
    undecided = [k for k in known.values() if not k.position.is_terminal]
    assert len(undecided) == 4_520
    wrong = [
        k.position.text()
        for k in undecided
        if MCTS().search(k.position, simulations=8000, seed=1).action not in k.best
    ]
    assert wrong == []


def test_a_best_move_on_plain_python_rules_too():
    known = solve_all(Position(NaiveTicTacToe()))
    late = [k for k in known.values() if len(k.position.legal_actions) in (3, 4)]
    chosen = late[::40]
    assert len(chosen) > 30
    for k in chosen:
        found = MCTS().search(k.position, simulations=500, seed=1)
        assert found.action in k.best, k.position


# ------------------------------------------------------------------ random minimax trees


def failures(branching, depth, trees, runs, simulations):
    """The share of searches that recommend a move that is not a best one."""
    failed = 0
    for seed, best in trees.items():
        s = Position(PGame(branching, depth, seed))
        for run in range(runs):
            found = MCTS(select=UNIT).search(s, simulations=simulations, seed=run)
            failed += found.action not in best
    return failed / (len(trees) * runs)


@pytest.mark.parametrize(("branching", "depth", "count"), [(2, 20, 20), (8, 6, 12)])
def test_failures_of_uct_on_random_trees_vanish(branching, depth, count):
    # Kocsis & Szepesvari 2006, figure 2: the failure rate falls to zero with the simulations
    trees = telling_seeds(branching, depth, count)
    few = failures(branching, depth, trees, 5, 30)
    more = failures(branching, depth, trees, 5, 1_000)
    many = failures(branching, depth, trees, 5, 30_000)
    assert few > more
    assert many == 0


# ------------------------------------------------------------------ chance

GAMBLES = {
    "safe": 0.2,
    "even": {"chance": [[0.5, 1], [0.5, -1]]},
    "good": {"chance": [[0.7, 0.9], [0.3, -0.8]]},  # 0.39
    "late": {"chance": [["1/3", [0.6, -0.6]], ["2/3", [0.1, -0.2]]]},  # 0.8 / 3
}


def test_one_player_against_chance_gets_the_value_of_expectimax():
    s = tree({"moves": GAMBLES}, 1)
    exact = {a: expectimax(s.play(a)).value for a in s.legal_actions}
    assert exact == pytest.approx({0: 0.2, 1: 0.0, 2: 0.39, 3: 0.8 / 3})
    found = MCTS(select=UNIT).search(s, simulations=200_000, seed=1)
    assert found.action == expectimax(s).action == 2
    assert found.root_value == pytest.approx(0.39, abs=0.01)
    for row in found.moves:
        # the best move is seen most; standard error of the others: about 1 / sqrt(visits)
        assert row.value == pytest.approx(exact[row.action], abs=4 / row.visits**0.5 + 0.01)


def test_two_players_and_chance_get_the_value_of_expectiminimax():
    # MIN answers each outcome: 0.5 * 0.1 + 0.5 * 0.3 = 0.2 against 0.9 * 0.3 - 0.1 * 0.5 = 0.22
    nested = [
        {"chance": [[0.5, [0.1, 0.8]], [0.5, [0.9, 0.3]]]},
        {"chance": [[0.9, [0.3, 0.5]], [0.1, [1, -0.5]]]},
        {"chance": [["1/6", [1, 0.9]], ["5/6", [-0.1, 0.4]]]},
    ]
    s = tree(nested)
    exact = expectiminimax(s)
    assert (exact.action, exact.value) == (1, pytest.approx(0.22))
    found = MCTS(select=UCB1(c=0.5)).search(s, simulations=300_000, seed=1)
    assert found.action == 1
    assert found.root_value == pytest.approx(0.22, abs=0.01)
    assert found.root_values[1] == pytest.approx(-found.root_values[0])


# ------------------------------------------------------------------ players and turns


@pytest.mark.parametrize(
    "nested",
    [
        # greedy for player 0 is the first branch; player 1 then takes it away
        [[leaf(1, 0, 0), leaf(0, 1, 0)], [leaf(0.4, 0.3, 0.3), leaf(0.9, 0.1, 0)]],
        # what player 1 does depends on player 2
        [
            [[leaf(0.9, 0.1, 0), leaf(0.1, 0.2, 0.7)], [leaf(0.3, 0.4, 0.3), leaf(0.2, 0.6, 0.2)]],
            [[leaf(0.2, 0.8, 0), leaf(0.7, 0.1, 0.2)], [leaf(0.5, 0.2, 0.3), leaf(0, 1, 0)]],
        ],
        # nobody is anybody's enemy
        [[leaf(0.2, 0.2, 0.2), leaf(1, 1, 1)], leaf(0.6, 0, 0)],
    ],
)
def test_three_players_find_the_move_of_max_n(nested):
    s = tree(nested, 3)
    exact = max_n(s)
    found = MCTS(select=UCB1(c=1.4)).search(s, simulations=100_000, seed=1)
    assert found.action == exact.action
    assert found.line == exact.line
    assert found.root_values == pytest.approx(exact.values, abs=0.02)


def test_one_player_finds_the_best_leaf():
    s = tree([[0.1, [0.3, [0.9, -1]]], [0.5, 0.6], [[[-1, -1], 0.8], -1]], 1)
    found = MCTS(select=UNIT).search(s, simulations=50_000, seed=1)
    assert found.line == minimax(s).line == (0, 1, 1, 0)
    assert found.root_value == pytest.approx(0.9, abs=0.02)


@pytest.mark.parametrize(
    "nested",
    [
        # player 0 moves twice: a sign that changes at every ply would avoid the first branch
        {"player": 0, "moves": [{"player": 0, "moves": [1, -1]}, 0.2]},
        # the opponent moves twice
        {"player": 0, "moves": [[{"player": 1, "moves": [0.9, -0.6]}, 0.8], [0.3, 0.1]]},
        # player 0 once, the opponent twice, player 0 twice
        [
            [{"player": 1, "moves": [[{"player": 0, "moves": [-0.9, 0.4]}], [0.5]]}],
            [{"player": 1, "moves": [[{"player": 0, "moves": [1, 0.9]}], [-0.5]]}],
        ],
        # player 1 begins
        {"player": 1, "moves": [{"player": 1, "moves": [0.7, -0.4]}, -0.2]},
    ],
)
def test_turns_need_not_alternate(nested):
    s = tree(nested)
    exact = minimax(s)
    found = MCTS(select=UNIT).search(s, simulations=50_000, seed=1)
    assert found.line == exact.line
    assert found.root_value == pytest.approx(exact.value, abs=0.02)
