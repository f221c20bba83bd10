"""Minimax, expectiminimax, max^n, paranoid and best-reply search at one position, depth by depth.

`ponder.search.session` says which depth is next. The recursions are `vector_visit` and
`star_visit`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ponder.core.compiled import guarded
from ponder.core.faults import actions_along, fault_at, traced
from ponder.core.game import hooks_of, new_lists, new_states
from ponder.core.limits import StopReason
from ponder.core.pausing import ABORTED, NO_LIMIT, NODES, PLACES, abort_at, new_info
from ponder.core.position import Position
from ponder.core.registry import part_text
from ponder.core.result import MoveRow, SearchResult, players_shown
from ponder.errors import InputError
from ponder.search.bounds_table import BOUNDS, NO_BOUNDS
from ponder.search.constant_sum import is_constant_sum, sum_of_utilities
from ponder.search.events import NO_TRACE, UNKNOWN
from ponder.search.foresight import no_evaluation
from ponder.search.method import DepthResult, SearchMethod
from ponder.search.outcomes import outcomes_found
from ponder.search.reused import DEFAULT_TABLE, empty_table, hand_back
from ponder.search.star_scratch import FAR, StarOptions, StarScratch
from ponder.search.star_visit import begin_star
from ponder.search.table import NO_MOVE
from ponder.search.vector_visit import (
    BLIND,
    BROKEN,
    CUT_SHORT,
    DEEPEST,
    INFO_SIZE,
    LEAVES,
    MET_CHANCE,
    VectorOptions,
    VectorScratch,
    begin_vector,
)

DEEPEST_SEARCH = 512
"""Plies below the root that a search can reach."""


class Searcher:
    """Common to all: depth after depth, and the result."""

    memory = 0
    scratch: Any

    def __init__(
        self, engine: Any, method: SearchMethod, position: Position, info: Any = None
    ) -> None:
        self.engine, self.method, self.position = engine, method, position
        self.info = new_info(INFO_SIZE) if info is None else info
        self.info[PLACES:] = 0
        self.found: DepthResult | None = None
        """What the last finished depth found."""
        self.finished = 0
        self.ended: str | None = None
        self.rules: Any = position.rules
        spec = self.rules.spec
        self.me = max(position.current_player, 0)
        """Whose value it is about: the player to move; before the dice fall, player 0."""
        self.hooks = hooks_of(position.game)
        self.may_evaluate = "evaluate" in self.hooks
        self.longest = min(spec.max_length, DEEPEST_SEARCH)
        self.plies = self.longest + 2
        self.distinct = spec.distinct_actions or spec.max_actions
        self.states = new_states(spec.state, self.plies)
        self.states[0] = position.raw_state[0]

    def common(self, trace: Any) -> dict[str, Any]:
        """The arrays that every recursion has."""
        spec, plies = self.rules.spec, self.plies
        return {
            "states": self.states,
            "actions": new_lists(spec, plies, np.int32),
            "chances": new_lists(spec, plies, np.float64),
            "lines": np.zeros((plies, plies), np.int32),
            "lengths": np.zeros(plies, np.int32),
            "known": np.zeros(self.distinct, np.int8),
            "info": self.info,
            "trace": trace,
        }

    def compile_first(self) -> None:
        """Make the machine code before any clock runs."""
        abort_at(self.info, 0)
        self.visit(1)
        abort_at(self.info, NO_LIMIT)

    @property
    def vector(self) -> bool:
        return self.method.vector

    @property
    def nodes(self) -> int:
        return int(self.info[NODES])

    @property
    def leaves(self) -> int:
        """Visited positions below which nothing was searched, those from the table excepted."""
        return int(self.info[LEAVES])

    @property
    def deepest(self) -> int:
        return int(self.info[DEEPEST])

    def straight(self, plan: int | None) -> bool:
        """Is the planned depth searched without the ones before it? They help to order moves."""
        return not self.may_evaluate or (plan is not None and not self.method.table)

    def hand_back(self) -> None:
        """The search is over."""

    def search(self, depth: int) -> None:
        """Search to this depth; keeps what it finds, unless it is told to end."""
        found = self.look(depth)
        if found is None:
            return
        if not found.cut_short:
            self.ended = "solved" if self.method.exact else "depth"
        self.found, self.finished = found, depth

    def look(self, depth: int) -> DepthResult | None:
        self.info[CUT_SHORT] = self.info[BLIND] = 0
        self.scratch.known[...] = 0
        self.scratch.lengths[0] = 0
        # dice at the root are thrown first: what comes after them is searched so deep
        with traced(self.position, lambda: actions_along(self.position, self.states)):
            values = self.visit(depth + int(self.position.is_chance))
        if self.info[BROKEN]:
            raise fault_at(self.position, self.states[: self.info[BROKEN]])
        if self.info[BLIND]:
            self.refuse_blind()
        if self.info[MET_CHANCE] and not self.method.chance:
            raise no_chance(self.method, self.position)
        return None if self.info[ABORTED] else self.outcome(values)

    def outcome(self, values: Any) -> DepthResult:
        scratch = self.scratch
        line = tuple(scratch.lines[0, : scratch.lengths[0]].tolist())
        actions = self.position.legal_actions
        # outcomes of chance stand in their order, moves at their number
        places = range(len(actions)) if self.position.is_chance else actions
        known = {
            a: scratch.root[i].tolist()
            for a, i in zip(actions, places, strict=True)
            if scratch.known[i]
        }
        return DepthResult(values, line, known, bool(self.info[CUT_SHORT]))

    def visit(self, depth: int) -> Any:
        """The utilities at the root; abstract: each kind of searcher calls its own kernel."""
        raise NotImplementedError

    def unfinished(self) -> DepthResult | None:
        """What the depth that is being searched has found so far, where nothing goes on; abstract:
        each kind of searcher knows its own."""
        raise NotImplementedError

    def refuse_blind(self) -> None:
        raise no_evaluation(self.rules.name, self.longest, self.rules.plain)

    # ------------------------------------------------------------ the result

    def value_of(self, found: DepthResult) -> float:
        return float(found.values[self.me] if self.method.vector else found.values)

    def event_utility(self, value: float) -> float | None:
        """A number in an event as a utility; None for one beyond them all."""
        return None if abs(value) >= UNKNOWN else value

    def told(self) -> tuple[str, float | None]:
        """The best move of the last finished depth and its value."""
        found = self.found
        if found is None:
            return "", None
        best = self.position.action_name(found.line[0]) if found.line else ""
        return best, self.value_of(found)

    def report(self, reason: StopReason, seconds: float, seed: int) -> SearchResult:
        if self.position.is_chance:
            return outcomes_found(self, reason, seconds, seed)
        position, found = self.position, self.found or self.unfinished()
        notes = []
        known = found is not None and bool(found.line)
        if found is None or not known:
            notes.append("stopped before the first move was searched: any legal move")
            nothing = (0.0,) * position.players if self.method.vector else 0.0
            found = DepthResult(nothing, (), {}, True)
        elif self.found is None:
            notes.append("stopped before all moves were searched: the best of those that were")
        line = found.line or (position.legal_actions[0],)
        rows = [self.row(a, found.rows.get(a)) for a in position.legal_actions]
        worst = -np.inf
        rows.sort(
            key=lambda row: (row.action != line[0], -(worst if row.value is None else row.value))
        )
        return SearchResult(
            position=position,
            engine=part_text(self.engine),
            action=line[0],
            value=self.value_of(found) + 0.0 if known else None,
            values=self.all_values(found, notes) if known else (),
            line=line,
            moves=tuple(rows),
            seconds=seconds,
            stopped_by=reason,
            seed=seed,
            depth=self.finished,
            deepest=self.deepest,
            nodes=self.nodes,
            memory=self.memory,
            notes=tuple(notes),
        )

    def row(self, action: Any, found: Any) -> MoveRow:
        """A root move and what was found of it: a value, or one for each player."""
        position = self.position
        if found is None or not self.method.vector:
            return MoveRow(action, 0, found, position=position)
        values = tuple(found) if players_shown(position) else None
        return MoveRow(action, 0, found[self.me], values=values, position=position)

    def all_values(self, found: DepthResult, notes: list[str]) -> tuple[float, ...]:
        """One utility per player. A search of one player's value leaves the rest to the others."""
        position = self.position
        if self.method.vector:
            return tuple(value + 0.0 for value in found.values)
        value = self.value_of(found) + 0.0
        others = position.players - 1
        rest = 0.0
        if others and is_constant_sum(position):
            rest = (sum_of_utilities(position) - value) / others
        if others > 1:
            whose = "player 0's" if position.is_chance else "the mover's"
            notes.append(f"{self.method.name} searches {whose} value; the others' are not known")
        return tuple(value if p == self.me else rest + 0.0 for p in range(position.players))


class VectorSearcher(Searcher):
    """Minimax and max^n of compiled games."""

    def __init__(
        self,
        engine: Any,
        method: SearchMethod,
        position: Position,
        trace: Any = NO_TRACE,
        info: Any = None,
    ) -> None:
        super().__init__(engine, method, position, info)
        spec = self.rules.spec
        total = sum_of_utilities(position) if method.pruning else 0.0
        self.options = VectorOptions(
            may_evaluate=int(self.may_evaluate),
            chance=int(method.chance),
            pruning=method.pruning,
            shared=float(total - (spec.players - 2) * spec.lowest),
            highest=float(spec.highest),
        )
        self.scratch = VectorScratch(
            values=np.zeros((self.plies, spec.players)),
            root=np.zeros((self.distinct, spec.players)),
            **self.common(trace),
        )

    def visit(self, depth: int) -> tuple[float, ...]:
        arguments = self.rules.part, self.options, self.scratch, depth
        guarded(self.rules.name, begin_vector, *arguments)
        return tuple(self.scratch.values[0].tolist())

    def unfinished(self) -> DepthResult | None:
        return self.outcome(tuple(self.scratch.values[0].tolist()))


class StarSearcher(Searcher):
    """Expectiminimax, paranoid and best-reply search of compiled games."""

    def __init__(
        self,
        engine: Any,
        method: SearchMethod,
        position: Position,
        memory: float | None = None,
        trace: Any = NO_TRACE,
        info: Any = None,
    ) -> None:
        super().__init__(engine, method, position, info)
        spec, plies = self.rules.spec, self.plies
        self.options = StarOptions(
            me=self.me,
            pruning=method.pruning,
            best_reply=int(method.best_reply),
            may_evaluate=int(self.may_evaluate),
            hints=int("order" in self.hooks),
            table=int(method.table),
            own_key=int("key" in self.hooks),
            lowest=float(spec.lowest),
            highest=float(spec.highest),
        )
        given = memory or DEFAULT_TABLE
        self.table = empty_table(BOUNDS, given) if method.table else NO_BOUNDS
        self.memory = self.table.nbytes if method.table else 0
        self.scratch = StarScratch(
            words=self.states.view(np.uint64).reshape(plies, -1),
            merits=np.zeros((plies, spec.max_actions)),
            low=np.zeros((plies, spec.max_actions)),
            high=np.zeros((plies, spec.max_actions)),
            outcome=np.zeros(plies, np.int32),
            answers=np.full((plies, spec.max_actions + 1), NO_MOVE, np.int32),
            history=np.zeros((spec.players, self.distinct)),
            heights=np.zeros(plies, np.int32),
            utilities=np.zeros(spec.players),
            root=np.zeros(self.distinct),
            **self.common(trace),
        )

    def visit(self, depth: int, alpha: float = -FAR, beta: float = FAR) -> float:
        """The value for the player to move: exact inside the window, else a bound."""
        arguments = self.rules.part, self.options, self.table, self.scratch, depth, alpha, beta
        return float(guarded(self.rules.name, begin_star, *arguments))

    def hand_back(self) -> None:
        if self.method.table:
            hand_back(self.table)

    def unfinished(self) -> DepthResult | None:
        if self.position.is_chance:
            return self.outcome(0.0)
        if not self.scratch.lengths[0]:
            return None
        return self.outcome(float(self.scratch.root[self.scratch.lines[0, 0]]))


def searcher_for(
    engine: Any,
    method: SearchMethod,
    position: Position,
    memory: float | None = None,
    trace: Any = NO_TRACE,
    info: Any = None,
) -> Any:
    """The searcher that fits the game and the method; `info`: an array that others use as well."""
    made: Any
    if method.vector:
        made = VectorSearcher(engine, method, position, trace, info)
    else:
        made = StarSearcher(engine, method, position, memory, trace, info)
    made.compile_first()
    return made


def no_chance(method: SearchMethod, position: Position) -> InputError:
    """What to say where a search without dice meets them."""
    fitting = "expectiminimax()" if position.players <= 2 else "maxn()"
    return InputError(f"{method.name} cannot handle chance; for this game use {fitting}")
