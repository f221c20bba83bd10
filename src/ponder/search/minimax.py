"""Plain minimax: visit everything, each player takes what is best for itself. Nothing is pruned.

    >>> from ponder import position
    >>> from ponder.search.minimax import Minimax
    >>> Minimax().search(position("tree"), depth=2).value
    3.0

For two players whose utilities add up to a constant this is minimax; with utilities for each
player it is the same recursion, known as max^n. `ponder.search.maxn` adds chance and pruning.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ponder.core.limits import Limit, limit_problem
from ponder.core.position import Position
from ponder.core.result import SearchResult
from ponder.search.classical import search_classically, start_classically
from ponder.search.method import SearchMethod
from ponder.search.session import ClassicalSession


class Minimax(NamedTuple):
    """Full minimax without pruning, for any number of players, without chance.

    depth, nodes, seconds   the engine's own limits, used where `search` is given none
    """

    depth: int | None = None
    nodes: int | None = None
    seconds: float | None = None

    def problem(self) -> str | None:
        """A sentence if a parameter is not usable."""
        return limit_problem(self)

    def start(self, position: Position, **given: Any) -> ClassicalSession:
        """A search in progress; `given` are depth and seed."""
        return start_classically(self, self.method(position), position, **given)

    def search(self, position: Position, limit: Limit | None = None, **given: Any) -> SearchResult:
        """Search; `given` are depth, nodes, seconds, seed, stop and progress."""
        return search_classically(self, self.method(position), position, limit, **given)

    def method(self, position: Position) -> SearchMethod:
        """What kind of search it is."""
        return SearchMethod("minimax", vector=True, chance=False)
