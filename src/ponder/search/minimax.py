"""Plain minimax: visit everything, each player takes what is best for itself. Nothing is pruned.

    >>> from ponder import position
    >>> from ponder.search.minimax import Minimax
    >>> Minimax().search(position("tree"), depth=2).value
    3.0

For two players whose utilities add up to a constant this is minimax; with utilities for each
player it is the same recursion, known as max^n. `ponder.search.maxn` adds chance and pruning.
"""

from __future__ import annotations

from typing import NamedTuple

from ponder.core.making import registered
from ponder.core.position import Position
from ponder.search.classical import ClassicalEngine
from ponder.search.method import SearchMethod


class MinimaxFields(NamedTuple):
    depth: int | None = None
    nodes: int | None = None
    seconds: float | None = None


@registered
class Minimax(MinimaxFields, ClassicalEngine):
    """Full minimax without pruning, for any number of players, without chance.

    depth, nodes, seconds   the engine's own limits, used where `search` is given none
    """

    __slots__ = ()

    def method(self, position: Position) -> SearchMethod:
        return SearchMethod("minimax", vector=True, chance=False)
