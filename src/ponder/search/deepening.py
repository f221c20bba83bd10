"""The driver of alpha-beta: depth after depth, window after window, and the result of it all."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from threading import Event
from typing import TYPE_CHECKING, Any

import numpy as np

from ponder.core.background import run_until
from ponder.core.compiled import guarded
from ponder.core.game import hooks_of, new_states
from ponder.core.limits import Limit
from ponder.core.position import Position
from ponder.core.registry import part_text
from ponder.core.result import MoveRow, SearchResult
from ponder.endgame.tables import search_part
from ponder.errors import InputError
from ponder.jit import entry_point
from ponder.search.events import EventLog, NoTrace
from ponder.search.method import Progress
from ponder.search.table import new_table
from ponder.search.visit import (
    ABORTED,
    ALL_MOVES,
    BEAM,
    BLIND,
    BY_EVALUATION,
    CUT_SHORT,
    DEEPEST,
    FARTHEST,
    FRAME,
    HINTS,
    HISTORY,
    INFO_SIZE,
    KILLERS,
    MAY_EVALUATE,
    MET_CHANCE,
    NODE_LIMIT,
    NODES,
    NULL_MOVE,
    OWN_KEY,
    QUIESCENCE,
    RANKED,
    REDUCTIONS,
    SCOUT,
    STEP,
    STOP,
    TABLE,
    TABLE_MOVES,
    Scratch,
    visit,
)

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


def new_scratch(position: Position, plies: int, endgame: str = "") -> Scratch:
    """The arrays of a search that goes `plies` deep."""
    spec = position.rules.spec
    states = new_states(spec.state, plies)
    states[0] = position.raw_state[0]
    distinct = spec.distinct_actions or spec.max_actions
    frames = np.zeros(plies, FRAME).view(np.recarray)
    frames.killer = frames.older_killer = -1
    half = (spec.highest - spec.lowest) / 2 or 1.0
    # a power of two: adding and taking away plies leaves no rounding errors
    step = STEP * 2.0 ** math.ceil(math.log2(half))
    return Scratch(
        states=states,
        words=states.view(np.uint64).reshape(plies, -1),
        actions=np.zeros((plies, spec.max_actions), np.int32),
        merits=np.zeros((plies, spec.max_actions)),
        lines=np.zeros((plies, plies), np.int32),
        frames=frames,
        history=np.zeros((spec.players, distinct)),
        utilities=np.zeros(spec.players),
        root=np.zeros(distinct),
        known=np.zeros(distinct, np.int8),
        info=np.zeros(INFO_SIZE, np.int64),
        half=float(half),
        middle=(spec.highest + spec.lowest) / 2,
        step=step,
        endgame=search_part(position.game, endgame, half, step),
    )


def set_switches(info: Any, engine: AlphaBeta, hooks: tuple[str, ...]) -> None:
    """What the engine asks for, as far as the game has the hooks for it."""
    can_evaluate = "evaluate" in hooks
    info[TABLE] = engine.table
    info[TABLE_MOVES] = engine.table_moves
    info[OWN_KEY] = "key" in hooks
    info[HINTS] = engine.hints and "order" in hooks
    info[KILLERS] = engine.killers
    info[HISTORY] = engine.history
    info[BY_EVALUATION] = engine.evaluation_order
    info[RANKED] = info[HINTS] or engine.killers or engine.history or engine.evaluation_order
    info[SCOUT] = engine.scout
    info[QUIESCENCE] = engine.quiescence and can_evaluate and "noisy_actions" in hooks
    info[REDUCTIONS] = engine.reductions and can_evaluate and info[RANKED]
    info[NULL_MOVE] = engine.null_move and can_evaluate and "pass_turn" in hooks
    info[BEAM] = engine.beam
    info[ALL_MOVES] = engine.all_moves
    info[MAY_EVALUATE] = can_evaluate


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
        self.scratch = new_scratch(position, self.longest + 2, engine.endgame)
        self.info = self.scratch.info
        self.info[NODE_LIMIT] = limit.nodes or 1 << 62
        set_switches(self.info, engine, hooks)
        self.stop_cell = self.info[STOP : STOP + 1]
        self.log = log
        self.trace = NoTrace() if log is None else log.part
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
        case = type(rules.game), rules.game, type(self.trace), type(self.scratch.endgame)
        if case not in _kernels:
            parts = rules.part, self.trace, self.table, self.scratch
            player = self.position.current_player
            _kernels[case] = guarded(
                rules.name, entry_point, visit, *parts, 0, 1, -1.0, 1.0, player
            )
        return _kernels[case]

    def visit(self, depth: int, alpha: float, beta: float, player: int | None = None) -> float:
        """The root's value for the player to move there: exact inside the window, else a bound."""
        self.info[CUT_SHORT] = 0
        self.scratch.known[...] = 0
        rules = self.position.rules
        return float(
            guarded(
                rules.name,
                self.kernel,
                rules.part,
                self.trace,
                self.table,
                self.scratch,
                0,
                depth,
                float(alpha),  # the recursion must be entered with the types it calls itself with
                float(beta),
                self.position.current_player if player is None else player,
            )
        )

    # ------------------------------------------------------------ depth after depth

    def search(
        self, stop: Event, progress: Callable[[Progress], None] | None = None
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
        return self.report(reason, time.perf_counter() - began)

    def searched_at_once(self, depth: int, stop: Event) -> bool:
        """Search the first depth here and now, if that is quickly done; else leave no trace."""
        if self.table.size > 2 or self.log is not None or self.engine.mtdf or stop.is_set():
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
        self.scratch.frames.killer = self.scratch.frames.older_killer = -1
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
        length = int(self.scratch.frames.length[0])
        return tuple(self.scratch.lines[0, :length].tolist())

    def found_rows(self) -> dict[int, float]:
        scratch = self.scratch
        return {a: float(scratch.root[a]) for a in self.position.legal_actions if scratch.known[a]}

    # ------------------------------------------------------------ what values mean

    def is_decisive(self, value: float) -> bool:
        """Is the value a proven win or loss (at the ends of the utility range)?"""
        return abs(value) > self.scratch.half - FARTHEST * self.scratch.step

    def distance(self, value: float) -> int | None:
        """Plies to the end, for a decisive value."""
        if not self.is_decisive(value):
            return None
        return round((self.scratch.half - abs(value)) / self.scratch.step)

    @property
    def total(self) -> float:
        """What the utilities of two players add up to, as seen at the last leaf."""
        return float(self.scratch.utilities.sum())

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
            engine=part_text(self.engine),
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
        order = {a: self.rows.get(a, -math.inf) for a in self.position.legal_actions}
        actions = sorted(order, key=lambda a: (a != best, -order[a]))
        return tuple(MoveRow(a, self.position.action_name(a), 0, known.get(a)) for a in actions)

    def notes(self) -> tuple[str, ...]:
        if not self.line:
            return ("stopped before the first move was searched: any legal move",)
        plies = self.distance(self.value)
        if plies is None:
            return ()
        word = "wins" if self.value > 0 else "loses"
        return (f"player {self.position.current_player} {word} in {plies} plies",)
