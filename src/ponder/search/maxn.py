"""max^n: any number of players, any utilities, chance allowed (Luckhardt & Irani 1986).

Each player maximises its own component of the utilities; see `ponder.search.vector_visit`. Of
equally good moves the first in the game's order is taken: in max^n that is part of the result,
since a move that is as good for the mover may be better for somebody else.
"""

from __future__ import annotations

from typing import NamedTuple

from ponder.core.making import registered
from ponder.core.position import Position
from ponder.errors import InputError
from ponder.search.classical import ClassicalEngine
from ponder.search.constant_sum import is_constant_sum
from ponder.search.method import SearchMethod


class MaxNFields(NamedTuple):
    depth: int | None = None
    nodes: int | None = None
    seconds: float | None = None
    pruning: bool = False


@registered
class MaxN(MaxNFields, ClassicalEngine):
    """max^n for any number of players, with or without chance.

    depth, nodes, seconds   the engine's own limits, used where `search` is given none
    pruning                 shallow pruning: needs utilities (and estimates) that always add up to
                            the same. Changes no result.
    """

    __slots__ = ()

    def method(self, position: Position) -> SearchMethod:
        if self.pruning and not is_constant_sum(position):
            raise InputError(
                "maxn(pruning=True) needs utilities that always have the same sum; "
                "for this game use maxn()"
            )
        return SearchMethod("maxn", vector=True, pruning=int(self.pruning))
