"""Keeping part of a tree: the subtree of a played move, or the useful part of a full tree."""

from __future__ import annotations

from typing import Any

import numpy as np

from ponder.core.position import Position
from ponder.errors import InputError
from ponder.jit import copy_record, copy_record_from, kernel
from ponder.mcts.modes import Transposing
from ponder.mcts.tree import ROOT, UNEXPANDED, TreeStore


@kernel
def copy_below(expand, source, target, node, where):
    """Copy `node` of `source` and everything below it to the empty tree `target`, breadth first.

    `where` notes where blocks of children went: positions may share theirs. Before, it has -n for
    a block of which some node knows n children, or 0 where the node itself knows them all.
    """
    nodes = target.nodes
    copy_record_from(nodes, ROOT, source.nodes, node)
    used = 1
    at = 0
    while at < used:
        first = nodes[at].first
        if first >= 0:
            if where[first] <= 0:
                n = max(expand.total(target, at), -where[first])
                for i in range(n):
                    copy_record_from(nodes, used + i, source.nodes, first + i)
                where[first] = used
                used += n
            nodes[at].first = where[first]
        at += 1
    target.info[0] = used


@kernel
def freed_by(expand, tree, least):
    """How many nodes go when nodes with fewer than `least` visits lose their children."""
    nodes = tree.nodes
    freed = 0
    for node in range(tree.info[0]):
        # what is below such a node has fewer visits still: every node is counted once
        if nodes[node].first >= 0 and nodes[node].visits < least:
            freed += expand.total(tree, node)
    return freed


TO_LOOK_AT, STAYS = 1, 2


@kernel
def drop(expand, tree, least, where):
    """Take the children of all nodes with fewer than `least` visits and close the gaps.

    What stays is marked (where[node] > 0), numbered, moved. Parents stand before their children,
    so that one pass marks it, but where threads take nodes in blocks: as many passes as some line
    has children that stand before their parents. `where` has a place for every node.
    """
    nodes = tree.nodes
    size = tree.info[0]
    for node in range(size):
        where[node] = 0
    where[ROOT] = TO_LOOK_AT
    again = True
    while again:
        again = False
        for node in range(size):
            if where[node] != TO_LOOK_AT:
                continue
            where[node] = STAYS
            first = nodes[node].first
            if first < 0:
                continue
            if nodes[node].visits < least:
                nodes[node].first = UNEXPANDED
                nodes[node].count = 0
                continue
            for i in range(expand.total(tree, node)):
                where[first + i] = TO_LOOK_AT
            again = again or first < node
    used = 0
    for node in range(size):
        if where[node] > 0:
            where[node] = used
            used += 1
        else:
            where[node] = -1
    for node in range(size):
        if where[node] >= 0:
            if nodes[node].first >= 0:
                nodes[node].first = where[nodes[node].first]
            copy_record(nodes, where[node], node)
    tree.info[0] = used


def recycle(expand: Any, store: TreeStore) -> None:
    """Free at least half of a full tree: the children of its least visited nodes.

    The nodes themselves keep their statistics, and get new children when they are visited again.
    """
    tree, least = store.tree, 2
    while freed_by(expand, tree, least) < store.size // 2:
        least *= 2
    drop(expand, tree, least, np.zeros(store.size, np.int32))


def copy_subtree(expand: Any, source: TreeStore, node: int, made: TreeStore) -> None:
    """Make `node` and what is below it the whole of `made`, a tree of one node."""
    made.reserve(source.size)
    where = np.zeros(source.size, np.int32)
    if isinstance(source.mode, Transposing):
        shared = np.flatnonzero(source.nodes.first >= 0)
        where[source.nodes.first[shared]] = -source.totals()[shared]
    copy_below(expand, source.tree, made.tree, node, where)
    made.trim()
    made.nodes[ROOT].action = -1


def squares_below(source: TreeStore, node: int) -> Any:
    """The sums of squared utilities of the node's children, of the player who chose among them.

    They are known of the root's children, and where nodes keep them. Of others the mean m of n
    utilities from a to b is known: the sum is at most n * ((a + b) * m - a * b), and just that if
    all of them are a or b, as where games are won or lost (Bhatia & Davis 2000).
    """
    if node == ROOT and source.squares is not None:
        return source.squares.copy()
    children = source.children(node)
    if "squares" in source.dtype.names:
        return children.squares.copy()
    lowest, highest = source.utilities
    return (lowest + highest) * children.value - lowest * highest * children.visits


def node_of(tree: Any, position: Position) -> int:
    """Which node of the search tree `tree` stands for `position`; -1 if none does.

    The position must be the tree's own or come from it by the moves played since.
    """
    here, played = position, []
    while here != tree.position:
        if here.last_action is None:
            return -1
        played.append(here.last_action)
        here = here.undo()
    node = ROOT
    for action in reversed(played):
        children = tree._store.children(node)
        found = [
            i
            for i, number in enumerate(children.action.tolist())
            if tree._action(node, number) == action
        ]
        if not found:
            return -1
        node = int(tree._store.nodes[node].first) + found[0]
    return node


def useful_tree(tree: Any, position: Position) -> Any:
    """The tree, if `position` is in it; else None."""
    return tree if tree is not None and node_of(tree, position) >= 0 else None


def check_same_shape(tree: Any, dtype: Any, shares: bool) -> None:
    """Refuse to continue a search tree whose nodes keep other things than the parts need, or
    share their children where the search does not expect it (`shares`)."""
    found = tree._store.dtype
    if isinstance(tree._store.mode, Transposing) and not shares:
        raise InputError(
            "positions of this tree share their children: continue it with transpositions=True"
        )
    if found != dtype:
        has = ", ".join(name for name in found.names if name not in dtype.names)
        lacks = ", ".join(name for name in dtype.names if name not in found.names)
        detail = f"it lacks {lacks}" if lacks else f"it keeps {has}"
        made_by = f"{tree.engine}, which has" if tree.engine else "an engine with"
        raise InputError(f"this tree was made by {made_by} other parts: {detail}")
