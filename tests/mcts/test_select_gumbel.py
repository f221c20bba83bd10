"""`gumbel` against its formulas, written out once more, and against its theorem."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest

from ponder import MCTS, InputError, engine, position
from ponder.expand import AllChildren
from ponder.mcts.select.gumbel import Gumbel, best_of_turn, furthest_behind, improved_policy

PRIORS = np.array([0.5, 0.3, 0.2])
SPEC = "mcts(select=gumbel(considered=4), expand=all_children(priors=order()), decide=improved())"


class Fixed(NamedTuple):
    """Priors by action."""

    def fill(self, game, s, tree, first, count, work):
        for child in range(first, first + count):
            tree.nodes[child].prior = PRIORS[tree.nodes[child].action]


@pytest.mark.plain
@pytest.mark.parametrize(("c_scale", "expected"), [(0.0, 0.2), (1e4, 17 / 35)])
def test_two_simulations_do_not_make_the_policy_worse(c_scale, expected):
    """q = (0, 0, 1), P = (.5, .3, .2): the two likeliest moves would give 0, the policy itself 0.2.

    Noise makes two simulations as good as the policy whatever the values say (0.2), and 17/35 if
    the values decide: the chance that C is among two moves drawn without replacement.
    """
    rule = Gumbel(considered=2, c_scale=c_scale, scale=1.0)
    searcher = MCTS(select=rule, expand=AllChildren(priors=Fixed()))
    start = position("tree('[0, 0, 1]')")
    won, games = 0, 2_500
    for seed in range(games):
        tree = searcher.search(start, simulations=2, seed=seed).tree
        arrays = tree._store.tree
        pick = best_of_turn(rule, tree.parts, arrays, 0, tree.memory.select, 1)
        won += int(arrays.nodes[pick].action) == 2
    spread = np.sqrt(expected * (1 - expected) / games)
    assert abs(won / games - expected) < 4 * spread


@pytest.mark.plain
def test_the_improved_policy_is_what_the_paper_says():
    spec = "mcts(select=gumbel(), expand=all_children(priors=order()), evaluate=static())"
    found = engine(spec).search(position("connect4(rows=4, columns=5)"), simulations=400, seed=2)
    tree = found.tree
    arrays, rule, looked = tree._store.tree, Gumbel(), 0
    for node in tree.walk():
        if not node.is_expanded or node.parent is None or node.position.is_terminal:
            continue
        first, count = int(arrays.nodes[node.index].first), int(arrays.nodes[node.index].count)
        below = arrays.nodes[first : first + count]
        n, p = below.visits.astype(float), below.prior.astype(float)
        q = np.where(n > 0, below.value / np.maximum(n, 1), 0.0)
        mover = node.position.current_player
        said = node.position.rules.evaluate(node.position.raw_state)[mover]
        seen = n > 0
        mixed = said
        if seen.any():
            mixed = (said + n.sum() * (p * q)[seen].sum() / p[seen].sum()) / (1 + n.sum())
        logits = np.log(p) + (50 + n.max()) * np.where(seen, q, mixed)
        expected = np.exp(logits - logits.max()) / np.exp(logits - logits.max()).sum()
        out = np.zeros(count)
        improved_policy(rule, tree.parts, arrays, node.index, out)
        assert out == pytest.approx(expected, abs=1e-6)
        pick = furthest_behind(rule, tree.parts, arrays, node.index, out)
        assert pick - first == int(np.argmax(expected - n / (1 + n.sum())))
        looked += 1
    assert looked > 100


def test_the_root_is_halved_by_plan_and_compiled_as_in_plain_python():
    """64 simulations, 4 moves: 8 for each, then 16 more for each of two (mctx's sequence)."""
    found = engine(SPEC).search(position("connect4"), simulations=64, seed=1)
    assert sorted(row.visits for row in found.moves) == [0, 0, 0, 8, 8, 24, 24]
    likeliest = sorted(found.moves, key=lambda row: -row.prior)[:2]
    assert all(row.visits for row in likeliest)
    best = [row for row in found.moves if row.visits == 24]
    merit = {row.action: np.log(row.prior) + 74 * row.value for row in best}
    assert found.action == max(merit, key=merit.get)


@pytest.mark.plain
def test_what_it_needs_is_asked_for():
    start = position("tictactoe")
    with pytest.raises(InputError, match="gives every child a prior"):
        engine("mcts(select=gumbel(), expand=nth_visit())").search(start, simulations=8)
    with pytest.raises(InputError, match="give the number of simulations"):
        engine("mcts(select=gumbel(), expand=all_children())").search(start, seconds=0.01)
    with pytest.raises(InputError, match="threads=1"):
        engine("mcts(select=gumbel(), expand=all_children(), threads=2)").search(
            start, simulations=8
        )
    with pytest.raises(InputError, match="considered must be 1 or more"):
        engine("mcts(select=gumbel(considered=0))").search(start, simulations=8)
