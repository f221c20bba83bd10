"""Random trees: their arrangements and values, and alpha-beta's leaves, against the engines."""

from __future__ import annotations

import numpy as np
import pytest

from ponder.check import check_game
from ponder.core.position import Position
from ponder.lab.ordering import count_leaves, minimal, turns, visited
from ponder.lab.trees import (
    ARRANGEMENTS,
    SCALES,
    RandomTree,
    adversary_leaves,
    arranged,
    levels,
    random_leaves,
    rescaled,
)
from ponder.search.alphabeta import AlphaBeta
from ponder.search.expectiminimax import Expectiminimax
from ponder.search.minimax import Minimax

BARE = AlphaBeta(
    table=False, hints=False, killers=False, history=False, scout=False, aspiration=False
)


@pytest.mark.parametrize("arrangement", ARRANGEMENTS)
@pytest.mark.parametrize("seed", range(3))
def test_the_leaf_counter_visits_what_the_engine_visits(arrangement, seed):
    tree = RandomTree(3, "+-+-+", seed, arrangement)
    session = BARE.start(Position(tree))
    session.run(depth=5)
    found = session.result()
    entered = sum(e.kind == "enter" and len(e.path) == 5 for e in session.events())
    counted = np.zeros(1, np.int64)
    value = count_leaves(tree.leaves(), 3, 5, 0, 0, -np.inf, np.inf, counted)
    assert (entered, found.value) == (counted[0], pytest.approx(value, abs=1e-12))


@pytest.mark.parametrize(("branching", "plies"), [(2, 1), (2, 7), (3, 4), (5, 3)])
def test_the_best_order_takes_the_minimal_tree_and_the_adversary_everything(branching, plies):
    leaves = random_leaves(branching, plies, seed=1)
    best = arranged(leaves, branching, turns(plies), best_first=True)
    assert visited(best, branching, plies) == minimal(branching, plies)
    assert visited(adversary_leaves(branching, plies), branching, plies) == branching**plies


@pytest.mark.parametrize("best_first", [True, False])
def test_sorting_children_keeps_the_leaves_and_the_value(best_first):
    leaves = random_leaves(3, 5, seed=2)
    other = arranged(leaves, 3, "+-+-+", best_first)
    assert sorted(other) == sorted(leaves)
    before, after = levels(leaves, 3, "+-+-+"), levels(other, 3, "+-+-+")
    assert before[0] == after[0]
    for turn, below in zip("+-+-+", after[1:], strict=True):
        steps = np.diff(below.reshape(-1, 3), axis=1)
        assert ((steps <= 0) == ((turn == "+") == best_first)).all()


@pytest.mark.parametrize("scale", SCALES)
def test_every_scale_is_monotone_and_stays_in_range(scale):
    values = rescaled(np.linspace(-0.9, 0.9, 101), scale)
    assert (np.diff(values) > 0).all()
    assert abs(values).max() < 1


@pytest.mark.parametrize("seed", range(5))
def test_engines_find_the_exact_values(seed):
    plain, dicey = RandomTree(3, "+-+-", seed), RandomTree(3, "+?-?", seed)
    exact = [levels(tree.leaves(), 3, tree.turns)[0][0] for tree in (plain, dicey)]
    assert Minimax().search(Position(plain), depth=4).value == exact[0]
    found = Expectiminimax(table=False).search(Position(dicey), depth=4)
    assert found.value == pytest.approx(exact[1], abs=1e-12)


@pytest.mark.parametrize(
    ("wrong", "word"),
    [
        ({"turns": "+x"}, "turns"),
        ({"branching": 1}, "branching"),
        ({"branching": 9, "turns": "+-" * 9}, "leaves"),
        ({"arrangement": "odd"}, "arrangement"),
        ({"scale": "odd"}, "scale"),
    ],
)
def test_a_wrong_parameter_is_named(wrong, word):
    assert word in RandomTree(**wrong).problem()


@pytest.mark.parametrize("turns", ["+-+-", "+?-?"])
def test_a_random_tree_is_a_sound_game(turns):
    assert check_game(RandomTree(3, turns), games=5, seed=1).ok
