"""Best-reply search: of all opponents, the one with the strongest reply makes it.

Between two moves of MAX only one opponent *chooses* (minimising MAX); the others make their usual
move: the best by the game's `order`, without it the best by `evaluate` one ply on, without both
the first. All play legal moves in turn, as in BRS+ (Esser et al. 2013); the original BRS (Schadd &
Winands 2011) lets the others pass, which most rules forbid. With n players and b moves a round
costs b * (n - 1) * b instead of b^n, so MAX looks further ahead than with max^n or paranoid.

For one or two players it is expectiminimax. The recursion is `ponder.search.star_visit`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ponder.core.limits import Limit, limit_problem
from ponder.core.position import Position
from ponder.core.result import SearchResult
from ponder.search.classical import search_classically, start_classically
from ponder.search.method import SearchMethod
from ponder.search.session import ClassicalSession


class BestReply(NamedTuple):
    """Best-reply search for any number of players, with or without chance.

    depth, nodes, seconds   the engine's own limits, used where `search` is given none; depth
                            counts every action, the usual moves included
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
        return SearchMethod(
            "best_reply", pruning=1, best_reply=True, table=True, exact=position.players <= 2
        )
