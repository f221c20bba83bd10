"""Values without random games, or together with them: evaluation functions and endgame tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ponder.core.game import Spec, new_states
from ponder.core.making import registered
from ponder.core.position import Position
from ponder.core.tablebase import search_part
from ponder.jit import copy_record_from, inlined, kernel
from ponder.mcts.defaults import lacks_hook
from ponder.mcts.evaluate.rollout import (
    MixedMoves,
    Rollout,
    epsilon_problem,
    gives_nothing,
    step,
)
from ponder.mcts.parts import Memory, for_thread
from ponder.mcts.protocols import EvaluateRule, whole
from ponder.mcts.tree import Work

if TYPE_CHECKING:
    from ponder.mcts.engine import MCTS


class Nested(NamedTuple):
    """The memory of a rule that holds another one."""

    own: Any  # scratch space
    inner: Any  # of the rule inside

    def for_thread(self) -> Nested:
        own = self.own.copy() if isinstance(self.own, np.ndarray) else for_thread(self.own)
        return Nested(own, for_thread(self.inner))


@kernel
@inlined
def within(work):
    """The scratch space as the rule inside sees it: its memory in the place of the outer one's."""
    memory = work.memory
    return Work(
        work.states,
        work.actions,
        work.chances,
        work.utilities,
        work.path,
        work.totals,
        work.squares,
        work.scores,
        work.trace,
        Memory(memory.select, memory.expand, memory.evaluate.inner, memory.backup, memory.keep),
    )


class UtilityBounds(NamedTuple):
    """The game's range of utilities. An estimate outside it is refused, not bent into it: the
    exploration constants of all select rules rely on the range."""

    lowest: float
    highest: float

    @inlined
    def look(self, game, s, utilities):
        """The result of a finished game, else the evaluation function's values; NaN for a value
        outside the bounds, which ends the search with an error."""
        if game.is_terminal(s):
            game.returns(s, utilities)
            return
        game.evaluate(s, utilities)
        for p in range(utilities.size):
            if not self.lowest <= utilities[p] <= self.highest:
                utilities[p] = np.nan


def bounds_of(position: Position) -> UtilityBounds:
    spec = position.rules.spec
    return UtilityBounds(float(spec.lowest), float(spec.highest))


@registered
class Static(NamedTuple):
    """The game's `evaluate`, nothing else: no random games, the same value every time."""

    def refusal(self, position: Position, engine: MCTS) -> str | None:
        return lacks_hook("static", position, "evaluate", "rollout()")

    def fitted(self, position: Position) -> EvaluateRule:
        return FittedStatic(bounds_of(position))

    @inlined
    def estimate(self, game, s, work, rng, longest):
        game.evaluate(s, work.utilities)
        return True


class FittedStatic(NamedTuple):
    """`Static` with the range of the game."""

    bounds: UtilityBounds

    @inlined
    def estimate(self, game, s, work, rng, longest):
        self.bounds.look(game, s, work.utilities)
        return True


@registered
class Cutoff(NamedTuple):
    """At most `plies` random moves (chance included), then the game's `evaluate`.

    With probability `epsilon` a move is uniform, else it is the game's own `rollout_action`.
    Early playout termination: Lorentz 2008 (Amazons, 4 to 6 plies), Winands & Bjornsson 2009.
    """

    plies: int = 6
    epsilon: float = 1.0

    def problem(self) -> str | None:
        if self.plies < 0:
            return f"plies must be 0 or more, not {self.plies}"
        return epsilon_problem(self.epsilon)

    def refusal(self, position: Position, engine: MCTS) -> str | None:
        sentence = lacks_hook("cutoff", position, "evaluate", "rollout()")
        if sentence is None and self.epsilon < 1:
            sentence = lacks_hook("epsilon below 1", position, "rollout_action", "epsilon=1")
        return sentence

    def fitted(self, position: Position) -> EvaluateRule:
        return FittedCutoff(self.plies, self.epsilon, bounds_of(position))

    @inlined
    def estimate(self, game, s, work, rng, longest):
        return play_some(game, self, s, work, rng, longest)


class FittedCutoff(NamedTuple):
    """`Cutoff` with the range of the game."""

    plies: int
    epsilon: float
    bounds: UtilityBounds

    @inlined
    def estimate(self, game, s, work, rng, longest):
        return play_some(game, self, s, work, rng, longest)


@kernel
@inlined
def play_some(game, rule, s, work, rng, longest):
    """The moves of a `FittedCutoff` and the values there. False if the game outlasts its length."""
    plies = 0
    while plies < rule.plies and not game.is_terminal(s):
        if plies > longest:
            return False
        if not step(game, MixedMoves(rule.epsilon), s, work, rng):
            return gives_nothing(work)
        plies += 1
    rule.bounds.look(game, s, work.utilities)
    return True


@registered
class Blend(NamedTuple):
    """Evaluation function and another rule mixed, each leaf by both:

        (1 - weight) * evaluate(leaf) + weight * value by `evaluate`

    AlphaGo's lambda (Silver et al. 2016), 0.5 there. The end of a game counts as it is.
    """

    weight: float = 0.5
    evaluate: EvaluateRule = Rollout()

    def problem(self) -> str | None:
        if not 0 <= self.weight <= 1:
            return f"weight is the share of the rule inside, from 0 to 1, not {self.weight:g}"
        return None

    def refusal(self, position: Position, engine: MCTS) -> str | None:
        sentence = lacks_hook("blend", position, "evaluate", "rollout()")
        return sentence or whole(self.evaluate).refusal(position, engine)

    def fitted(self, position: Position) -> EvaluateRule:
        return FittedBlend(self.weight, whole(self.evaluate).fitted(position), bounds_of(position))

    @inlined
    def estimate(self, game, s, work, rng, longest):
        return self.evaluate.estimate(game, s, within(work), rng, longest)


class FittedBlend(NamedTuple):
    """`Blend` with the range of the game, the rule inside fitted too."""

    weight: float
    evaluate: Any
    bounds: UtilityBounds

    def memory(self, spec: Spec, simulations: int | None) -> Any:
        return Nested(np.zeros(spec.players), self.evaluate.memory(spec, simulations))

    @inlined
    def estimate(self, game, s, work, rng, longest):
        static = work.memory.evaluate.own
        self.bounds.look(game, s, static)
        ended = self.evaluate.estimate(game, s, within(work), rng, longest)
        for p in range(static.size):
            mixed = (1.0 - self.weight) * static[p] + self.weight * work.utilities[p]
            work.utilities[p] = mixed
        return ended

    @inlined
    def after(self, tree, work, depth):
        self.evaluate.after(tree, within(work), depth)


class Looked(NamedTuple):
    """The position that tables are asked about."""

    states: Any  # [1] the game's record
    words: Any  # [1, ...] its memory as 64-bit words

    def for_thread(self) -> Looked:
        return looking_at(self.states.copy())


def looking_at(states: Any) -> Looked:
    return Looked(states, states.view(np.uint64).reshape(1, -1))


@registered
class Probed(NamedTuple):
    """The exact value where an endgame table has the leaf, else another rule's.

    `table` is a file or a folder of tables of the game (see `ponder endgame`). Every ply to the
    end costs `step` of utility, so that the sooner of two wins can be made the better one; with 0
    the value is the exact one.
    """

    table: str
    evaluate: EvaluateRule = Rollout()
    step: float = 0.0

    def problem(self) -> str | None:
        if not self.table:
            return "table names a file or a folder of endgame tables"
        if self.step < 0:
            return f"step is what a ply costs, 0 or more, not {self.step:g}"
        return None

    def refusal(self, position: Position, engine: MCTS) -> str | None:
        if position.rules.plain:
            return "probed is for compiled games: endgame tables know a position by its record"
        spec = position.rules.spec
        if spec.players != 2 or not spec.zero_sum:
            return "endgame tables are for games of two players whose utilities sum to zero"
        return whole(self.evaluate).refusal(position, engine)

    def fitted(self, position: Position) -> EvaluateRule:
        spec = position.rules.spec
        half = (spec.highest - spec.lowest) / 2
        tables = search_part(position.game, self.table, half, self.step)
        middle = float(spec.highest + spec.lowest) / 2
        return FittedProbed(tables, middle, whole(self.evaluate).fitted(position))

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
