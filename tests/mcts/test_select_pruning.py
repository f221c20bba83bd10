"""Progressive pruning: what is cut, that it stays cut, and what that costs."""

from __future__ import annotations

import math
from statistics import fmean, pvariance

import pytest

from ponder import MCTS, position
from ponder.core.rng import new_rng
from ponder.select import UCB1, ProgressivePruning
from reference.node_family import Family

SEEN = (
    [1.0, 1.0, 0.0, 1.0, 1.0, 0.5],  # 0.75, the best
    [0.0, 0.1, 0.0, 0.1, 0.0, 0.1],  # 0.05, clearly worse
    [1.0, -1.0, 1.0, 0.5, 1.0, -1.0],  # 0.25, but it varies
    [0.0, 0.0],  # too few to tell
)


def test_a_child_is_cut_when_its_upper_bound_is_below_the_best_lower_bound():
    family = Family(ProgressivePruning(z=1.5, least=5), SEEN)

    def bound(seen, z):
        return fmean(seen) + z * math.sqrt(pvariance(seen) / len(seen))

    safe = max(bound(seen, -1.5) for seen in SEEN if len(seen) >= 5)
    wanted = [int(len(seen) >= 5 and bound(seen, 1.5) < safe) for seen in SEEN]
    assert wanted == [0, 1, 0, 0]
    assert family.choose(new_rng(1)) == 3  # the least visited
    assert family.store.children(0).cut.tolist() == wanted


def test_of_what_is_left_the_least_visited_is_next():
    family = Family(ProgressivePruning(z=1.5, least=5), SEEN[:3])
    family.tree.nodes[1].visits += 1
    assert family.choose(new_rng(1)) == 2  # the second has as few visits, but is cut
    assert family.store.children(0).cut.tolist() == [0, 1, 0]


TRAP = position("tree('[[1, -1, -1, -1, -1, -1, -1, -1, -1, -1], 0, -1]', 1)")
"""One player: the first move wins, for who then finds the only good one of ten."""


@pytest.mark.parametrize("seed", range(5))
def test_a_move_that_looks_bad_is_lost_for_good_where_ucb1_comes_back_to_it(seed):
    visits = {}
    for simulations in (1_000, 20_000):
        pruned = MCTS(select=ProgressivePruning(z=2.0, least=9)).search(
            TRAP, simulations=simulations, seed=seed
        )
        visits[simulations] = {row.action: row.visits for row in pruned.moves}
        assert pruned.action == 1
        assert pruned.root_value == pytest.approx(0.0, abs=0.1)
    assert visits[1_000][0] == visits[20_000][0]  # never visited again
    free = MCTS(select=UCB1()).search(TRAP, simulations=20_000, seed=seed)
    assert free.action == 0
    assert free.root_value > 0.8
