"""Best-reply search: of all opponents, the one with the strongest reply makes it.

Between two moves of MAX only one opponent *chooses* (minimising MAX); the others make their usual
move: the best by the game's `order`, without it the best by `evaluate` one ply on, without both
the first. All play legal moves in turn, as in BRS+ (Esser et al. 2013); the original BRS (Schadd &
Winands 2011) lets the others pass, which most rules forbid. With n players and b moves a round
costs b * (n - 1) * b instead of b^n, so MAX looks further ahead than with max^n or paranoid.

For one or two players it is expectiminimax. The recursion is `ponder.search.star_visit`.
"""

from __future__ import annotations

from typing import NamedTuple

from ponder.core.making import registered
from ponder.core.position import Position
from ponder.search.classical import TableEngine
from ponder.search.method import SearchMethod


class BestReplyFields(NamedTuple):
    depth: int | None = None
    nodes: int | None = None
    seconds: float | None = None
    memory: float | None = None


@registered
class BestReply(BestReplyFields, TableEngine):
    """Best-reply search for any number of players, with or without chance.

    depth, nodes, seconds   the engine's own limits, used where `search` is given none; depth
                            counts every action, the usual moves included
    memory                  megabytes of transposition table
    """

    __slots__ = ()

    def method(self, position: Position) -> SearchMethod:
        return SearchMethod(
            "best_reply", pruning=1, best_reply=True, table=True, exact=position.players <= 2
        )
