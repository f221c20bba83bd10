"""Paranoid search: everybody else plays against me (Sturtevant & Korf 2000).

With all opponents as one MIN player the game has two sides, and alpha-beta applies: at best
b^(d (n-1)/n) leaves for n players instead of the b^d of max^n. The price is the assumption.
The recursion is `ponder.search.star_visit`; chance nodes are averaged (Star1).
"""

from __future__ import annotations

from typing import NamedTuple

from ponder.core.making import registered
from ponder.core.position import Position
from ponder.search.classical import TableEngine
from ponder.search.method import SearchMethod


class ParanoidFields(NamedTuple):
    depth: int | None = None
    nodes: int | None = None
    seconds: float | None = None
    memory: float | None = None


@registered
class Paranoid(ParanoidFields, TableEngine):
    """Paranoid search for any number of players, with or without chance.

    depth, nodes, seconds   the engine's own limits, used where `search` is given none
    memory                  megabytes of transposition table
    """

    __slots__ = ()

    def method(self, position: Position) -> SearchMethod:
        return SearchMethod("paranoid", pruning=1, table=True, exact=position.players <= 2)
