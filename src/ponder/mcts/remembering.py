"""Tree reuse between moves: a player that goes on with its last tree as long as the game lasts."""

from __future__ import annotations

from typing import Any

from ponder.core.limits import Limit
from ponder.core.position import Position
from ponder.core.registry import part_text
from ponder.core.result import SearchResult
from ponder.mcts.carry import useful_tree


class Remembering:
    """`engine` for one seat of one game: what it found out about the moves that were then played
    is where its next search begins.

    A limit of simulations counts the new ones.
    """

    def __init__(self, engine: Any) -> None:
        self.engine = engine
        self.tree: Any = None

    def __repr__(self) -> str:
        return part_text(self.engine)

    def search(
        self, position: Position, limit: Limit | None = None, **options: Any
    ) -> SearchResult:
        """As the engine's own."""
        tree = useful_tree(self.tree, position)
        result: SearchResult = self.engine.search(position, limit, tree=tree, **options)
        self.tree = result.tree
        return result
