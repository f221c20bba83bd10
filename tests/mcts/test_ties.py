"""Ties are broken at random, and the seed decides how."""

from collections import Counter

import pytest

from ponder import MCTS, position
from ponder.core.registry import parse_engine
from ponder.core.result import MoveRow
from ponder.mcts.decide import HighestValue, LowerBound, MostVisits, Secure, decide

SEEDS = range(60)


def nothing(positions):
    """Every position is even, every move equally likely."""
    evens = [[0.0, 0.0] for _ in positions]
    return evens, [dict.fromkeys(p.legal_actions, 1.0) for p in positions]


@pytest.mark.parametrize("rule", [MostVisits(), HighestValue(), Secure(), LowerBound()])
def test_equal_moves_are_all_played(rule):
    rows = [MoveRow(i, 10, 0.5, spread=0.1) for i in range(4)]
    rows.append(MoveRow(4, 9, 0.25, spread=0.1))
    played = Counter(decide(rule, rows, seed) for seed in range(400))
    assert set(played) == {0, 1, 2, 3}
    assert min(played.values()) > 60  # 100 each, with a deviation of 8.7


def test_unvisited_moves_are_equal_too():
    rows = [MoveRow(i, 0, None) for i in range(3)]
    assert {decide(MostVisits(), rows, seed) for seed in SEEDS} == {0, 1, 2}


def test_one_visit_each_chooses_any_move():
    engine, start = MCTS(simulations=7), position("connect4")
    played = Counter(engine.search(start, seed=seed).best_move.name for seed in SEEDS)
    assert len(played) == 7


@pytest.mark.parametrize("text", ["mcts(select=puct(), expand=all_children())", None])
def test_the_first_child_of_puct_is_any(text):
    from ponder.presets import alphazero

    engine = parse_engine(text) if text else alphazero(nothing, batch=1)
    start = position("tictactoe")
    first = Counter(engine.search(start, simulations=1, seed=seed).best_move.name for seed in SEEDS)
    assert len(first) >= 8  # all 9 but with a chance of one in a hundred


def test_the_same_seed_breaks_them_alike():
    engine, start = MCTS(simulations=7), position("connect4")
    for seed in SEEDS[:10]:
        assert engine.search(start, seed=seed).action == engine.search(start, seed=seed).action
