"""max^n: any number of players, any utilities, chance allowed (Luckhardt & Irani 1986).

Each player maximises its own component of the utilities; see `ponder.search.vector_visit`. Of
equally good moves the first in the game's order is taken: in max^n that is part of the result,
since a move that is as good for the mover may be better for somebody else.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ponder.core.limits import Limit, limit_problem
from ponder.core.position import Position
from ponder.core.result import SearchResult
from ponder.errors import InputError
from ponder.search.classical import search_classically, start_classically
from ponder.search.constant_sum import is_constant_sum
from ponder.search.method import SearchMethod
from ponder.search.session import ClassicalSession


class MaxN(NamedTuple):
    """max^n for any number of players, with or without chance.

    depth, nodes, seconds   the engine's own limits, used where `search` is given none
    pruning                 shallow pruning: needs utilities (and estimates) that always add up to
                            the same. Changes no result.
    """

    depth: int | None = None
    nodes: int | None = None
    seconds: float | None = None
    pruning: bool = False

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
        """What kind of search it is; refuses games that it is not for."""
        if self.pruning and not is_constant_sum(position):
            raise InputError(
                "maxn(pruning=True) needs utilities that always have the same sum; "
                "for this game use maxn()"
            )
        return SearchMethod("maxn", vector=True, pruning=int(self.pruning))
