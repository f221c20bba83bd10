"""Looking at a search tree: walk it, export it as JSON or as a DOT graph, show it while it grows.

tree = MCTS().search(start, simulations=1000).tree
for node in tree.walk(least_visits=50):
    print("  " * node.depth, node.name, node.visits, node.value)

Walking a tree of millions of nodes in Python takes seconds and holds Python's lock; `snapshot`, for
display while the search goes on, takes milliseconds, most of them in a kernel that lets other
threads run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from ponder.core.gate import run_trusted
from ponder.core.moves import Move
from ponder.core.position import Position
from ponder.core.protocols import Action
from ponder.core.result import plain_json
from ponder.errors import InputError
from ponder.jit import COMPILED, kernel
from ponder.mcts.parts import Memory, Parts
from ponder.mcts.tree import ROOT, TreeStore
from ponder.mcts.tree_file import load_tree, parts_of_text, save_tree


class SearchTree:
    """A finished tree. `root` is the way in."""

    def __init__(
        self,
        store: TreeStore,
        position: Position,
        action: Callable[[int, int], Action],
        engine: str = "",
        parts: Parts | None = None,
        memory: Memory | None = None,
    ) -> None:
        self._store, self._position, self._action = store, position, action
        self.engine, self.memory = engine, memory
        if parts is not None:
            self.parts = parts

    @property
    def position(self) -> Position:
        """The position that was searched."""
        return self._position

    def save(self, path: str | Path) -> None:
        """Write the tree to a file, to continue it another day."""
        save_tree(self._store, self._position, self.engine, path)

    @staticmethod
    def load(path: str | Path, trust: Sequence[str | Path] = ()) -> SearchTree:
        """The tree of a file; ``engine.search(tree.position, tree=tree)`` continues it.

        `trust`: Python files that are run, because the tree needs your own game or rule.
        """
        run_trusted(trust)
        store, position, engine = load_tree(path)
        return SearchTree(store, position, lambda parent, number: number, engine)

    @cached_property
    def parts(self) -> Parts:
        """The parts that made the tree; of a tree from a file, all but the evaluation."""
        return parts_of_text(self.engine, self._position)

    @property
    def size(self) -> int:
        """Nodes, the unvisited children of expanded nodes included."""
        return self._store.size

    @property
    def root(self) -> TreeNode:
        return TreeNode(self, ROOT, None, None)

    def after(self, moves: str | Iterable[Move | Action]) -> TreeNode:
        """The node that `moves`, as `Position.play_all` takes them, lead to from the root."""
        node, before = self.root, len(self.position.history)
        for action in self.position.play_all(moves).history[before:]:
            name = node.position.action_name(action)
            found = [child for child in node.children if child.action == action]
            if not found:
                where = " ".join(node.position.history_names[before:]) or "the root"
                raise InputError(f"the tree has no node for {name} after {where}: search longer")
            node = found[0]
        return node

    def walk(self, least_visits: int = 1, deepest: int | None = None) -> Iterator[TreeNode]:
        """All nodes with enough visits, depth first, the most visited child first.

        Children that positions share (`transpositions`) come once, below the first of them.
        """
        waiting, seen = [self.root], set()
        while waiting:
            node = waiting.pop()
            yield node
            first = int(self._store.nodes[node.index].first)
            if first not in seen and (deepest is None or node.depth < deepest):
                seen.add(first)
                kept = [c for c in node.children if c.visits >= least_visits]
                waiting.extend(sorted(kept, key=lambda c: c.visits))

    def to_json(self, least_visits: int = 1, deepest: int | None = None) -> dict[str, Any]:
        """The tree as nested plain data."""
        made: dict[int, dict[str, Any]] = {}
        for node in self.walk(least_visits, deepest):
            made[node.index] = data = node.to_json()
            if node.parent is not None:
                made[node.parent.index].setdefault("children", []).append(data)
        return made[ROOT]

    def to_dot(self, least_visits: int = 1, deepest: int | None = None) -> str:
        """The tree in Graphviz's language: boxes for decisions, ellipses for chance."""
        lines = ["digraph search {", '  node [shape=box, fontname="sans-serif"];']
        for node in self.walk(least_visits, deepest):
            name = node.name.replace('"', "'") or "root"
            value = "" if node.value is None else f"\\n{node.value:+.3f}"
            shape = ", shape=ellipse" if node.is_chance else ""
            lines.append(f'  n{node.index} [label="{name}\\n{node.visits:,}{value}"{shape}];')
            if node.parent is not None:
                lines.append(f"  n{node.parent.index} -> n{node.index};")
        return "\n".join([*lines, "}"]) + "\n"


class TreeNode:
    """One node: its statistics, its children, the position it stands for."""

    def __init__(
        self, tree: SearchTree, index: int, parent: TreeNode | None, position: Position | None
    ) -> None:
        self.tree, self.index, self.parent, self._position = tree, index, parent, position
        self.depth: int = 0 if parent is None else parent.depth + 1

    @property
    def _record(self) -> Any:
        return self.tree._store.nodes[self.index]

    @property
    def visits(self) -> int:
        """How many simulations came here; at the root, all of them.

        The record of the root counts one more, for being made, and so does N in the formulas.
        """
        return int(self._record.visits) - (self.parent is None)

    @property
    def player(self) -> int:
        """Who chose the edge to this node; CHANCE for dice; at the root, the player to move."""
        return int(self._record.player)

    @property
    def owner(self) -> int:
        """Whom the statistics belong to: `player`; below dice, the last one who chose."""
        if self.player >= 0:
            return self.player
        return 0 if self.parent is None else self.parent.owner

    @property
    def value(self) -> float | None:
        """As the backup rule sees it, for the `owner`; None if never evaluated."""
        if not self.visits:
            return None
        tree = self.tree
        return float(tree.parts.backup.shown(tree._store.read, self.index, self.owner))

    @property
    def action(self) -> Action | None:
        """What led here from the node above; None at the root."""
        if self.parent is None:
            return None
        return self.tree._action(self.parent.index, int(self._record.action))

    @property
    def name(self) -> str:
        if self.parent is None or self.action is None:
            return ""
        return self.parent.position.action_name(self.action)

    @property
    def position(self) -> Position:
        if self._position is None:
            above = self.parent
            self._position = (
                self.tree._position if above is None else above.position._after(self.action)
            )
        return self._position

    @property
    def is_expanded(self) -> bool:
        return int(self._record.first) >= 0

    @property
    def is_chance(self) -> bool:
        return self.is_expanded and self.position.is_chance

    @property
    def children(self) -> list[TreeNode]:
        """In the tree's order: tried children first, in the order of their first visit."""
        record = self._record
        if record.first < 0:
            return []
        return [
            TreeNode(self.tree, child, self, None)
            for child in range(int(record.first), int(record.first) + int(record.count))
        ]

    def to_json(self) -> dict[str, Any]:
        return {
            "action": None if self.parent is None else plain_json(self.action),
            "name": self.name,
            "player": self.player,
            "owner": self.owner,
            "visits": self.visits,
            "value": self.value,
        }


SNAPSHOT_FIELDS = (
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

SNAPSHOT_ROW = np.dtype((np.record, np.dtype(list(SNAPSHOT_FIELDS), align=True)))


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
        count = most_visited(tree, least, found, parents, depths, stack)
        if count <= room:
            break
        least, more = more, max(more + 1, 3 * more // 2)
    rows = np.zeros(count, SNAPSHOT_ROW).view(np.recarray)
    at = found[:count]
    rows.node, rows.parent, rows.depth = at, parents[:count], depths[:count]
    for name in ("action", "player", "cut", "visits"):
        rows[name] = nodes[name][at]
    rows.children = np.where(nodes["first"][at] >= 0, nodes["count"][at], 0)
    rows.prior = nodes["prior"][at] if "prior" in nodes.dtype.names else np.nan
    rows.visits[0] -= 1  # the root's for being made
    rows.owner, rows.value, rows.untried = row_values(parts, tree, store.column("visits"), rows)
    rows.low = rows.high = np.nan
    if "low" in nodes.dtype.names:
        rows.low, rows.high = nodes["low"][at, rows.owner], nodes["high"][at, rows.owner]
    return rows


@kernel
def most_visited(tree, least, found, parents, depths, stack):
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


def row_values(parts: Any, tree: Any, visits: Any, rows: Any) -> tuple[Any, Any, Any]:
    """Owner and value of each node, and how many of its children have no visit."""
    # plain arrays: without a compiler, fields of records take many times as long to read
    owners, values = np.array(rows.player), np.full(len(rows), np.nan)
    untried = np.zeros(len(rows), np.int32)
    write_row_values(
        parts, tree, visits, np.array(rows.node), np.array(rows.parent), owners, values, untried
    )
    return owners, values, untried


@kernel
def write_row_values(parts, tree, visits, found, parents, owners, values, untried):
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
