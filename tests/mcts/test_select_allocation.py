"""OCBA: the shares of Chen et al., from what the children have seen."""

from __future__ import annotations

import math

import pytest

from ponder import InputError, engine, position
from ponder.core.parts import canonical
from ponder.mcts.why import why
from ponder.select import OCBA

pytestmark = pytest.mark.plain
ARMS = "bandit(arms=(0.7, 0.6, 0.3, 0.25, 0.2))"
ROOT = "mcts(select=ocba(), expand=root_only(), decide=highest_value())"


def shares(rows, width):
    """By the formula: w_i = (s_i / d_i)^2, w_b = s_b sqrt(sum of (w_i / s_i)^2)."""
    least = 1e-3 * width
    best = max(rows, key=lambda row: row.value)
    spread = {row.name: max(row.spread, least) for row in rows}
    weight = {
        row.name: (spread[row.name] / max(best.value - row.value, least)) ** 2
        for row in rows
        if row is not best
    }
    weight[best.name] = spread[best.name] * math.sqrt(
        sum((w / spread[name]) ** 2 for name, w in weight.items())
    )
    return {name: w / sum(weight.values()) for name, w in weight.items()}


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_visits_follow_the_shares_of_the_formula(seed):
    found = engine(ROOT).search(position(ARMS), simulations=1500, seed=seed)
    wanted = shares(found.moves, 1.0)
    told = {reason.name: reason for reason in why(found.tree)}
    for row in found.moves:
        assert told[row.name].terms["share"] == pytest.approx(wanted[row.name], rel=1e-6)
        behind = wanted[row.name] * (1500 + 1) - row.visits
        assert told[row.name].score == pytest.approx(behind, abs=1e-6)
        assert row.visits >= 5
    # the best and its rival get nearly all, what is far from the best next to nothing
    visits = {row.name: row.visits for row in found.moves}
    assert visits["A"] + visits["B"] > 0.8 * 1500


def test_each_child_has_its_first_visits_before_any_is_preferred():
    rule = "mcts(select=ocba(least=8), expand=root_only())"
    found = engine(rule).search(position(ARMS), simulations=40, seed=1)
    assert {row.visits for row in found.moves} == {8}


def test_a_single_child_and_children_alike_are_no_trouble():
    for tree in ("tree([3], players=1)", "tree([[1, 1], [1, 1]])", "tree([2, 2, 2], players=1)"):
        found = engine("mcts(select=ocba())").search(position(tree), simulations=100, seed=1)
        assert sum(row.visits for row in found.moves) == 100


def test_two_visits_at_least_make_a_spread():
    with pytest.raises(InputError, match=r"least of ocba, .*must be 2 or more, not 1"):
        canonical(OCBA(least=1))
