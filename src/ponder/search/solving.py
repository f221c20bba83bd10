"""How `ponder.search.solve` works: which method fits, one after another; what they have found."""

from __future__ import annotations

from typing import Any

from ponder.core.events import Event
from ponder.core.limits import StopReason
from ponder.core.pausing import PLACES, new_info
from ponder.core.position import Position
from ponder.errors import InputError
from ponder.search.constant_sum import is_constant_sum, sum_of_utilities
from ponder.search.exact import NO_DICE
from ponder.search.solved import Solved, SolvedMove
from ponder.search.solving_help import what_helps
from ponder.search.solving_methods import (
    ENGINES,
    ByAlphaBeta,
    ByEngine,
    ByIteration,
    ByProofNumbers,
    Known,
    Watch,
)
from ponder.search.value_iteration import MOST_STATES, TooManyStates

MOST_TRIED = 3_000_000
"""Positions that value iteration may list before a chance game is searched as a tree."""
METHODS = ("alphabeta", "proof-number", "value-iteration", *ENGINES)
INFO_SIZE = PLACES + 16
"""Room for the places of every method's kernels."""


class Solving:
    """One position being solved: what the thread of the session carries out."""

    def __init__(
        self,
        position: Position,
        memory: float,
        method: str | None,
        hold: tuple[str, ...],
        watch: Watch | None = None,
    ) -> None:
        """`watch`: write down what happens after a moment, and how much of it at most."""
        self.watch = watch
        self.asked_of, self.position = position, position.for_kernels()
        self.memory, self.hold = memory, hold
        self.info = new_info(INFO_SIZE)
        self.chance = position.rules.has_dice
        self.opposed = position.players == 1 or (
            position.players == 2 and is_constant_sum(position)
        )
        self.middle = self.find_middle() if self.opposed else 0.0
        self.asked = method
        self.name = method or self.first_choice()
        self.method: Any = self.made(self.name)
        self._methods = [self.method]

    def first_choice(self) -> str:
        if not self.opposed:
            return "maxn"
        return "value-iteration" if self.chance else "alphabeta"

    def made(self, name: str) -> Any:
        if name in ("alphabeta", "proof-number", "value-iteration") and not self.opposed:
            raise InputError(f"{name} needs a zero-sum game of one or two players: use maxn")
        if name in ("alphabeta", "proof-number", "minimax") and self.position.dice_ahead:
            raise InputError(NO_DICE.format(name))
        if name == "alphabeta":
            return ByAlphaBeta(self)
        if name == "proof-number":
            return ByProofNumbers(self)
        if name == "value-iteration":
            return ByIteration(self, MOST_TRIED if self.asked is None else MOST_STATES)
        return ByEngine(self, name)

    def find_middle(self) -> float:
        """The middle between the players, or of the range of one alone."""
        if self.position.players == 2:
            return sum_of_utilities(self.position) / 2
        spec = self.position.rules.spec
        return float(spec.highest + spec.lowest) / 2

    @property
    def doing(self) -> str:
        return str(self.method.doing)

    @property
    def stopped(self) -> StopReason | None:
        """Why something stays unknown though nothing is left to do."""
        return self.method.stopped  # type: ignore[no-any-return]

    def work(self) -> None:
        """By the method that was asked for, or by what fits, one after the other."""
        first, name = self.method, self.name
        try:
            first.work()
            if self.asked is not None or name != "alphabeta" or first.stopped != "depth":
                return
            # too long for a tree, but perhaps not for a list
            self.go_over_to("value-iteration")
            self.method.work()
        except TooManyStates:
            if self.asked is not None:
                raise
            if self.chance:
                self.go_over_to("expectiminimax")
                self.method.work()
            else:
                self.method, self.name = first, name

    def go_over_to(self, name: str) -> None:
        self.method, self.name = self.made(name), name
        self._methods.append(self.method)

    def events(self, since: int, until: int) -> list[Event]:
        """What has happened after a moment, by one method after the other."""
        return [event for method in self._methods for event in method.events(since, until)]

    # ------------------------------------------------------------ the result

    def solved(self, seconds: float, stopped_by: str) -> Solved:
        """What is known now, where nothing goes on."""
        position, state = self.position, self.method.known()
        rules: Any = position.rules
        unknown = Known(None, float(rules.spec.lowest), float(rules.spec.highest))
        rows = [self.row(a, state.moves.get(a, unknown)) for a in position.legal_actions]
        rows.sort(key=self.merit, reverse=True)
        root = state.root
        best = state.best
        if root.value is not None and not position.is_chance:
            optimal = [r for r in rows if r.value == root.value and r.distance == root.distance]
            best = rules.number_of(optimal[0].action) if optimal else best
        return Solved(
            position=self.asked_of,
            value=plus_zero(root.value),
            low=root.low + 0.0,
            high=root.high + 0.0,
            distance=root.distance,
            values=root.values,
            move=None if best is None else rules.action_of(best),
            moves=tuple(rows),
            nodes=self.method.nodes,
            seconds=seconds,
            method=self.name,
            stopped_by=stopped_by,
            solution=self.method.solution,
            help=what_helps(self, stopped_by, seconds) if root.value is None else (),
        )

    def row(self, action: Any, known: Known) -> SolvedMove:
        return SolvedMove(
            self.position.rules.action_of(action),
            self.position.action_name(action),
            plus_zero(known.value),
            known.low + 0.0,
            known.high + 0.0,
            known.distance,
            known.values,
        )

    def merit(self, move: SolvedMove) -> tuple[float, float]:
        """The highest value first; of wins the soonest, of losses the latest."""
        if move.value is None:
            return -float("inf"), 0.0
        plies = move.distance or 0
        wins = move.value == self.position.rules.spec.highest
        return move.value, -plies if wins else plies


def plus_zero(number: float | None) -> float | None:
    """No negative zeros for people."""
    return None if number is None else number + 0.0
