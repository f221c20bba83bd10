"""Endgame tables in the leaves of the tree."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ponder.core.game import Spec, new_states
from ponder.core.position import Position
from ponder.endgame.tables import search_part
from ponder.jit import copy_record_from, inlined
from ponder.mcts.evaluate.nested import Nested, within
from ponder.mcts.evaluate.rollout import Rollout


class Looked(NamedTuple):
    """The position that tables are asked about."""

    states: Any  # [1] the game's record
    words: Any  # [1, ...] its memory as 64-bit words

    def for_thread(self) -> Looked:
        return looking_at(self.states.copy())


def looking_at(states: Any) -> Looked:
    return Looked(states, states.view(np.uint64).reshape(1, -1))


class Probed(NamedTuple):
    """The exact value where an endgame table has the leaf, else another rule's.

    `table` is a file or a folder of tables of the game (see `ponder endgame`). Every ply to the
    end costs `step` of utility, so that the sooner of two wins can be made the better one; with 0
    the value is the exact one.
    """

    table: str
    evaluate: Any = Rollout()
    step: float = 0.0

    def problem(self) -> str | None:
        if not self.table:
            return "table names a file or a folder of endgame tables"
        if self.step < 0:
            return f"step is what a ply costs, 0 or more, not {self.step:g}"
        return None

    def refusal(self, position: Position, engine: Any) -> str | None:
        if position.rules.plain:
            return "probed is for compiled games: endgame tables know a position by its record"
        spec = position.rules.spec
        if spec.players != 2 or not spec.zero_sum:
            return "endgame tables are for games of two players whose utilities add up to nothing"
        said: str | None = self.evaluate.refusal(position, engine)
        return said

    def fitted(self, position: Position) -> Any:
        spec = position.rules.spec
        half = (spec.highest - spec.lowest) / 2
        tables = search_part(position.game, self.table, half, self.step)
        middle = float(spec.highest + spec.lowest) / 2
        return FittedProbed(tables, middle, self.evaluate.fitted(position))

    @inlined
    def estimate(self, game, s, work, rng, longest):
        return self.evaluate.estimate(game, s, within(work), rng, longest)


class FittedProbed(NamedTuple):
    """`Probed` with the tables open."""

    tables: Any
    middle: float
    evaluate: Any

    def memory(self, spec: Spec, simulations: int | None) -> Any:
        looked = looking_at(new_states(spec.state, 1))
        return Nested(looked, self.evaluate.memory(spec, simulations))

    @inlined
    def estimate(self, game, s, work, rng, longest):
        if not game.is_terminal(s):
            looked = work.memory.evaluate.own
            copy_record_from(looked.states, 0, work.states, 1)
            value = self.tables.probe(game, looked.states, looked.words, 0, 0)
            if value == value:  # NaN: not in the tables
                work.utilities[0] = self.middle + value
                work.utilities[1] = self.middle - value
                return True
        return self.evaluate.estimate(game, s, within(work), rng, longest)

    @inlined
    def after(self, tree, work, depth):
        self.evaluate.after(tree, within(work), depth)
