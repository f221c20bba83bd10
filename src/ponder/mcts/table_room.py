"""How the memory cap is shared by a tree and its table of positions (`transpositions`).

Both grow in place, step by step, and never take more than the cap together.
"""

from __future__ import annotations

from ponder.mcts.modes import PLACE_BYTES, Graph, grow_graph
from ponder.mcts.tree import MEGABYTE, TreeStore

TABLE_SHARE = 1 / 8
"""Of the cap, for the table to begin with: as the search goes on it shows how much it needs."""


def grow_together(store: TreeStore) -> bool:
    """More room for the tree, its table or both; False when the cap allows no more."""
    graph: Graph = store.mode
    size, nodes = store.size, store.capacity
    places, entries = len(graph.keys), int(graph.last[1])
    share = max(entries, 1) / size  # positions in the table for every node
    most_nodes, most_places = best_split(store, share)
    if most_nodes > nodes and not (graph.is_full() and 2 * size < nodes):
        store.limit = most_nodes
        store.grow()
    wanted = 2 * share * store.capacity  # a table is full when half of its places are taken
    while len(graph.keys) < most_places and (graph.is_full() or len(graph.keys) < wanted):
        grow_graph(graph)
    return store.capacity > nodes or len(graph.keys) > places


def best_split(store: TreeStore, share: float) -> tuple[int, int]:
    """Nodes and places that let the tree become largest, `share` positions coming with a node.

    Neither is less than there are already.
    """
    cap, node = store.megabytes * MEGABYTE, store.dtype.itemsize
    places = len(store.mode.keys)
    best, useful = (store.capacity, places), 0.0
    while store.capacity * node + places * PLACE_BYTES <= cap:
        nodes = int((cap - places * PLACE_BYTES) / node)
        if min(nodes, places / 2 / share) > useful:
            best, useful = (nodes, places), min(nodes, places / 2 / share)
        places *= 2
    return best
