"""The table of positions of a search with transpositions: it grows, and keeps to the memory cap."""

from __future__ import annotations

import random

import numpy as np
import pytest

from ponder import MCTS, InputError, position
from ponder.mcts.modes import PLACE_BYTES, grow_graph, grow_together, new_graph, put
from ponder.mcts.tree import MEGABYTE, TreeStore


def found(graph, key):
    """What the table says of the position, as a search looks for it."""
    mask = len(graph.keys) - 1
    at = key & mask
    while graph.keys[at]:
        if int(graph.keys[at]) == key:
            return int(graph.firsts[at]), int(graph.counts[at])
        at = (at + 1) & mask
    return None


@pytest.mark.plain
@pytest.mark.parametrize("seed", range(20))
def test_a_grown_table_finds_all_it_knew(seed):
    draw = random.Random(seed)
    graph = new_graph(np.zeros(2, np.uint64), False, 16 * PLACE_BYTES)
    assert len(graph.keys) == 16
    known = {}
    while len(known) < 200:
        # many homes alike, and at the end of the table: runs come around
        key = draw.choice(
            [draw.getrandbits(64), -draw.randint(1, 3) % 256 | draw.getrandbits(8) << 8]
        )
        if key in known or key == 0:
            continue
        if graph.is_full():
            grow_graph(graph)
        known[key] = (len(known), key % 50)
        put(graph.keys, graph.firsts, graph.counts, np.uint64(key), *known[key])
        graph.last[1] += np.uint64(1)
        assert all(found(graph, key) == known[key] for key in known)
    assert np.count_nonzero(graph.keys) == 200


@pytest.mark.plain
@pytest.mark.parametrize("share", [1.0, 0.3, 0.02])
def test_tree_and_table_share_the_cap_as_they_need_it(share):
    store = TreeStore(2.0)
    graph = store.mode = new_graph(np.zeros(2, np.uint64), False, 0.25 * MEGABYTE)
    draw = random.Random(1)
    while True:
        taken = store.capacity * store.dtype.itemsize + len(graph.keys) * PLACE_BYTES
        assert taken <= 2.0 * MEGABYTE
        while store.size < store.capacity and not graph.is_full():
            store.info[0] += 1
            if graph.last[1] < share * store.size:
                key = np.uint64(draw.randint(1, 1 << 60))
                put(graph.keys, graph.firsts, graph.counts, key, 0, 0)
                graph.last[1] += np.uint64(1)
        if not grow_together(store):
            break
    ideal = 2.0 * MEGABYTE / (store.dtype.itemsize + 2 * share * PLACE_BYTES)
    assert store.size > 0.6 * ideal, "tables have sizes that are powers of two"


def test_a_small_cap_is_kept_and_told():
    result = MCTS(transpositions=True, memory=0.02).search(
        position("connect4"), simulations=5000, seed=1
    )
    assert 0.01 * MEGABYTE < result.memory <= 0.02 * MEGABYTE
    assert any("stopped growing" in note for note in result.notes)
    with pytest.raises(InputError, match="memory is too small"):
        MCTS(transpositions=True, memory=0.0003).search(position("connect4"), simulations=10)
