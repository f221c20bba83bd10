"""The driver of minimax, expectiminimax, max^n, paranoid and best-reply search.

It checks the request, deepens step by step where that helps, watches the limits, and makes the
result. The recursions are `vector_visit` and `star_visit`.
"""

from __future__ import annotations

import random
import secrets
import time
from collections.abc import Callable
from threading import Event
from typing import Any

import numpy as np

from ponder.core.background import new_stop_cell, run_until
from ponder.core.compiled import guarded
from ponder.core.faults import fault_after, fault_at
from ponder.core.game import hooks_of, new_lists, new_states
from ponder.core.limits import DEFAULT_SECONDS, Limit, merged
from ponder.core.parts import canonical
from ponder.core.position import Position, check_searchable
from ponder.core.registry import part_text
from ponder.core.result import MoveRow, SearchResult
from ponder.errors import GameError, InputError
from ponder.search.bounds_table import new_bounds
from ponder.search.method import NOBODY, Method, Outcome, Progress
from ponder.search.star_visit import FAR, SEARCH, StarOptions, StarScratch, visit_star
from ponder.search.table import NO_MOVE
from ponder.search.vector_visit import (
    ABORTED,
    BLIND,
    BROKEN,
    CUT_SHORT,
    DEEPEST,
    LEAVES,
    MET_CHANCE,
    NODE_LIMIT,
    NODES,
    VectorOptions,
    VectorScratch,
    visit_vector,
)

DEEPEST_SEARCH = 512
"""Plies below the root that a search can reach."""
DEFAULT_TABLE = 64.0
"""Megabytes."""


def is_constant_sum(position: Position) -> bool:
    """Do the utilities always add up to the same? (Of a plain Python game of two it is assumed,
    unless its class says ``zero_sum = False``.)"""
    rules: Any = position.rules
    return bool(rules.spec.zero_sum if rules.compiled else rules.zero_sum)


def sum_of_utilities(position: Position) -> float:
    """What they add up to, in a game where that is constant: seen at the end of some game."""
    rng, here, actions = random.Random(0), position, list[Any]()
    try:
        while not here.is_terminal:
            actions.append(rng.choice(here.legal_actions))
            here = here._after(actions[-1])
    except GameError:
        raise fault_after(position, actions) from None
    return sum(here.returns)


class _Compiled:
    """Common to the compiled searchers: the arrays of a search that goes `depth` deep."""

    memory = 0

    def __init__(self, position: Position, method: Method, limit: Limit) -> None:
        self.position, self.method = position, method
        self.rules: Any = position.rules
        spec = self.rules.spec
        hooks = hooks_of(position.game)
        self.may_evaluate = "evaluate" in hooks
        self.hooks = hooks
        self.longest = min(spec.max_length, DEEPEST_SEARCH)
        self.plies = min(limit.depth or self.longest, self.longest) + 2
        self.distinct = spec.distinct_actions or spec.max_actions
        self.info = np.zeros(16, np.int64)
        self.info[NODE_LIMIT] = limit.nodes or 1 << 62
        self.stop_cell = new_stop_cell()
        self.states = new_states(spec.state, self.plies)
        self.states[0] = position.raw_state[0]

    def common(self) -> dict[str, Any]:
        """The arrays that every recursion has."""
        spec, plies = self.rules.spec, self.plies
        return {
            "states": self.states,
            "actions": new_lists(spec, plies, np.int32),
            "chances": new_lists(spec, plies, np.float64),
            "lines": np.zeros((plies, plies), np.int32),
            "lengths": np.zeros(plies, np.int32),
            "root": np.zeros(self.distinct),
            "known": np.zeros(self.distinct, np.int8),
            "info": self.info,
            "stop": self.stop_cell,
        }

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

    @property
    def blind(self) -> bool:
        return bool(self.info[BLIND])

    @property
    def met_chance(self) -> bool:
        return not self.method.chance and bool(self.info[MET_CHANCE])

    def search(self, depth: int) -> Outcome:
        scratch: Any = self.scratch  # type: ignore[attr-defined]
        self.info[ABORTED] = self.info[CUT_SHORT] = self.info[BLIND] = 0
        scratch.known[...] = 0
        scratch.lengths[0] = 0
        values = self.visit(depth)
        if self.info[BROKEN]:
            raise fault_at(self.position, self.states[: self.info[BROKEN]])
        line = tuple(scratch.lines[0, : scratch.lengths[0]].tolist())
        known = {a: float(scratch.root[a]) for a in self.position.legal_actions if scratch.known[a]}
        whole, cut_short = not self.info[ABORTED], bool(self.info[CUT_SHORT])
        return Outcome(values if line or whole else None, line, known, whole, cut_short)

    def visit(self, depth: int) -> Any:
        """The utilities at the root; abstract: each kind of searcher calls its own kernel."""
        raise NotImplementedError


class VectorSearcher(_Compiled):
    """Minimax and max^n of compiled games."""

    def __init__(self, position: Position, method: Method, limit: Limit) -> None:
        super().__init__(position, method, limit)
        spec = self.rules.spec
        total = sum_of_utilities(position) if method.pruning else 0.0
        self.options = VectorOptions(
            may_evaluate=int(self.may_evaluate),
            chance=int(method.chance),
            pruning=method.pruning,
            shared=float(total - (spec.players - 2) * spec.lowest),
            highest=float(spec.highest),
        )
        self.scratch = VectorScratch(values=np.zeros((self.plies, spec.players)), **self.common())

    def visit(self, depth: int) -> tuple[float, ...]:
        guarded(
            self.rules.name,
            visit_vector,
            self.rules.part,
            self.options,
            self.scratch,
            0,
            depth,
            np.inf,
            NOBODY,
        )
        return tuple(self.scratch.values[0].tolist())


class StarSearcher(_Compiled):
    """Expectiminimax, paranoid and best-reply search of compiled games."""

    def __init__(self, position: Position, method: Method, limit: Limit) -> None:
        super().__init__(position, method, limit)
        spec, plies = self.rules.spec, self.plies
        self.options = StarOptions(
            me=max(position.current_player, 0),
            pruning=method.pruning,
            best_reply=int(method.best_reply),
            may_evaluate=int(self.may_evaluate),
            hints=int("order" in self.hooks),
            table=int(method.table),
            own_key=int("key" in self.hooks),
            lowest=float(spec.lowest),
            highest=float(spec.highest),
        )
        self.table = new_bounds((limit.memory or DEFAULT_TABLE) if method.table else 0.0)
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
            **self.common(),
        )

    def visit(self, depth: int, alpha: float = -FAR, beta: float = FAR) -> float:
        """The value for the player to move: exact inside the window, else a bound."""
        return float(
            guarded(
                self.rules.name,
                visit_star,
                self.rules.part,
                self.options,
                self.table,
                self.scratch,
                0,
                depth,
                alpha,
                beta,
                NOBODY,
                SEARCH,
            )
        )


def searcher_for(position: Position, method: Method, limit: Limit) -> Any:
    """The searcher that fits the game and the method."""
    if method.vector:
        return VectorSearcher(position, method, limit)
    return StarSearcher(position, method, limit)


def search_classically(
    engine: Any,
    method: Method,
    position: Position,
    limit: Limit | None = None,
    *,
    depth: int | None = None,
    nodes: int | None = None,
    seconds: float | None = None,
    memory: float | None = None,
    seed: int | None = None,
    stop: Event | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> SearchResult:
    """Search deeper and deeper until a limit is reached, the game's end, or stopped.

    A search limited by depth alone goes straight there, unless shallow searches help the deep one
    to prune. A stop returns what the last finished depth found.
    """
    limit = limits_of(engine, method, limit, depth, nodes, seconds, memory)
    check_searchable(position)
    inner = position.for_kernels()
    searcher = searcher_for(inner, method, limit)
    compile_first(searcher)
    run = _Run(canonical(engine), method, inner, limit, searcher)
    seed = secrets.randbits(32) if seed is None else seed
    return run.search(seed, stop or Event(), progress).told_of(position)


def limits_of(
    engine: Any,
    method: Method,
    limit: Limit | None,
    depth: int | None,
    nodes: int | None,
    seconds: float | None,
    memory: float | None,
) -> Limit:
    """The limits given, else the engine's own, else the default time."""
    own = Limit(**{name: getattr(engine, name, None) for name in limit_names(method)})
    chosen = merged(limit, own, depth=depth, nodes=nodes, seconds=seconds, memory=memory)
    if chosen.simulations or (chosen.memory and not method.table):
        raise InputError(f"{method.name} is limited by {', '.join(limit_names(method))}")
    return Limit(seconds=DEFAULT_SECONDS, memory=chosen.memory) if chosen.is_empty else chosen


def limit_names(method: Method) -> tuple[str, ...]:
    return (
        ("depth", "nodes", "seconds", "memory") if method.table else ("depth", "nodes", "seconds")
    )


def limit_problem(engine: Any) -> str | None:
    """A sentence if a limit among the fields of the engine is not usable."""
    names = ("depth", "nodes", "seconds", "memory")
    try:
        Limit(**{name: getattr(engine, name) for name in names if hasattr(engine, name)})
    except InputError as error:
        return str(error)
    return None


def compile_first(searcher: Any) -> None:
    """Compile the recursion before any clock runs."""
    searcher.stop_cell[0] = 1
    searcher.visit(1)
    searcher.stop_cell[0] = 0
    searcher.info[NODES] = 0


class _Run:
    """One search in progress."""

    def __init__(
        self, engine: Any, method: Method, position: Position, limit: Limit, searcher: Any
    ) -> None:
        self.engine, self.method, self.position = engine, method, position
        self.limit, self.searcher = limit, searcher
        self.found: Outcome | None = None

    def search(
        self, seed: int, stop: Event, progress: Callable[[Progress], None] | None
    ) -> SearchResult:
        began = time.perf_counter()
        deadline = None if self.limit.seconds is None else began + self.limit.seconds
        reason = "depth"
        for depth in self.depths():
            tell = None
            if progress is not None:
                tell = lambda d=depth: progress(self.snapshot(d, began))  # noqa: E731
            found, stopped = run_until(
                lambda d=depth: self.searcher.search(d),  # type: ignore[misc]
                self.searcher.stop_cell,
                deadline=deadline,
                stop=stop,
                progress=tell,
            )
            if self.searcher.blind:
                raise InputError(
                    f"{self.position.rules.name} has no evaluate: search it to its end "
                    f"(a depth of {self.searcher.longest} suffices), or by rollouts with mcts()"
                )
            if self.searcher.met_chance:
                fitting = "expectiminimax()" if self.position.players <= 2 else "maxn()"
                raise InputError(f"{self.method.name} knows no chance; for this game use {fitting}")
            if found.whole or self.found is None:
                self.found = found
            if not found.whole:
                reason = stopped or "nodes"
                break
            if progress is not None:
                progress(self.snapshot(depth, began))
            if not found.cut_short:
                reason = "solved" if self.method.exact else "depth"
                break
        return self.report(seed, reason, time.perf_counter() - began)

    def depths(self) -> range:
        """The depths to search one after the other."""
        target = min(self.limit.depth or self.searcher.longest, self.searcher.longest)
        by_depth_alone = self.limit.seconds is None and self.limit.nodes is None
        straight = not self.searcher.may_evaluate or (by_depth_alone and not self.method.table)
        return range(target if straight else 1, target + 1)

    def value_of(self, found: Outcome) -> float:
        mover = self.position.current_player
        return float(found.values[mover] if self.method.vector else found.values)

    def snapshot(self, depth: int, began: float) -> Progress:
        found = self.found
        best = self.position.action_name(found.line[0]) if found and found.line else ""
        value = self.value_of(found) if found and found.line else 0.0
        return Progress(depth, self.searcher.nodes, time.perf_counter() - began, best, value)

    def report(self, seed: int, reason: str, seconds: float) -> SearchResult:
        position, found = self.position, self.found
        notes = []
        if found is None or not found.line:
            notes.append("stopped before the first move was searched: any legal move")
            found = Outcome(
                (0.0,) * position.players if self.method.vector else 0.0, (), {}, False, True
            )
        elif not found.whole:
            notes.append("stopped before all moves were searched: the best of those that were")
        line = found.line or (position.legal_actions[0],)
        rows = [MoveRow(a, 0, found.rows.get(a), position=position) for a in position.legal_actions]
        worst = -np.inf
        rows.sort(
            key=lambda row: (row.action != line[0], -(worst if row.value is None else row.value))
        )
        return SearchResult(
            position=position,
            engine=part_text(self.engine),
            action=line[0],
            value=self.value_of(found) + 0.0,
            values=self.all_values(found, notes),
            line=line,
            moves=tuple(rows),
            seconds=seconds,
            stopped_by=reason,
            seed=seed,
            depth=self.searcher.deepest,
            nodes=self.searcher.nodes,
            memory=self.searcher.memory,
            notes=tuple(notes),
        )

    def all_values(self, found: Outcome, notes: list[str]) -> tuple[float, ...]:
        """One utility per player. A search of one player's value leaves the rest to the others."""
        position, mover = self.position, self.position.current_player
        if self.method.vector:
            return tuple(value + 0.0 for value in found.values)
        value = self.value_of(found) + 0.0
        others = position.players - 1
        rest = 0.0
        if others and is_constant_sum(position):
            rest = (sum_of_utilities(position) - value) / others
        if others > 1:
            notes.append(
                f"{self.method.name} searches the mover's value; the others' are not known"
            )
        return tuple(value if p == mover else rest + 0.0 for p in range(position.players))
