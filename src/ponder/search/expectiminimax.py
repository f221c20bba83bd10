"""Expectiminimax: one or two players and chance, with Star1 and Star2 pruning and a table.

    MAX node: the highest value below; MIN node: the lowest; chance node: the average

Leaf values are averaged, so they must be *expected utilities*: see docs/evaluation-scale.md. The
recursion is `ponder.search.star_visit`.
"""

from __future__ import annotations

from typing import NamedTuple

from ponder.core.engine import Traits
from ponder.core.limits import limit_problem
from ponder.core.making import registered
from ponder.core.position import Position
from ponder.errors import InputError
from ponder.search.classical import WITH_TABLE, WITHOUT_TABLE, TableEngine
from ponder.search.constant_sum import is_constant_sum
from ponder.search.method import SearchMethod

PRUNINGS = ("none", "star1", "star2")


class ExpectiminimaxFields(NamedTuple):
    depth: int | None = None
    nodes: int | None = None
    seconds: float | None = None
    memory: float | None = None
    pruning: str = "star2"
    table: bool = True


@registered
class Expectiminimax(ExpectiminimaxFields, TableEngine):
    """Expectiminimax for one player, or two whose utilities add up to a constant.

    depth, nodes, seconds   the engine's own limits, used where `search` is given none
    pruning                 none, star1 or star2
    table                   remember positions, with a lower and an upper bound for each
    memory                  megabytes of that table
    """

    __slots__ = ()

    def problem(self) -> str | None:
        """A sentence if a parameter is not usable."""
        if self.pruning not in PRUNINGS:
            return f"pruning must be {', '.join(PRUNINGS)}, not {self.pruning!r}"
        if self.memory is not None and not self.table:
            return "memory is for the table, and table is off"
        return limit_problem(self)

    @property
    def traits(self) -> Traits:
        return WITH_TABLE if self.table else WITHOUT_TABLE

    def method(self, position: Position) -> SearchMethod:
        if position.players > 2:
            raise InputError(
                f"expectiminimax is for one or two players; for {position.players} use maxn() "
                "or paranoid()"
            )
        if position.players == 2 and not is_constant_sum(position):
            raise InputError("expectiminimax needs a zero-sum game; for this one use maxn()")
        return SearchMethod(
            "expectiminimax", pruning=PRUNINGS.index(self.pruning), table=self.table
        )
