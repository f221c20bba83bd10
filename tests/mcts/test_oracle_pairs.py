"""Pairs of select and backup rules on tic-tac-toe: who finds the best moves, and who does not.

A slice of `benchmarks/agreement/oracle.py`, about as many positions; all pairs stand in
docs/mcts/convergence.md.
"""

from __future__ import annotations

import pytest

from ponder import engine, position
from ponder.jit import COMPILED
from reference.whole_game import solve_all

pytestmark = pytest.mark.skipif(not COMPILED, reason="too slow in plain mode")

CONVERGING = [
    ("ucb1(c=2.83)", "robust_max(points=9)"),
    ("thompson()", "minimax(points=36)"),
    ("urgency(points=9)", "max(points=36)"),
]
NOT_CONVERGING = [
    # no external nodes: two or three random games are enough to call a move lost, and it gets as
    # many visits as the logarithm of the simulations to prove the contrary
    ("ucb1(c=2.83)", "robust_max(points=1)"),
    ("progressive_pruning()", "robust_max(points=9)"),
]


@pytest.fixture(scope="module")
def told():
    """Every seventh position in which it matters what is played."""
    known = solve_all(position("tictactoe")).values()
    return [k for k in known if 0 < len(k.best) < len(k.position.legal_actions)][::7]


def missed(select, backup, told):
    searcher = engine(f"mcts(select={select}, backup={backup})")
    return [
        k.position.text()
        for k in told
        if searcher.search(k.position, simulations=8000, seed=1).action not in k.best
    ]


@pytest.mark.parametrize(("select", "backup"), CONVERGING)
def test_pairs_that_converge_find_a_best_move(select, backup, told):
    assert len(told) > 400
    assert missed(select, backup, told) == []


@pytest.mark.parametrize(("select", "backup"), NOT_CONVERGING)
def test_pairs_that_do_not_converge_miss_some(select, backup, told):
    assert len(missed(select, backup, told)) >= 3
