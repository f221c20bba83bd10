"""The most visited part of a tree as arrays, for display while the search goes on.

Walking a tree of millions of nodes in Python takes seconds and holds Python's lock; this takes
milliseconds, most of them in a kernel that lets other threads run.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ponder.jit import COMPILED, kernel
from ponder.mcts.tree import ROOT

FIELDS = (
    ("node", "i8"),  # its index in the tree: the same node has it again in the next snapshot
    ("parent", "i4"),  # its row here; -1 of the root
    ("depth", "i4"),
    ("action", "i4"),
    ("player", "i1"),  # who chose the edge to it; CHANCE for dice
    ("owner", "i1"),  # whom value and bounds belong to: `player`, below dice the last one
    ("cut", "u1"),  # given up for good by the select rule
    ("visits", "i8"),
    ("value", "f8"),  # as the backup rule shows it; NaN before the first evaluation
    ("prior", "f4"),  # NaN where there is none
    ("low", "f8"),
    ("high", "f8"),  # proven bounds of the value; NaN where a search proves nothing
    ("children", "i4"),
    ("untried", "i4"),  # of these, how many have no visit
)
"""A row of the snapshot: parents stand before their children, the root first."""

ROW = np.dtype((np.record, np.dtype(list(FIELDS), align=True)))


def snapshot(parts: Any, store: Any, most: int, deepest: int | None = None) -> Any:
    """Up to `most` rows: the nodes with at least as many visits as makes them so few.

    `deepest`: none below this depth.
    """
    nodes, size = store.nodes, store.size
    tree = store.tree if COMPILED else store.read
    room = min(most, size)
    found = np.zeros(room, np.int64)
    parents, depths = np.zeros(room, np.int32), np.zeros(room, np.int32)
    levels = store.deepest + 3 if deepest is None else min(store.deepest + 2, deepest) + 1
    stack = np.zeros((levels, 3), np.int64)
    least, more = 1, max(1, int(nodes[ROOT].visits) // most)
    while True:  # fewer and fewer, until there is room for all
        count = collect(tree, least, found, parents, depths, stack)
        if count <= room:
            break
        least, more = more, max(more + 1, 3 * more // 2)
    rows = np.zeros(count, ROW).view(np.recarray)
    at = found[:count]
    rows.node, rows.parent, rows.depth = at, parents[:count], depths[:count]
    for name in ("action", "player", "cut", "visits"):
        rows[name] = nodes[name][at]
    rows.children = np.where(nodes["first"][at] >= 0, nodes["count"][at], 0)
    rows.prior = nodes["prior"][at] if "prior" in nodes.dtype.names else np.nan
    rows.owner, rows.value, rows.untried = filled(parts, tree, store.column("visits"), rows)
    rows.low = rows.high = np.nan
    if "low" in nodes.dtype.names:
        rows.low, rows.high = nodes["low"][at, rows.owner], nodes["high"][at, rows.owner]
    return rows


@kernel
def collect(tree, least, found, parents, depths, stack):
    """Write the nodes with at least `least` visits, parents first; how many, or one more than
    there is room for. stack[d]: the node at depth d, its row, the next child to look at."""
    nodes = tree.nodes
    found[0] = ROOT
    parents[0] = -1
    depths[0] = 0
    count = 1
    depth = 0
    stack[0, 0] = ROOT
    stack[0, 1] = 0
    stack[0, 2] = 0
    while depth >= 0:
        node = stack[depth, 0]
        first = nodes[node].first
        i = stack[depth, 2]
        if first < 0 or i >= nodes[node].count or depth + 1 >= stack.shape[0]:
            depth -= 1
            continue
        stack[depth, 2] = i + 1
        child = first + i
        if nodes[child].visits < least:
            continue
        if count >= found.size:
            return count + 1
        found[count] = child
        parents[count] = stack[depth, 1]
        depth += 1
        depths[count] = depth
        stack[depth, 0] = child
        stack[depth, 1] = count
        stack[depth, 2] = 0
        count += 1
    return count


def filled(parts: Any, tree: Any, visits: Any, rows: Any) -> tuple[Any, Any, Any]:
    """Owner and value of each node, and how many of its children have no visit."""
    # plain arrays: without a compiler, fields of records take many times as long to read
    owners, values = np.array(rows.player), np.full(len(rows), np.nan)
    untried = np.zeros(len(rows), np.int32)
    fill(parts, tree, visits, np.array(rows.node), np.array(rows.parent), owners, values, untried)
    return owners, values, untried


@kernel
def fill(parts, tree, visits, found, parents, owners, values, untried):
    """Write them; `owners` holds who chose the edge to each."""
    for k in range(found.size):
        node = found[k]
        if owners[k] < 0:
            owners[k] = owners[parents[k]] if k > 0 else 0
        if visits[node] > (1 if node == ROOT else 0):  # the root: one for being made
            values[k] = parts.backup.shown(tree, node, owners[k])
        first = tree.nodes[node].first
        if first >= 0:
            for child in range(first, first + tree.nodes[node].count):
                untried[k] += visits[child] == 0
