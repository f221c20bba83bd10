"""Alpha-beta search as a whole engine: every part can be switched off, to see what it brings.

    >>> from ponder import position
    >>> from ponder.search.alphabeta import AlphaBeta
    >>> AlphaBeta().search(position("tictactoe"), depth=9).value
    0.0

Begin reading at `AlphaBeta`; the recursion itself is `ponder.search.visit`.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from threading import Event
from typing import NamedTuple

import numpy as np

from ponder.core.background import new_stop_cell, run_until
from ponder.core.compiled import guarded
from ponder.core.game import hooks_of, new_states
from ponder.core.limits import DEFAULT_SECONDS, Limit
from ponder.core.parts import canonical
from ponder.core.position import Position, check_searchable
from ponder.core.registry import part_text
from ponder.core.result import MoveRow, SearchResult
from ponder.errors import InputError
from ponder.search.table import ENTRY, new_table
from ponder.search.visit import (
    ABORTED,
    CUT_SHORT,
    DEEPEST,
    FARTHEST,
    NODE_LIMIT,
    NODES,
    STEP,
    Options,
    Scratch,
    visit,
)

DEEPEST_SEARCH = 512
"""Plies below the root that a search can reach, quiescence included."""
DEFAULT_TABLE = 64.0
"""Megabytes."""
NARROW = 0.05
"""Half the first aspiration window, as a share of half the utility range (not tuned)."""


class Progress(NamedTuple):
    """What a progress callback is told, after every finished depth and now and then between."""

    depth: int
    nodes: int
    seconds: float
    best: str
    value: float


class AlphaBeta(NamedTuple):
    """Alpha-beta with iterative deepening for two players (zero-sum) or one, without chance.

    depth, nodes, seconds   the engine's own limits, used where `search` is given none
    memory                  megabytes of transposition table
    table                   remember positions (EXACT, LOWER, UPPER bounds)
    hints                   order moves by the game's `order`
    killers, history        order moves by what cut off elsewhere
    scout                   principal variation search: null windows after the first move
    aspiration              begin each depth with a narrow window around the last value
    quiescence              play out the game's `noisy_actions` before evaluating
    deepen                  iterative deepening; off: straight to the given depth
    beam                    consider only so many moves a ply (0: all). Unsound.
    """

    depth: int | None = None
    nodes: int | None = None
    seconds: float | None = None
    memory: float | None = None
    table: bool = True
    hints: bool = True
    killers: bool = True
    history: bool = True
    scout: bool = True
    aspiration: bool = True
    quiescence: bool = True
    deepen: bool = True
    beam: int = 0

    def problem(self) -> str | None:
        """A sentence if a parameter is not usable."""
        if self.beam < 0:
            return f"beam must be 0 (all moves) or more, not {self.beam}"
        try:
            Limit(depth=self.depth, nodes=self.nodes, seconds=self.seconds, memory=self.memory)
        except InputError as error:
            return str(error)
        return None

    def search(
        self,
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
        """Search deeper and deeper until a limit is reached, the game is solved, or stopped.

        A stop returns the last finished line, improved by what the unfinished depth has found.
        """
        engine = canonical(self)
        given = limit or Limit(depth=depth, nodes=nodes, seconds=seconds, memory=memory)
        own = Limit(depth=self.depth, nodes=self.nodes, seconds=self.seconds, memory=self.memory)
        limit = given.over(own)
        if limit.simulations:
            raise InputError("alphabeta is limited by seconds, nodes, depth and memory")
        if limit.is_empty:
            limit = Limit(seconds=DEFAULT_SECONDS, memory=limit.memory)
        check_searchable(position)
        run = AlphaBetaRun(position, engine, limit)
        return run.search(seed or secrets.randbits(32), stop or Event(), progress)


def check_two_sided(position: Position) -> None:
    """Refuse games in which one number does not say what everybody gets."""
    rules = position.rules
    if not rules.compiled:
        raise InputError("alphabeta searches compiled games; for a plain Python game use mcts()")
    if rules.players > 2:
        raise InputError(f"alphabeta is for one or two players; for {rules.players} use mcts()")
    if rules.players == 2 and not rules.spec.zero_sum:
        raise InputError("alphabeta needs a zero-sum game; for this one use mcts()")
    if "chance_outcomes" in hooks_of(rules.game):
        raise InputError("alphabeta knows no chance; for this game use mcts()")


class AlphaBetaRun:
    """One search in progress."""

    def __init__(self, position: Position, engine: AlphaBeta, limit: Limit) -> None:
        check_two_sided(position)
        self.position, self.engine, self.limit = position, engine, limit
        rules = position.rules
        spec = rules.spec
        hooks = hooks_of(rules.game)
        self.longest = min(spec.max_length, DEEPEST_SEARCH)
        self.may_evaluate = "evaluate" in hooks
        if not self.may_evaluate and limit.depth is not None and limit.depth < self.longest:
            self.no_evaluation()
        half = (spec.highest - spec.lowest) / 2
        self.options = Options(
            table=int(engine.table),
            own_key=int("key" in hooks),
            hints=int(engine.hints and "order" in hooks),
            killers=int(engine.killers),
            history=int(engine.history),
            scout=int(engine.scout),
            quiescence=int(engine.quiescence and "noisy_actions" in hooks and self.may_evaluate),
            reductions=0,
            beam=engine.beam,
            lowest=float(spec.lowest),
            highest=float(spec.highest),
            step=STEP * half,
            age=1,
        )
        megabytes = limit.memory or DEFAULT_TABLE
        self.table = new_table(megabytes if engine.table else 0.0)
        self.scratch = new_scratch(position, self.longest + 2)
        self.scratch.info[NODE_LIMIT] = limit.nodes or 1 << 62
        self.stop_cell = self.scratch.stop
        self.value = 0.0
        self.line: tuple[int, ...] = ()
        self.finished = 0
        self.solved = False
        self._visit(0, -1.0, 1.0)  # compiles, before any clock runs
        self.scratch.info[NODES] = 0

    def no_evaluation(self) -> None:
        name = self.position.rules.name
        raise InputError(
            f"{name} has no evaluate: search it to its end (depth={self.longest}), "
            "or by rollouts with mcts()"
        )

    def _visit(self, depth: int, alpha: float, beta: float) -> float:
        rules = self.position.rules
        return float(
            guarded(
                rules.name,
                visit,
                rules.part,
                self.options,
                self.table,
                self.scratch,
                0,
                depth,
                alpha,
                beta,
                self.position.current_player,
            )
        )

    def search(
        self, seed: int, stop: Event, progress: Callable[[Progress], None] | None
    ) -> SearchResult:
        began = time.perf_counter()
        deadline = None if self.limit.seconds is None else began + self.limit.seconds
        target = min(self.limit.depth or self.longest, self.longest)
        first = 1 if self.engine.deepen and self.may_evaluate else target
        reason = "depth"
        for depth in range(first, target + 1):
            tell = None
            if progress is not None:
                tell = lambda d=depth: progress(self.snapshot(d, began))  # noqa: E731
            _, stopped = run_until(
                lambda d=depth: self.deepen_to(d),  # type: ignore[misc]
                self.stop_cell,
                deadline=deadline,
                stop=stop,
                progress=tell,
            )
            if self.scratch.info[ABORTED]:
                reason = stopped or "nodes"
                break
            if progress is not None:
                progress(self.snapshot(depth, began))
            if self.solved:
                reason = "solved"
                break
        return self.report(seed, reason, time.perf_counter() - began)

    def deepen_to(self, depth: int) -> None:
        """Search to `depth`, with a window around the last value that is widened as needed."""
        info = self.scratch.info
        low, high = self.options.lowest - 1.0, self.options.highest + 1.0
        alpha, beta = low, high
        width = NARROW * (self.options.highest - self.options.lowest) / 2
        if self.engine.aspiration and self.finished and self.line:
            alpha, beta = self.value - width, self.value + width
        while True:
            info[CUT_SHORT] = 0
            value = self._visit(depth, alpha, beta)
            if info[ABORTED]:
                self.keep_unfinished(value, alpha)
                return
            if value <= alpha and alpha > low:
                alpha = low if width > 0.5 else value - width
            elif value >= beta and beta < high:
                beta = high if width > 0.5 else value + width
            else:
                break
            width *= 4
        self.value, self.finished = value, depth
        self.line = self.found_line()
        self.solved = info[CUT_SHORT] == 0 or self.is_decisive(value)

    def keep_unfinished(self, value: float, alpha: float) -> None:
        """A stopped depth still counts if its first move, the old best, was searched to the end."""
        line = self.found_line()
        if line and value > alpha:
            self.value, self.line = value, line

    def found_line(self) -> tuple[int, ...]:
        return tuple(self.scratch.lines[0, : self.scratch.lengths[0]].tolist())

    def is_decisive(self, value: float) -> bool:
        """Is the value a proven win or loss (at the extremes of the utilities)?"""
        margin = FARTHEST * self.options.step
        return not self.options.lowest + margin < value < self.options.highest - margin

    def distance(self, value: float) -> int | None:
        """Plies to the end, for a decisive value."""
        if not self.is_decisive(value):
            return None
        extreme = self.options.highest if value > 0 else self.options.lowest
        return round(abs(extreme - value) / self.options.step)

    def utility(self, value: float) -> float:
        """The value without the cost of distance."""
        if not self.is_decisive(value):
            return value
        middle = (self.options.lowest + self.options.highest) / 2
        return self.options.highest if value > middle else self.options.lowest

    def snapshot(self, depth: int, began: float) -> Progress:
        best = self.position.action_name(self.line[0]) if self.line else ""
        seconds = time.perf_counter() - began
        return Progress(depth, int(self.scratch.info[NODES]), seconds, best, self.value)

    def report(self, seed: int, reason: str, seconds: float) -> SearchResult:
        position = self.position
        line = self.line or (position.legal_actions[0],)
        value = self.utility(self.value) + 0.0
        mover = position.current_player
        rows = [
            MoveRow(a, position.action_name(a), 0, value if a == line[0] else None)
            for a in position.legal_actions
        ]
        rows.sort(key=lambda row: row.action != line[0])
        notes = []
        plies = self.distance(self.value)
        if plies is not None and self.line:
            word = "wins" if self.value > 0 else "loses"
            notes.append(f"player {mover} {word} in {plies} plies")
        values = [value if p == mover else -value for p in range(position.players)]
        return SearchResult(
            position=position,
            engine=part_text(self.engine),
            action=line[0],
            value=value,
            values=tuple(values),
            line=line,
            moves=tuple(rows),
            seconds=seconds,
            stopped_by=reason,
            seed=seed,
            depth=int(self.scratch.info[DEEPEST]),
            nodes=int(self.scratch.info[NODES]),
            memory=self.table.size * ENTRY.itemsize if self.engine.table else 0,
            notes=tuple(notes),
        )


def new_scratch(position: Position, plies: int) -> Scratch:
    """The arrays of a search that goes `plies` deep."""
    spec = position.rules.spec
    states = new_states(spec.state, plies)
    states[0] = position.raw_state[0]
    distinct = spec.distinct_actions or spec.max_actions
    return Scratch(
        states=states,
        words=states.view(np.uint64).reshape(plies, -1),
        actions=np.zeros((plies, spec.max_actions), np.int32),
        merits=np.zeros((plies, spec.max_actions)),
        lines=np.zeros((plies, plies), np.int32),
        lengths=np.zeros(plies, np.int32),
        killers=np.full((plies, 2), -1, np.int32),
        history=np.zeros((spec.players, distinct)),
        utilities=np.zeros(spec.players),
        root=np.zeros(distinct),
        info=np.zeros(8, np.int64),
        stop=new_stop_cell(),
    )
