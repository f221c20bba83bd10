"""Looking at a search tree: walk it, export it as JSON or as a DOT graph.

tree = MCTS().search(start, simulations=1000).tree
for node in tree.walk(least_visits=50):
    print("  " * node.depth, node.name, node.visits, node.value)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

from ponder.core.position import Position
from ponder.core.result import plain_json
from ponder.errors import InputError
from ponder.mcts.fitting import parts_of_text
from ponder.mcts.parts import Parts
from ponder.mcts.tree import ROOT, TreeStore
from ponder.mcts.tree_file import load_tree, save_tree


class SearchTree:
    """A finished tree. `root` is the way in."""

    def __init__(
        self,
        store: TreeStore,
        position: Position,
        action: Callable[[int, int], Any],
        engine: str = "",
        parts: Any = None,
        memory: Any = None,
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
    def load(path: str | Path) -> SearchTree:
        """The tree of a file; ``engine.search(tree.position, tree=tree)`` continues it."""
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

    def after(self, moves: Any) -> TreeNode:
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
        return int(self._record.visits)

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
        visited = self.visits > (1 if self.parent is None else 0)  # the root: one for being made
        if not visited:
            return None
        tree = self.tree
        return float(tree.parts.backup.shown(tree._store.read, self.index, self.owner))

    @property
    def action(self) -> Any:
        if self.parent is None:
            return None
        return self.tree._action(self.parent.index, int(self._record.action))

    @property
    def name(self) -> str:
        if self.parent is None:
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
