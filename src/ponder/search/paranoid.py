"""Paranoid search: everybody else plays against me (Sturtevant & Korf 2000).

With all opponents as one MIN player the game has two sides, and alpha-beta applies: at best
b^(d (n-1)/n) leaves for n players instead of the b^d of max^n. The price is the assumption.
The recursion is `ponder.search.star_visit`; chance nodes are averaged (Star1).
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ponder.core.limits import Limit, limit_problem
from ponder.core.position import Position
from ponder.core.result import SearchResult
from ponder.search.classical import search_classically, start_classically
from ponder.search.method import SearchMethod
from ponder.search.session import ClassicalSession


class Paranoid(NamedTuple):
    """Paranoid search for any number of players, with or without chance.

    depth, nodes, seconds   the engine's own limits, used where `search` is given none
    memory                  megabytes of transposition table
    """

    depth: int | None = None
    nodes: int | None = None
    seconds: float | None = None
    memory: float | None = None

    def problem(self) -> str | None:
        """A sentence if a parameter is not usable."""
        return limit_problem(self)

    def start(self, position: Position, **given: Any) -> ClassicalSession:
        """A search in progress; `given` are depth, memory and seed."""
        return start_classically(self, self.method(position), position, **given)

    def search(self, position: Position, limit: Limit | None = None, **given: Any) -> SearchResult:
        """Search; `given` are depth, nodes, seconds, memory, seed, stop and progress."""
        return search_classically(self, self.method(position), position, limit, **given)

    def method(self, position: Position) -> SearchMethod:
        """What kind of search it is."""
        return SearchMethod("paranoid", pruning=1, table=True, exact=position.players <= 2)
