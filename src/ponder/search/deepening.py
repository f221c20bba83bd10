"""Alpha-beta at one position: depth after depth, window after window, and the result of it all."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from ponder.core.compiled import guarded
from ponder.core.faults import actions_along, fault_at, traced
from ponder.core.game import hooks_of
from ponder.core.limits import StopReason
from ponder.core.pausing import ABORTED, NODES, abort_at
from ponder.core.position import Position
from ponder.core.registry import part_text
from ponder.core.result import MoveRow, SearchResult
from ponder.errors import InputError
from ponder.jit import entry_point
from ponder.search.events import NO_TRACE
from ponder.search.foresight import no_evaluation
from ponder.search.reused import DEFAULT_TABLE, empty_table, hand_back
from ponder.search.table import ENTRY, NO_TABLE
from ponder.search.visit import BLIND, BROKEN, CUT_SHORT, DEEPEST, MET_CHANCE, begin
from ponder.search.workspace import (
    PLAIN,
    cleared_scratch,
    keep_for_the_next,
    new_scratch,
    switches_of,
)

if TYPE_CHECKING:
    from ponder.search.alphabeta import AlphaBeta

DEEPEST_SEARCH = 512
"""Plies below the root that a search can reach, quiescence included."""
NARROW = 0.05
"""Half the first aspiration window, as a share of half the utility range (not tuned)."""
MOST_PASSES = 16
"""Null windows that MTD(f) tries before it asks for the value outright: values are not whole
numbers here, and may lie as close together as they like."""
MOST_FOR_A_LINE = 20_000
"""Nodes spent on finding what comes after the end of a line that the table cut off."""
NO_CHANCE = "alphabeta cannot handle chance; for this game use expectiminimax() or mcts()"


_kernels: dict[Any, Any] = {}
"""The machine code of each kind of search: finding out the types takes longer than a short one."""


@lru_cache(maxsize=64, typed=True)  # a short search takes as long as writing its engine
def text_of(cls: Any, *fields: Any) -> str:
    return part_text(cls(*fields))


def line_of(scratch: Any) -> tuple[int, ...]:
    """The best line that a search has left."""
    return tuple(scratch.lines[0, : scratch.frames["length"][0]].tolist())


class Best(NamedTuple):
    """What a search has found: value and line, and exact values of root moves where known."""

    value: float
    line: tuple[int, ...]
    rows: dict[int, float]


class Deepening:
    """Alpha-beta at one position, depth after depth: what `ponder.search.session` drives."""

    vector = False

    def __init__(
        self,
        position: Position,
        engine: AlphaBeta,
        memory: float | None = None,
        trace: Any = NO_TRACE,
    ) -> None:
        self.position, self.engine = position, engine
        rules = position.rules
        hooks = hooks_of(rules.game)
        self.may_evaluate = "evaluate" in hooks
        self.longest = min(rules.spec.max_length, DEEPEST_SEARCH)
        given = memory or DEFAULT_TABLE
        self.table = empty_table(ENTRY, given) if engine.table else NO_TABLE
        self.traced = trace is not NO_TRACE
        on: Any = switches_of(engine, hooks)
        self.case: Any = rules.case
        plies = self.longest + 2
        self.usual = not self.traced and not engine.endgame
        if self.usual:
            on = on if any(on) else PLAIN
            self.scratch = cleared_scratch(self.case, position, plies, on, self.table)
        else:
            self.scratch = new_scratch(position, plies, on, self.table, trace, engine.endgame)
        self.info = self.scratch.info
        self.kept = Best(0.0, (), {})
        """Of the last finished depth."""
        self.finished = 0
        self.ended: str | None = None
        self.window: float | None = None
        """The lower end of the window that is being searched."""
        self.kernel = self.compile()

    @property
    def nodes(self) -> int:
        return int(self.info[NODES])

    def compile(self) -> Any:
        """The machine code, made before any clock runs."""
        rules = self.position.rules
        # A game, the kind of trace and that of endgame tables settle all types.
        kinds = type(self.scratch.on), type(self.scratch.trace), type(self.scratch.endgame)
        case = self.case, kinds
        if case not in _kernels:
            _kernels[case] = guarded(rules.name, entry_point, begin, self.scratch, 1, -1.0, 1.0, 0)
        return _kernels[case]

    def visit(self, depth: int, alpha: float, beta: float) -> float:
        """The root's value for the player to move there: exact inside the window, else a bound."""
        self.info[CUT_SHORT] = 0
        self.scratch.known[...] = 0
        self.scratch.frames["length"][0] = 0  # `best` may look before the root is visited
        self.window = alpha
        with traced(self.position, lambda: actions_along(self.position, self.scratch.states)):
            value = guarded(
                self.position.rules.name,
                self.kernel,
                self.scratch,
                depth,
                float(alpha),  # the machine code is made for floats
                float(beta),
                self.position.current_player,
            )
        if self.info[BROKEN]:
            raise fault_at(self.position, self.scratch.states[: self.info[BROKEN]])
        return float(value)

    # ------------------------------------------------------------ depth after depth

    def straight(self, plan: int | None) -> bool:
        """Is the planned depth searched without the ones before it?"""
        return not (self.engine.deepen and self.may_evaluate)

    def hand_back(self) -> None:
        """The search is over, and its arrays may serve another one."""
        if self.engine.table:
            hand_back(self.table)
        if self.usual and not self.position.rules.plain:  # whose states belong to one search
            keep_for_the_next(self.case, self.scratch)

    def search(self, depth: int) -> None:
        """Search to this depth; leaves what was found, unless it is told to end."""
        if self.engine.mtdf:
            self.deepen_by_null_windows(depth)
        else:
            self.deepen_to(depth)
        self.refuse_unfit_game()

    def refuse_unfit_game(self) -> None:
        rules = self.position.rules
        if self.info[MET_CHANCE]:
            raise InputError(NO_CHANCE)
        if self.info[BLIND]:
            raise no_evaluation(rules.name, self.longest, rules.plain)

    def deepen_to(self, depth: int) -> None:
        """Search to `depth`, with a window around the last value that is widened as needed."""
        high = 2.0 * self.scratch.half
        low = -high
        alpha, beta = low, high
        width = NARROW * self.scratch.half
        if self.engine.aspiration and not self.engine.all_moves and self.finished:
            alpha, beta = self.kept.value - width, self.kept.value + width
        while True:
            value = self.visit(depth, alpha, beta)
            if self.info[ABORTED]:
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
        guess = self.kept.value
        for _ in range(MOST_PASSES):
            beta = guess + width if guess == low else guess
            guess = self.visit(depth, beta - width, beta)
            if self.info[ABORTED]:
                return
            if guess < beta:
                high = guess
            else:
                low = guess
            if low >= high:
                break
        # The value is known, or nearly: once more around it for the exact value and its line.
        value = self.visit(depth, low - width, high + width)
        if not self.info[ABORTED]:
            self.keep(value, depth)

    def keep(self, value: float, depth: int) -> None:
        """A finished depth."""
        best = Best(value, self.found_line(), self.found_rows())
        distance = self.distance(value)
        proven = distance is not None and distance <= depth and not self.engine.beam
        if not self.info[CUT_SHORT] or proven:
            self.ended = "solved"
        # in one piece, for whoever looks from another thread
        self.kept, self.finished, self.window = best, depth, None

    def best(self) -> Best:
        """What is known now; only where nothing goes on.

        An unfinished depth counts if its first move, the old best, was searched to the end.
        """
        line = () if self.window is None else self.found_line()
        if not line or self.window is None:
            return self.kept
        value = float(self.scratch.root[line[0]])
        if value <= self.window:  # no more than a bound
            return self.kept
        return Best(value, line, self.found_rows())

    def found_line(self) -> tuple[int, ...]:
        return line_of(self.scratch)

    def found_rows(self) -> dict[int, float]:
        root, known = self.scratch.root, self.scratch.known
        return {a: float(root[a]) for a in self.position.facts.actions if known[a]}

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

    @property
    def shift(self) -> float:
        """The utility of the value 0: values are as high above it as below."""
        return float(self.scratch.middle) if self.position.players == 1 else self.total / 2

    def utility(self, value: float, shift: float | None = None) -> float:
        """The value as a utility, without the cost of distance."""
        if self.is_decisive(value):
            value = math.copysign(self.scratch.half, value)
        return value + (self.shift if shift is None else shift) + 0.0

    def event_utility(self, value: float) -> float | None:
        """The same of a number in an event; None for one beyond every utility."""
        return None if abs(value) > 1.5 * self.scratch.half else self.utility(value)

    # ------------------------------------------------------------ the result

    def told(self) -> tuple[str, float | None]:
        """The best move of the last finished depth and its value."""
        kept = self.kept
        if not kept.line:
            return "", None
        return self.position.action_name(kept.line[0]), self.utility(kept.value)

    def whole_line(self, line: tuple[int, ...]) -> tuple[int, ...]:
        """The line; where the table cut it off, searched on from there.

        With arrays of its own, and a table that is only read: asking changes nothing.
        """
        if not self.scratch.on.table or not line or len(line) >= self.finished:
            return line
        found, here = list(line), self.position
        for action in line:
            here = here._after(action)
        on = self.scratch.on._replace(forgets=True)
        parts = on, self.table, NO_TRACE, self.engine.endgame
        scratch = new_scratch(here, self.longest + 2, *parts)
        high = 2.0 * scratch.half
        while len(found) < self.finished and not here.is_terminal:
            abort_at(scratch.info, int(scratch.info[NODES]) + MOST_FOR_A_LINE)
            scratch.states[0] = here.raw_state[0]
            arguments = self.finished - len(found), -high, high, here.current_player
            guarded(self.position.rules.name, self.kernel, scratch, *arguments)
            if scratch.info[ABORTED]:
                break
            for action in line_of(scratch):
                found.append(action)
                here = here._after(action)
        return tuple(found)

    def report(self, reason: StopReason, seconds: float, seed: int) -> SearchResult:
        position, best = self.position, self.best()
        line = self.whole_line(best.line) or (position.facts.actions[0],)
        total, shift = self.total, self.shift
        value = self.utility(best.value, shift)
        mover = position.current_player
        other = total - value + 0.0
        values = [value if p == mover else other for p in range(position.players)]
        return SearchResult(
            position=position,
            engine=text_of(type(self.engine), *self.engine),  # type: ignore[arg-type]
            action=line[0],
            value=value if best.line else None,
            values=tuple(values) if best.line else (),
            line=line,
            moves=self.move_rows(best, line[0], value, shift),
            seconds=seconds,
            stopped_by=reason,
            seed=seed,
            depth=self.finished,
            deepest=int(self.info[DEEPEST]),
            nodes=self.nodes,
            memory=self.table.nbytes if self.engine.table else 0,
            notes=self.notes(best),
        )

    def move_rows(self, found: Best, best: int, value: float, shift: float) -> tuple[MoveRow, ...]:
        """The moves, best first; a value where it is exact, not where it is only a bound."""
        rows = found.rows
        known = {a: self.utility(v, shift) for a, v in rows.items()}
        if found.line:
            known[best] = value
        position = self.position
        ranked = sorted(position.facts.actions, key=lambda a: (a != best, -rows.get(a, -math.inf)))
        nothing = (None,) * 5  # no spread, prior, bounds, values
        return tuple([MoveRow(a, 0, known.get(a), *nothing, position) for a in ranked])

    def notes(self, best: Best) -> tuple[str, ...]:
        if not best.line:
            return ("stopped before the first move was searched: any legal move",)
        plies = self.distance(best.value)
        if plies is None:
            return ()
        word = "wins" if best.value > 0 else "loses"
        return (f"player {self.position.current_player} {word} in {plies} plies",)
