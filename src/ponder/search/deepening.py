"""The driver of alpha-beta: depth after depth, window after window, and the result of it all."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from functools import lru_cache
from threading import Event
from typing import TYPE_CHECKING, Any

from ponder.core.background import run_until
from ponder.core.compiled import guarded
from ponder.core.faults import fault_at
from ponder.core.game import hooks_of
from ponder.core.limits import Limit
from ponder.core.position import Position
from ponder.core.registry import part_text
from ponder.core.result import MoveRow, SearchResult
from ponder.errors import InputError
from ponder.jit import entry_point
from ponder.search.events import EventLog, NoTrace
from ponder.search.method import Progress
from ponder.search.table import new_table
from ponder.search.visit import (
    ABORTED,
    BLIND,
    BROKEN,
    CUT_SHORT,
    DEEPEST,
    MET_CHANCE,
    NODE_LIMIT,
    NODES,
    STOP,
    begin,
)
from ponder.search.workspace import keep_for_the_next, new_scratch, plain_scratch, switches_of

if TYPE_CHECKING:
    from ponder.search.alphabeta import AlphaBeta

DEEPEST_SEARCH = 512
"""Plies below the root that a search can reach, quiescence included."""
DEFAULT_TABLE = 64.0
"""Megabytes."""
NARROW = 0.05
"""Half the first aspiration window, as a share of half the utility range (not tuned)."""
MOST_PASSES = 16
"""Null windows that MTD(f) tries before it asks for the value outright: values are not whole
numbers here, and may lie as close together as they like."""
MOST_FOR_A_LINE = 20_000
"""Nodes spent on finding what comes after the end of a line that the table cut off."""
NO_CHANCE = "alphabeta knows no chance; for this game use expectiminimax() or mcts()"


AT_ONCE = 20_000
"""Nodes that take about a millisecond: searched without a thread of their own."""

_kernels: dict[Any, Any] = {}
"""The machine code of each kind of search: finding out the types takes longer than a short one."""


@lru_cache(maxsize=64, typed=True)  # a short search takes as long as writing its engine
def text_of(cls: Any, *fields: Any) -> str:
    return part_text(cls(*fields))


class Deepening:
    """One search in progress."""

    def __init__(
        self, position: Position, engine: AlphaBeta, limit: Limit, log: EventLog | None = None
    ) -> None:
        self.position, self.engine, self.limit = position, engine, limit
        rules = position.rules
        hooks = hooks_of(rules.game)
        self.may_evaluate = "evaluate" in hooks
        self.longest = min(rules.spec.max_length, DEEPEST_SEARCH)
        self.table = new_table((limit.memory or DEFAULT_TABLE) if engine.table else 0.0)
        self.log = log
        trace = NoTrace() if log is None else log.part
        on: Any = switches_of(engine, hooks)
        self.plain = not any(on) and log is None and not engine.endgame
        self.case: Any = rules.case
        if self.plain:
            self.scratch = plain_scratch(self.case, position, self.longest + 2, self.table)
        else:
            parts = on, self.table, trace
            self.scratch = new_scratch(position, self.longest + 2, *parts, engine.endgame)
        self.info = self.scratch.info
        self.info[NODE_LIMIT] = limit.nodes or 1 << 62
        self.stop_cell = self.info[STOP : STOP + 1]
        self.value = 0.0
        self.line: tuple[int, ...] = ()
        self.rows: dict[int, float] = {}
        self.finished = 0
        self.solved = False
        self.kernel = self.compile()
        if log is not None:
            log.clear(position)

    def compile(self) -> Any:
        """The machine code, made before any clock runs."""
        rules = self.position.rules
        # A game, the kind of trace and that of endgame tables settle all types.
        kinds = type(self.scratch.on), type(self.scratch.trace), type(self.scratch.endgame)
        case = self.case, kinds
        if case not in _kernels:
            _kernels[case] = guarded(rules.name, entry_point, begin, self.scratch, 1, -1.0, 1.0, 0)
        return _kernels[case]

    def visit(self, depth: int, alpha: float, beta: float, player: int | None = None) -> float:
        """The root's value for the player to move there: exact inside the window, else a bound."""
        self.info[CUT_SHORT] = 0
        self.scratch.known[...] = 0
        value = guarded(
            self.position.rules.name,
            self.kernel,
            self.scratch,
            depth,
            float(alpha),  # the machine code is made for floats
            float(beta),
            self.position.current_player if player is None else player,
        )
        if self.info[BROKEN]:
            raise fault_at(self.position, self.scratch.states[: self.info[BROKEN]])
        return float(value)

    # ------------------------------------------------------------ depth after depth

    def search(
        self, stop: Event | None = None, progress: Callable[[Progress], None] | None = None
    ) -> SearchResult:
        began = time.perf_counter()
        deadline = None if self.limit.seconds is None else began + self.limit.seconds
        target = min(self.limit.depth or self.longest, self.longest)
        first = 1 if self.engine.deepen and self.may_evaluate else target
        deepen = self.deepen_by_null_windows if self.engine.mtdf else self.deepen_to
        reason = "depth"
        for depth in range(first, target + 1):
            tell = None
            if progress is not None:
                tell = lambda d=depth: progress(self.snapshot(d, began))  # noqa: E731
            stopped = None
            if depth > first or not self.searched_at_once(depth, stop):
                _, stopped = run_until(
                    lambda d=depth: deepen(d),  # type: ignore[misc]
                    self.stop_cell,
                    deadline=deadline,
                    stop=stop,
                    progress=tell,
                )
            self.refuse_unfit_game()
            if self.info[ABORTED]:
                reason = stopped or "nodes"
                break
            if progress is not None:
                progress(self.snapshot(depth, began))
            if self.solved:
                reason = "solved"
                break
            if stopped:  # just as the depth was finished
                reason = stopped
                break
        result = self.report(reason, time.perf_counter() - began)
        if self.plain:
            keep_for_the_next(self.case, self.scratch)
        return result

    def searched_at_once(self, depth: int, stop: Event | None) -> bool:
        """Search the first depth here and now, if that is quickly done; else leave no trace."""
        if self.table.size > 2 or self.log is not None or self.engine.mtdf:
            return False
        if stop is not None and stop.is_set():
            return False
        before = self.info.copy()
        limit = int(self.info[NODE_LIMIT])
        self.info[NODE_LIMIT] = min(limit, AT_ONCE)
        self.deepen_to(depth)
        self.info[NODE_LIMIT] = limit
        if not self.info[ABORTED] or limit <= AT_ONCE:
            return True
        self.info[...] = before
        self.scratch.history[...] = 0.0
        frames = self.scratch.frames
        frames["killer"] = frames["older_killer"] = -1
        self.value, self.line, self.rows = 0.0, (), {}
        return False

    def refuse_unfit_game(self) -> None:
        if self.info[MET_CHANCE]:
            raise InputError(NO_CHANCE)
        if self.info[BLIND]:
            raise InputError(
                f"{self.position.rules.name} has no evaluate: search it to its end "
                f"(depth={self.longest} suffices), or by rollouts with mcts()"
            )

    def deepen_to(self, depth: int) -> None:
        """Search to `depth`, with a window around the last value that is widened as needed."""
        high = 2.0 * self.scratch.half
        low = -high
        alpha, beta = low, high
        width = NARROW * self.scratch.half
        if self.engine.aspiration and not self.engine.all_moves and self.finished:
            alpha, beta = self.value - width, self.value + width
        while True:
            value = self.visit(depth, alpha, beta)
            if self.info[ABORTED]:
                self.keep_unfinished(value, alpha)
                return
            width *= 4
            if value <= alpha and alpha > low:
                alpha = max(low, value - width)
            elif value >= beta and beta < high:
                beta = min(high, value + width)
            else:
                break
        self.keep(value, depth)

    def deepen_by_null_windows(self, depth: int) -> None:
        """MTD(f) (Plaat et al. 1996): each null window says on which side of it the value lies."""
        width = 0.25 * self.scratch.step
        low, high = -2.0 * self.scratch.half, 2.0 * self.scratch.half
        guess = self.value
        for _ in range(MOST_PASSES):
            beta = guess + width if guess == low else guess
            guess = self.visit(depth, beta - width, beta)
            if self.info[ABORTED]:
                self.keep_unfinished(guess, beta - width)
                return
            if guess < beta:
                high = guess
            else:
                low = guess
            if low >= high:
                break
        # The value is known, or nearly: once more around it for the exact value and its line.
        value = self.visit(depth, low - width, high + width)
        if self.info[ABORTED]:
            self.keep_unfinished(value, low - width)
            return
        self.keep(value, depth)

    def keep(self, value: float, depth: int) -> None:
        """A finished depth."""
        self.value, self.finished = value, depth
        self.line, self.rows = self.found_line(), self.found_rows()
        distance = self.distance(value)
        proven = distance is not None and distance <= depth and not self.engine.beam
        self.solved = not self.info[CUT_SHORT] or proven

    def keep_unfinished(self, value: float, alpha: float) -> None:
        """A stopped depth still counts if its first move, the old best, was searched to the end."""
        line = self.found_line()
        if line and value > alpha:
            self.value, self.line = value, line
            self.rows = self.found_rows()

    def found_line(self) -> tuple[int, ...]:
        length = self.scratch.frames[0].length
        return tuple(self.scratch.lines[0, :length].tolist())

    def found_rows(self) -> dict[int, float]:
        root, known = self.scratch.root, self.scratch.known
        return {a: float(root[a]) for a in self.position.legal_actions if known[a]}

    # ------------------------------------------------------------ what values mean

    def is_decisive(self, value: float) -> bool:
        """Is the value a proven win or loss (at the ends of the utility range)?"""
        return abs(value) > self.scratch.most

    def distance(self, value: float) -> int | None:
        """Plies to the end, for a decisive value."""
        if not self.is_decisive(value):
            return None
        return round((self.scratch.half - abs(value)) / self.scratch.step)

    @property
    def total(self) -> float:
        """What the utilities of two players add up to, as seen at the last leaf."""
        return float(sum(self.scratch.utilities.tolist()))

    def utility(self, value: float) -> float:
        """The value as a utility, without the cost of distance."""
        if self.is_decisive(value):
            value = math.copysign(self.scratch.half, value)
        shift = self.scratch.middle if self.position.players == 1 else self.total / 2
        return value + shift + 0.0

    # ------------------------------------------------------------ the result

    def snapshot(self, depth: int, began: float) -> Progress:
        best = self.position.action_name(self.line[0]) if self.line else ""
        seconds = time.perf_counter() - began
        return Progress(depth, int(self.info[NODES]), seconds, best, self.utility(self.value))

    def whole_line(self) -> tuple[int, ...]:
        """The best line; where the table cut it off, searched on from there."""
        line, here = list(self.line), self.position
        if self.log is not None or not self.engine.table:
            return self.line
        for action in line:
            here = here._after(action)
        counted = self.info[NODES], self.info[DEEPEST]
        self.stop_cell[0] = 0
        while line and len(line) < self.finished and not here.is_terminal:
            self.info[ABORTED] = 0
            self.info[NODE_LIMIT] = self.info[NODES] + MOST_FOR_A_LINE
            self.scratch.states[0] = here.raw_state[0]
            high = 2.0 * self.scratch.half
            self.visit(self.finished - len(line), -high, high, here.current_player)
            if self.info[ABORTED]:
                break
            for action in self.found_line():
                line.append(action)
                here = here._after(action)
        self.info[NODES], self.info[DEEPEST] = counted
        return tuple(line)

    def report(self, reason: str, seconds: float) -> SearchResult:
        position = self.position
        line = self.whole_line() or (position.legal_actions[0],)
        value = self.utility(self.value)
        mover = position.current_player
        other = self.total - value + 0.0
        values = [value if p == mover else other for p in range(position.players)]
        if self.log is not None:
            self.log.shift = self.utility(0.0)
        return SearchResult(
            position=position,
            engine=text_of(type(self.engine), *self.engine),  # type: ignore[arg-type]
            action=line[0],
            value=value,
            values=tuple(values),
            line=line,
            moves=self.move_rows(line[0], value),
            seconds=seconds,
            stopped_by=reason,
            seed=0,
            depth=int(self.info[DEEPEST]),
            nodes=int(self.info[NODES]),
            memory=self.table.nbytes if self.engine.table else 0,
            notes=self.notes(),
        )

    def move_rows(self, best: int, value: float) -> tuple[MoveRow, ...]:
        """The moves, best first; a value where it is exact, not where it is only a bound."""
        known = {a: self.utility(v) for a, v in self.rows.items()}
        if self.line:
            known[best] = value
        position, rows = self.position, self.rows
        ranked = sorted(position.legal_actions, key=lambda a: (a != best, -rows.get(a, -math.inf)))
        return tuple([MoveRow(a, 0, known.get(a), position=position) for a in ranked])

    def notes(self) -> tuple[str, ...]:
        if not self.line:
            return ("stopped before the first move was searched: any legal move",)
        plies = self.distance(self.value)
        if plies is None:
            return ()
        word = "wins" if self.value > 0 else "loses"
        return (f"player {self.position.current_player} {word} in {plies} plies",)
