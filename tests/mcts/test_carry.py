"""Continuing a tree: the subtree of a played move, its visits and values, what is refused."""

from __future__ import annotations

import numpy as np
import pytest

from plain_games import Countdown
from ponder import MCTS, InputError, Position, position
from ponder.core.registry import parse_engine
from ponder.mcts.carry import drop
from ponder.mcts.expand import OneChild
from ponder.mcts.parts import completed
from ponder.mcts.tree import TreeStore
from ponder.mcts.view import SearchTree

START = position("tictactoe")


@pytest.fixture(scope="module")
def first():
    return MCTS().search(START, simulations=2000, seed=1)


def test_the_visits_below_the_played_move_are_carried_on(first):
    child = next(c for c in first.tree.root.children if c.name == "b2")
    below = {c.name: c.visits for c in child.children}
    later = MCTS().search(START.play("b2"), simulations=300, seed=2, tree=first.tree)
    assert later.simulations == 300
    rows = {row.name: row.visits for row in later.moves}
    assert sum(rows.values()) == 300 + sum(below.values())
    assert all(rows[name] >= visits for name, visits in below.items())
    root = later.tree.root
    assert root.visits == sum(c.visits for c in root.children)
    totals = sum(c.visits * (c.value or 0.0) for c in root.children)
    assert root.value * root.visits == pytest.approx(totals)


def test_the_same_position_is_gone_on_with(first):
    later = MCTS().search(START, simulations=500, seed=2, tree=first.tree)
    assert later.tree.root.visits == 2500
    assert later.value == pytest.approx(-later.values[1])
    assert first.tree.root.visits == 2000, "the earlier tree is left as it was"


def test_two_moves_later_the_node_is_found_too(first):
    later = MCTS().search(START.play_all("b2 a1"), simulations=100, seed=2, tree=first.tree)
    assert sum(row.visits for row in later.moves) > 100


@pytest.mark.parametrize(
    ("engine", "here", "complaint"),
    [
        ("mcts()", "connect4", "another position"),
        ("mcts(select=ucb1_tuned())", "tictactoe", "other parts: it lacks squares"),
    ],
)
def test_trees_that_do_not_fit_are_refused(first, engine, here, complaint):
    with pytest.raises(InputError, match=complaint):
        parse_engine(engine).search(position(here), simulations=10, tree=first.tree)


def test_a_tree_is_not_restricted_to_some_moves(first):
    with pytest.raises(InputError, match="continued as it is"):
        MCTS().search(START, simulations=10, tree=first.tree, moves=["a1"])


def test_only_the_given_moves_are_considered():
    result = MCTS().search(START, simulations=300, seed=1, moves=["a1", "c3"])
    assert sorted(row.name for row in result.moves) == ["a1", "c3"]
    later = MCTS().search(START, simulations=100, moves=["a1", "c3"], tree=result.tree)
    assert sum(row.visits for row in later.moves) == 400


def test_the_tree_of_a_plain_game_is_carried_on_too():
    plain = Position(Countdown(pile=9, most=3))
    tree = MCTS().search(plain, simulations=500, seed=1).tree
    assert sum(r.visits for r in MCTS().search(plain, simulations=100, tree=tree).moves) == 600
    later = plain.play_all([2, 3])  # met in another order, the actions have other numbers
    before = {child.action: child.visits for child in tree.after([2, 3]).children}
    found = MCTS().search(later, simulations=1, seed=1, tree=tree)
    after = {row.action: row.visits for row in found.moves}
    assert sum(after.values()) == sum(before.values()) + 1
    assert all(after[action] >= visits for action, visits in before.items())


def test_plain_games_refuse_what_they_cannot_do(tmp_path):
    plain = Position(Countdown(pile=4))
    tree = MCTS().search(plain, simulations=50, seed=1).tree
    with pytest.raises(InputError, match="plain Python games are searched by one thread"):
        MCTS(threads=2).search(plain, simulations=10)
    with pytest.raises(InputError, match="only trees of compiled games"):
        tree.save(tmp_path / "x.tree")


# ------------------------------------------------------------------ files


def test_a_saved_tree_is_gone_on_with(first, tmp_path):
    file = tmp_path / "first.tree"
    first.tree.save(file)
    tree = SearchTree.load(file)
    assert tree.to_json() == first.tree.to_json()
    assert tree.engine == "mcts()"
    later = MCTS().search(tree.position, simulations=500, seed=2, tree=tree)
    assert later.tree.root.visits == 2500
    whole = MCTS().search(START, simulations=500, seed=2, tree=first.tree)
    assert later.moves == whole.moves


def test_a_damaged_file_is_refused(first, tmp_path):
    file = tmp_path / "first.tree"
    first.tree.save(file)
    data = file.read_bytes()
    flipped = bytearray(data)
    flipped[-100] ^= 1
    for bad, complaint in [
        (bytes(flipped), "damaged"),
        (data[:-7], "damaged"),
        (data[:40], "damaged"),
        (data[:10], "not a saved search tree"),
        (b"", "not a saved search tree"),
        (b"\xff\xfe" + data, "not a saved search tree"),
    ]:
        file.write_bytes(bad)
        with pytest.raises(InputError, match=complaint):
            SearchTree.load(file)
    with pytest.raises(InputError, match="cannot read"):
        SearchTree.load(tmp_path / "none.tree")


# ------------------------------------------------------------------ recycling, graphs


def test_a_full_tree_is_recycled_and_no_visit_is_lost():
    result = MCTS(memory=0.02).search(START, simulations=20_000, seed=1)
    assert result.tree.root.visits == 20_000
    assert sum(row.visits for row in result.moves) == 20_000
    assert any("dropped" in note for note in result.notes)
    assert result.memory <= 0.02 * (1 << 20)
    for node in result.tree.walk():
        if node.is_expanded:
            assert {c.action for c in node.children} == set(node.position.legal_actions)


def test_without_recycling_a_full_tree_stops_growing():
    result = MCTS(memory=0.02, recycle=False).search(START, simulations=5000, seed=1)
    assert result.tree.root.visits == 5000
    assert any("stopped growing" in note for note in result.notes)


def test_transpositions_share_positions_and_find_the_same_value():
    here = START.play_all("b2 a1")
    alone = MCTS().search(here, simulations=20_000, seed=1)
    graph = MCTS(transpositions=True).search(here, simulations=20_000, seed=1)
    assert graph.tree.size < alone.tree.size / 2
    assert graph.tree.root.visits == 20_000
    assert sum(row.visits for row in graph.moves) == 20_000
    assert graph.root_value == pytest.approx(alone.root_value, abs=0.1)
    assert -1 <= min(row.value for row in graph.moves) <= max(row.value for row in graph.moves) <= 1


@pytest.mark.plain
def test_a_full_tree_in_which_children_stand_before_their_parents_loses_only_what_it_must():
    """So threads leave it that take nodes in blocks: 0 -> 5 6, 6 -> 3 4, 3 -> 1 2."""
    store = TreeStore(1)
    store.info[0] = 7
    for node, first, visits in ((0, 5, 9), (5, -1, 1), (6, 3, 8), (3, 1, 7), (4, -1, 1)):
        store.nodes[node].first, store.nodes[node].visits = first, visits
        store.nodes[node].count = 2 if first > 0 else 0
    for leaf in (1, 2):
        store.nodes[leaf].first, store.nodes[leaf].visits = -1, leaf
    store.nodes.action[:] = range(7)  # to know them again

    def below(node):
        first, count = int(store.nodes[node].first), int(store.nodes[node].count)
        children = range(first, first + count) if first >= 0 else ()
        return {int(store.nodes[child].action): below(child) for child in children}

    whole = below(0)
    assert whole == {5: {}, 6: {3: {1: {}, 2: {}}, 4: {}}}
    expand = completed("expand", OneChild())
    drop(expand, store.tree, 2, np.zeros(7, np.int32))
    assert (below(0), store.size) == (whole, 7)
    drop(expand, store.tree, 8, np.zeros(7, np.int32))
    assert (below(0), store.size) == ({5: {}, 6: {3: {}, 4: {}}}, 5)
