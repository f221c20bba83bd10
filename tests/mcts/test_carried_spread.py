"""The spread of moves in a search that continues a tree."""

from __future__ import annotations

import math

import pytest

from ponder import MCTS, position
from ponder.core.registry import parse_engine
from ponder.mcts.between_moves import Remembering
from ponder.mcts.view import SearchTree

HEX = position("hex(size=3)")  # won or lost: the mean square of all results is 1
START = position("tictactoe")
ENGINES = [
    "mcts()",
    "mcts(select=ucb1_tuned())",
    "mcts(threads=2)",
    "mcts(threads=3, parallel='root')",
    "mcts(threads=2, parallel='leaf')",
]


def spreads_fit_the_means(result):
    for row in result.moves:
        if row.visits:
            assert row.spread == pytest.approx(math.sqrt(1.0 - row.value**2), abs=1e-6), row
    return True


@pytest.mark.parametrize("text", ENGINES[:-1])
@pytest.mark.parametrize("moves", ["", "b2 a1"])
def test_carried_results_count_in_the_spread(text, moves):
    engine, later = parse_engine(text), HEX.play_all(moves)
    first = engine.search(HEX, simulations=2000, seed=1)
    for simulations in (1, 300):
        again = engine.search(later, simulations=simulations, seed=2, tree=first.tree)
        assert sum(row.visits for row in again.moves) > simulations
        assert spreads_fit_the_means(again)
        third = engine.search(later, simulations=simulations, seed=3, tree=again.tree)
        assert spreads_fit_the_means(third)


@pytest.mark.plain
@pytest.mark.parametrize("text", ENGINES)
def test_going_on_with_a_position_the_spread_stays_exact(text, tmp_path):
    engine = parse_engine(text)
    first = engine.search(START, simulations=900, seed=1)
    first.tree.save(tmp_path / "first.tree")
    for tree in (first.tree, SearchTree.load(tmp_path / "first.tree")):
        again = engine.search(START, simulations=9, seed=2, tree=tree)
        before = {row.name: row for row in first.moves}
        for row in again.moves:
            old = before[row.name]
            new = sum_of_squares(row) - sum_of_squares(old)
            assert -1e-6 <= new <= row.visits - old.visits + 1e-6, "squares are from 0 to 1"
            if "leaf" not in text:
                assert new == pytest.approx(round(new), abs=1e-6), "results are -1, 0 and 1"


def sum_of_squares(row):
    return row.visits * (row.spread**2 + row.value**2)


def test_where_nodes_keep_squares_the_spread_is_theirs():
    engine = parse_engine("mcts(select=ucb1_tuned())")
    first = engine.search(START, simulations=3000, seed=1)
    again = engine.search(START.play_all("b2 a1"), simulations=10, seed=2, tree=first.tree)
    for node in again.tree.root.children:
        row = next(row for row in again.moves if row.name == node.name)
        record = again.tree._store.nodes[node.index]
        square = float(record.squares) / node.visits
        assert row.spread == pytest.approx(math.sqrt(max(0.0, square - node.value**2)), abs=1e-6)


def test_otherwise_the_spread_is_no_less_than_it_was():
    first = MCTS().search(START, simulations=3000, seed=1)
    again = MCTS().search(START.play_all("b2 a1"), simulations=1, seed=2, tree=first.tree)
    for row in again.moves:
        assert 0 <= row.spread <= math.sqrt(1.0 - row.value**2) + 1e-9
        assert row.spread > 0 or abs(row.value) == 1


def test_a_player_that_remembers_decides_by_all_results():
    player = Remembering(parse_engine("mcts(decide=lower_bound(z=5.0), simulations=200)"))
    here = HEX
    for _ in range(3):
        result = player.search(here, seed=1)
        assert spreads_fit_the_means(result)
        here = here.play(result.action)
