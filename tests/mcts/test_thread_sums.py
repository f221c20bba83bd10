"""Several threads in one tree: the sums of the whole tree, after long searches and many short ones.

`benchmarks/stress/thread_stress.py` does the same for longer.
"""

from __future__ import annotations

import random

import numpy as np
import pytest

from ponder import position
from ponder.core.registry import parse_engine
from ponder.mcts.parallel import AT_ONCE

TREE = "tree('[[3,12,8],[2,[4,[6,1]]],[14,5,2]]')"


def visits_of_their_own(result):
    """Of every node with children: visits that did not go on to a child."""
    nodes = result.tree._store.nodes
    inner = np.flatnonzero(nodes.first >= 0)
    sums = np.concatenate([[0], np.cumsum(nodes.visits, dtype=np.int64)])
    first = nodes.first[inner]
    return nodes.visits[inner] - (sums[first + nodes.count[inner]] - sums[first])


def check_sums(result, carried=0):
    nodes = result.tree._store.nodes
    assert nodes[0].visits == 1 + carried + result.simulations
    assert sum(row.visits for row in result.moves) == carried + result.simulations
    own = visits_of_their_own(result)
    assert own[0] == 1
    assert (own >= 0).all()
    seen = nodes.visits > 0
    means = nodes.value[seen] / nodes.visits[seen]
    low, high = result.tree._store.utilities
    assert low - 1e-9 <= means.min() <= means.max() <= high + 1e-9


@pytest.mark.parametrize("threads", [2, 4])
@pytest.mark.parametrize("game", ["tictactoe", "connect4", TREE])
def test_long_searches_lose_no_visit_anywhere(game, threads):
    engine = parse_engine(f"mcts(threads={threads})")
    result = engine.search(position(game), simulations=100_000, seed=threads)
    assert result.simulations == 100_000
    check_sums(result)
    # one evaluation made the node; others met it while its children were being made
    assert visits_of_their_own(result).max() <= 1 + threads * AT_ONCE


@pytest.mark.parametrize(
    "parts", ["", "recycle=False", "backup=solver()", "select=rave()", "parallel='root'"]
)
def test_many_short_searches_with_kept_trees_and_little_memory(parts):
    dice = random.Random(parts)
    for number in range(10):
        text = f"mcts(threads={dice.randint(2, 8)}, {parts})".replace(", )", ")")
        engine, here, tree = parse_engine(text), position("tictactoe"), None
        while not here.is_terminal:
            n, seed = dice.randint(50, 500), dice.randrange(1 << 30)
            memory = 0.1 if number % 2 else 8
            result = engine.search(here, simulations=n, seed=seed, memory=memory, tree=tree)
            assert result.simulations == n or result.stopped_by == "solved"
            if "root" not in parts:
                check_sums(result, carried_on(tree, here))
            assert result.memory <= memory * (1 << 20)
            tree, here = result.tree, here.play(result.action)


def carried_on(tree, here):
    """The visits of `here`'s moves in the tree of the position before it."""
    if tree is None:
        return 0
    [child] = [c for c in tree.root.children if c.action == here.last_action]
    return sum(c.visits for c in child.children) if child.is_expanded else 0


@pytest.mark.parametrize(
    "parts",
    ["backup=solver()", "select=rave(), backup=mix()", "select=ucb1_tuned(), backup=max()"],
)
def test_a_recycled_tree_stays_right_with_other_rules(parts):
    start = position("tictactoe")
    result = parse_engine(f"mcts({parts}, memory=0.03)").search(start, simulations=5000, seed=1)
    nodes = result.tree._store.nodes
    assert nodes[0].visits == 1 + result.simulations
    assert result.memory <= 0.03 * (1 << 20)
    assert any("dropped" in note for note in result.notes)
    assert (visits_of_their_own(result) >= 0).all()
    assert all(-1 <= row.value <= 1 for row in result.moves if row.visits)
    for node in result.tree.walk():
        if node.is_expanded:
            assert {c.action for c in node.children} == set(node.position.legal_actions)


@pytest.mark.parametrize("threads", [2, 4])
def test_what_is_not_filled_of_a_block_of_nodes_is_blank(threads):
    engine, here, tree = parse_engine(f"mcts(threads={threads})"), position("tictactoe"), None
    for seed in range(8):  # the memory is full of old nodes: the tree is recycled often
        result = engine.search(here, simulations=1000, seed=seed, memory=0.03, tree=tree)
        nodes, tree = result.tree._store.nodes, result.tree
        reached = np.zeros(len(nodes), bool)
        reached[0] = True
        for node in np.flatnonzero(nodes.first >= 0):
            reached[nodes.first[node] : nodes.first[node] + nodes.count[node]] = True
        assert (nodes.visits[~reached] == 0).all()
        assert (nodes.first[~reached] == -1).all()
