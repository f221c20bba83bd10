"""Tree files: what was changed is refused, even by somebody who can compute a checksum."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from ponder import MCTS, InputError, engine, position
from ponder.files import save_file
from ponder.mcts.modes import Transposing
from ponder.mcts.tree import ROOT
from ponder.mcts.tree_file import _checksum, load_tree, save_tree
from ponder.mcts.view import SearchTree

NIM = "nim(heaps=(2, 2, 1))"


def searched(game=NIM, spec="mcts()", simulations=300):
    return engine(spec).search(position(game), simulations=simulations, seed=1).tree


@pytest.mark.parametrize(
    ("game", "spec"),
    [
        ("tictactoe", "mcts()"),
        ("tictactoe", "mcts(backup=solver())"),
        ("tictactoe", "mcts(select=rave())"),
        ("tictactoe", "mcts(expand=progressive())"),
        ("breakthrough(columns=4, rows=5)", "alphago_style()"),
        ("tictactoe", "mcts(transpositions=True)"),
        ("tictactoe", "mcts(transpositions=True, backup=max())"),
        ("tictactoe", "mcts(memory=0.02)"),
        ("tictactoe", "mcts(threads=2)"),
        ("tictactoe", "mcts(threads=2, parallel='root')"),
        ("pig(target=10)", "mcts()"),
        ("gem", "mcts()"),
        ("connect4", "mcts(expand=enough_children())"),
        ("chinese_checkers(players=3)", "mcts()"),
    ],
)
def test_trees_of_every_kind_are_read_back(tmp_path, game, spec):
    tree = searched(game, spec, 2000)
    tree.save(tmp_path / "a.tree")
    loaded = SearchTree.load(tmp_path / "a.tree")
    assert loaded._store.nodes.tobytes() == tree._store.nodes.tobytes()
    assert loaded.engine == tree.engine
    assert isinstance(loaded._store.mode, Transposing) == isinstance(tree._store.mode, Transposing)
    later = engine(spec).search(loaded.position, simulations=50, seed=2, tree=loaded)
    assert later.tree.root.visits > loaded.root.visits


@pytest.mark.plain
def test_the_header_is_inside_the_checksum(tmp_path):
    file = tmp_path / "a.tree"
    searched().save(file)
    whole = file.read_bytes()
    for old, new in [(b"2, 2, 1", b"2, 1, 2"), (b'"deepest": ', b'"deepest":1')]:
        assert old in whole
        file.write_bytes(whole.replace(old, new, 1))
        with pytest.raises(InputError, match="do not match its checksum"):
            SearchTree.load(file)


def test_a_file_of_an_older_version_says_so(tmp_path):
    file = tmp_path / "a.tree"
    for text, complaint in [
        (b"ponder search tree 1 00\n{}", "another version"),
        (b'{"format": "ponder search tree 1"}\n', "not a saved search tree"),
    ]:
        file.write_bytes(text)
        with pytest.raises(InputError, match=complaint):
            SearchTree.load(file)


def altered_header(file, **changes):
    """The file with other entries in its header and a right checksum."""
    first, line, data = file.read_bytes().split(b"\n", 2)
    body = json.dumps({**json.loads(line), **changes}).encode() + b"\n" + data
    save_file(file, first.rpartition(b" ")[0] + b" " + _checksum(body) + b"\n" + body)


@pytest.mark.plain
@pytest.mark.parametrize(
    "changes",
    [
        {"nodes": 1},
        {"nodes": -1},
        {"nodes": 1e9},
        {"nodes": True},
        {"deepest": 10**9},
        {"deepest": "3"},
        {"shares": 1},
        {"engine": None},
        {"squares": [1.0]},
        {"squares": [[1.0]] * 5},
        {"squares": ["x"] * 5},
        {"fields": ["value", "visits"]},
        {"fields": 3},
        {"fields": ["first", "visits", "value", "action", "count", "player", "cut"]},
        {"game": "nim(heaps=(1, 1))"},
        {"game": "tictactoe"},
        {"moves": ["1 from heap 9"]},
        {"position": 4},
    ],
)
def test_a_header_that_does_not_fit_is_refused_though_the_checksum_is_right(tmp_path, changes):
    file = tmp_path / "a.tree"
    searched().save(file)
    altered_header(file, **changes)
    with pytest.raises(InputError):
        SearchTree.load(file)


@pytest.mark.plain
def test_an_unchanged_header_is_accepted_by_the_same_way(tmp_path):
    file = tmp_path / "a.tree"
    searched().save(file)
    altered_header(file)
    assert SearchTree.load(file).root.visits == 300


def expanded(nodes, below=0):
    return [i for i in range(len(nodes)) if nodes[i].first >= 0 and i >= below]


def two_in_one(nodes):
    one, two = expanded(nodes, 1)[:2]
    nodes[two].first, nodes[two].count = nodes[one].first, nodes[one].count


def overlapping(nodes):
    nodes[expanded(nodes, 1)[0]].first = int(nodes[ROOT].first) + 1


def circle(nodes):
    nodes[expanded(nodes)[-1]].first = nodes[ROOT].first


CHANGES = {
    "first beyond the end": lambda nodes: nodes[ROOT].__setattr__("first", len(nodes) - 1),
    "first far away": lambda nodes: nodes[ROOT].__setattr__("first", 2**31 - 1),
    "first negative": lambda nodes: nodes[expanded(nodes, 1)[0]].__setattr__("first", -7),
    "the root as a child": lambda nodes: nodes[expanded(nodes, 1)[0]].__setattr__("first", 0),
    "too many children": lambda nodes: nodes[ROOT].__setattr__("count", 65535),
    "no child": lambda nodes: nodes[ROOT].__setattr__("count", 0),
    "an action that there is not": lambda nodes: nodes[1].__setattr__("action", 10**6),
    "a negative action": lambda nodes: nodes[1].__setattr__("action", -1),
    "an action twice": lambda nodes: nodes[1].__setattr__("action", int(nodes[2].action)),
    "another player": lambda nodes: nodes[1].__setattr__("player", 1),
    "a player that there is not": lambda nodes: nodes[1].__setattr__("player", 100),
    "dice": lambda nodes: nodes[1].__setattr__("player", -1),
    "a root of nobody": lambda nodes: nodes[ROOT].__setattr__("player", 5),
    "negative visits": lambda nodes: nodes[1].__setattr__("visits", -1),
    "too many visits": lambda nodes: nodes[1].__setattr__("visits", 2**31 - 1),
    "a value that is no number": lambda nodes: nodes[1].__setattr__("value", math.nan),
    "a value that no search adds up": lambda nodes: nodes[1].__setattr__("value", 1e200),
    "an infinite value": lambda nodes: nodes[1].__setattr__("value", math.inf),
    "children of two parents": two_in_one,
    "blocks that overlap": overlapping,
    "a circle": circle,
}


@pytest.mark.plain
@pytest.mark.parametrize("spec", ["mcts()", "mcts(transpositions=True)"])
@pytest.mark.parametrize("change", CHANGES)
def test_nodes_that_no_search_made_are_refused_though_the_checksum_is_right(tmp_path, change, spec):
    tree = searched(spec=spec)
    store = tree._store
    CHANGES[change](store.nodes)
    save_tree(store, tree.position, tree.engine, tmp_path / "a.tree")
    with pytest.raises(InputError, match="is not a tree of its position"):
        load_tree(tmp_path / "a.tree")


@pytest.mark.plain
@pytest.mark.parametrize("spec", ["mcts()", "mcts(transpositions=True)"])
def test_nodes_in_no_line_of_play_have_no_children(tmp_path, spec):
    """No walk by the rules comes to them, but whoever looks at all nodes of an array does."""
    tree = searched(spec=spec)
    store, before = tree._store, tree._store.size
    store.reserve(before + 3)
    store.info[0] = before + 3
    store.nodes[before:] = store.nodes[expanded(store.nodes, 1)[0]]
    store.nodes.first[before:] = 2**30, before + 1, before
    store.nodes.count[before:] = 65535
    save_tree(store, tree.position, tree.engine, tmp_path / "a.tree")
    with pytest.raises(InputError, match=f"node {before} is in no line of play and has children"):
        SearchTree.load(tmp_path / "a.tree")
    store.nodes.first[before:], store.nodes.count[before:] = -1, 0  # as threads leave them
    save_tree(store, tree.position, tree.engine, tmp_path / "b.tree")
    assert SearchTree.load(tmp_path / "b.tree").root.visits == tree.root.visits


def test_an_illegal_action_deep_in_the_tree_is_found(tmp_path):
    """A full column of Connect Four: legal as a number, but not there."""
    start = position("connect4(columns=3, rows=3, run=3)").play_all("1 1")
    tree = MCTS().search(start, simulations=2000, seed=1).tree
    nodes = tree._store.nodes
    full = [
        node.index
        for node in tree.walk(least_visits=2)
        if node.is_expanded and "1" not in node.position.legal_names
    ]
    assert full
    nodes[nodes[full[0]].first].action = 0
    tree.save(tmp_path / "a.tree")
    with pytest.raises(InputError, match=f"the children of node {full[0]} are not by the rules"):
        SearchTree.load(tmp_path / "a.tree")


def test_the_outcomes_of_dice_stay_in_their_order(tmp_path):
    tree = searched("pig(target=10)", simulations=2000)
    nodes = tree._store.nodes
    dice = next(n for n in expanded(nodes) if nodes[nodes[n].first].player == -1)
    first = nodes[dice].first
    one, two = int(nodes[first].action), int(nodes[first + 1].action)
    nodes[first].action, nodes[first + 1].action = two, one
    tree.save(tmp_path / "a.tree")
    with pytest.raises(InputError, match="not by the rules"):
        SearchTree.load(tmp_path / "a.tree")


def test_shared_children_are_those_of_one_position(tmp_path):
    tree = searched("tictactoe", "mcts(transpositions=True)", 3000)
    nodes = tree._store.nodes
    _, counts = np.unique(nodes.first[nodes.first >= 0], return_counts=True)
    assert (counts > 1).any(), "positions do share children"
    tree.save(tmp_path / "a.tree")
    loaded = SearchTree.load(tmp_path / "a.tree")
    with pytest.raises(InputError, match="continue it with transpositions=True"):
        engine("mcts(transpositions=False, backup=mean())").search(
            loaded.position, simulations=5, tree=loaded
        )
    one, two = (int(nodes[ROOT].first) + i for i in (0, 1))  # two openings, two positions
    nodes[two].first, nodes[two].count = nodes[one].first, nodes[one].count
    tree.save(tmp_path / "b.tree")
    with pytest.raises(InputError, match=f"the children of node {two} are not by the rules"):
        SearchTree.load(tmp_path / "b.tree")


def test_in_a_plain_tree_not_even_one_position_shares_children(tmp_path):
    """By every other sign they could be: the same position, reached by another order of moves."""
    tree = searched("tictactoe", simulations=3000)
    seen = {}
    one, two = next(
        (seen[node.position], node.index)
        for node in tree.walk(least_visits=2)
        if node.is_expanded and seen.setdefault(node.position, node.index) != node.index
    )
    nodes = tree._store.nodes
    nodes[two].first, nodes[two].count = nodes[one].first, nodes[one].count
    tree.save(tmp_path / "a.tree")
    with pytest.raises(InputError, match="are not by the rules"):
        SearchTree.load(tmp_path / "a.tree")
