"""Pairs of select and backup rules on tic-tac-toe: the best moves must be found.

A small slice of `benchmarks/oracle.py tictactoe`: docs/mcts/convergence.md has the whole table.
"""

from __future__ import annotations

import pytest

from ponder import engine, position
from ponder.jit import COMPILED
from reference.whole_game import solve_all

PAIRS = [
    ("ucb1_spread()", "mean()"),
    ("ucb1(c=1.4)", "minimax()"),
    ("epsilon_greedy(epsilon=1.0, decay=0.5)", "power_mean(p=8.0)"),
    ("moss()", "solver()"),
]


@pytest.fixture(scope="module")
def told():
    """Every fortieth position in which it matters what is played."""
    known = solve_all(position("tictactoe")).values()
    return [k for k in known if 0 < len(k.best) < len(k.position.legal_actions)][::40]


@pytest.mark.skipif(not COMPILED, reason="too slow in plain mode")
@pytest.mark.parametrize(("select", "backup"), PAIRS)
def test_pairs_that_converge_find_a_best_move(select, backup, told):
    searcher = engine(f"mcts(select={select}, backup={backup})")
    assert len(told) > 50
    for k in told:
        assert searcher.search(k.position, simulations=8000, seed=1).action in k.best, k.position
