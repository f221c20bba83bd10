"""The driver of `ponder.search.exact_visit`: which questions to ask until a value is known.

For one player, or two with opposite interests, without chance. Every answer narrows the bounds of
the value; they meet at the truth:

- first *is it more than a guess?* (a win, in games that are won, drawn or lost);
- once a win is certain, its distance is found by halving, and likewise that of a loss;
- other values are closed in on by asking at the last answer (MTD(f): Plaat et al. 1996).

Games that can last long are first asked for quick wins and losses, within 1, 2, 3 ... plies, at
little cost. Where the whole game is too deep to be searched, that is all that is asked.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ponder.core.compiled import RulesRaised, guarded
from ponder.core.faults import actions_along, fault_at, raise_told
from ponder.core.game import hooks_of, new_lists, new_states
from ponder.core.pausing import ABORTED, NO_LIMIT, NODES, PLACES, must_go_on, new_info
from ponder.core.position import Position
from ponder.errors import InputError
from ponder.jit import entry_point
from ponder.search.events import NO_TRACE
from ponder.search.exact_table import FARTHEST, new_exact_table, take_over
from ponder.search.exact_visit import (
    BROKEN,
    HINTS,
    INFO_SIZE,
    MET_CHANCE,
    ORDERED,
    PROVEN_MOVE,
    TOO_DEEP,
    WIDTH,
    ExactScratch,
    asked,
    closed_in,
    final_value,
)
from ponder.search.table import NO_MOVE

NO_DICE = "{} cannot handle chance: use value-iteration or expectiminimax"
DEEPEST = 1000
"""Plies below the root that a search can reach."""
LONG_GAME = 64
"""Games that can last longer are first asked for quick wins."""
QUICK_NODES = 20_000
"""Nodes for quick wins before the whole game is searched (not tuned)."""
SMALL_TABLE = 4.0
"""Megabytes to begin with. The table grows when as many nodes were visited as it has entries: a
small one stays in the processor's cache."""
GROWTH = 8
"""How many times as large the table becomes (not tuned)."""


class Bounds(NamedTuple):
    """What is known of a value, for the player to move."""

    low: float
    high: float

    @property
    def known(self) -> bool:
        return self.low == self.high


class ExactSearch:
    """Solves positions of one game, one after the other, with one table.

    It takes as long as it takes. Run in the background with an `info` of its own it can be paused
    (`ponder.core.background`); meanwhile `bounds` says what is known.
    """

    def __init__(
        self, position: Position, memory: float, info: Any = None, log: Any = None
    ) -> None:
        """`log`: an `EventLog` that writes down what happens."""
        self.log = log
        rules: Any = position.rules
        spec = rules.spec
        self.rules, self.position = rules, position
        plies = min(spec.max_length, DEEPEST) + 2
        states = new_states(spec.state, plies)
        half = float((spec.highest - spec.lowest) / 2 or 1.0)
        info = new_info(INFO_SIZE) if info is None else info
        info[PLACES:] = 0
        info[PROVEN_MOVE] = NO_MOVE
        hooks = hooks_of(rules.game)
        info[ORDERED] = "enough_actions" in hooks
        info[HINTS] = "order" in hooks
        self.exact_key = "exact_key" in hooks
        self.most_memory, self.memory = memory, min(memory, SMALL_TABLE)
        self.scratch = ExactScratch(
            game=rules.part,
            table=new_exact_table(self.memory, self.exact_key),
            states=states,
            words=states.view(np.uint64).reshape(plies, -1),
            actions=new_lists(spec, plies, np.int32),
            merits=np.zeros((plies, spec.max_actions)),
            history=np.zeros((spec.players, spec.distinct_actions or spec.max_actions)),
            utilities=np.zeros(spec.players),
            bounds=np.zeros(2),
            info=info,
            trace=NO_TRACE if log is None else log.part,
            half=half,
            middle=float(spec.highest + spec.lowest) / 2,
            base=2.0 ** max(20, math.ceil(math.log2(half)) + 1),
        )
        self.info = info
        self.full_at = self.when_full()
        self.stopped: str | None = None
        """Why something stays unknown: depth."""
        # the machine code, made before any clock runs
        root, nothing = position.raw_state, self.nothing
        examples = self.scratch, root, 0, *nothing
        self.asked = guarded(rules.name, entry_point, asked, *examples, 0.0)
        self.closed_in = guarded(rules.name, entry_point, closed_in, *examples)
        self.copy_table = entry_point(take_over, self.table, self.table)

    @property
    def table(self) -> Any:
        return self.scratch.table

    @property
    def nodes(self) -> int:
        return int(self.info[NODES])

    # ------------------------------------------------------------ questions

    @property
    def bounds(self) -> Bounds:
        """What is known of the position that is being asked about."""
        return Bounds(*self.scratch.bounds.tolist())

    @property
    def proven_move(self) -> int | None:
        """A move by which the lower one of the bounds is reached; None if there is none yet."""
        move = int(self.info[PROVEN_MOVE])
        return None if move == NO_MOVE else move

    def ask(
        self, position: Position, x: float, known: Bounds, most_nodes: int = NO_LIMIT
    ) -> Bounds | None:
        """Is the value for the player to move above x? What is known then of the value, of which
        `known` was known: at least more than x, or at most x. None if it could not be answered."""
        found = self.run(position, self.asked, known, most_nodes, float(x))
        return None if self.info[ABORTED] else found

    def run(
        self, position: Position, kernel: Any, known: Bounds, most_nodes: int, *question: float
    ) -> Bounds:
        """Run a kernel on a position, with at most so many nodes: with a larger table whenever it
        is full; what was known stays known."""
        if self.log is not None:
            self.log.begin(position)
        root, last = position.raw_state, NO_LIMIT
        if most_nodes < NO_LIMIT:
            last = min(NO_LIMIT, self.nodes + most_nodes)
        while True:
            try:
                came_between, low, high = guarded(
                    self.rules.name,
                    kernel,
                    self.scratch,
                    root,
                    min(last, self.full_at),
                    *known,
                    *question,
                )
            except RulesRaised as error:
                raise_told(error, position, lambda: actions_along(position, self.scratch.states))
            known = Bounds(low, high)
            if not came_between:
                return known
            if self.info[BROKEN]:
                raise fault_at(position, self.scratch.states[: self.info[BROKEN]])
            must_go_on(self.info)
            if self.info[MET_CHANCE]:
                raise InputError(NO_DICE.format("alphabeta"))
            if not self.info[ABORTED] or self.nodes < self.full_at or self.nodes >= last:
                return known
            small, self.memory = self.table, min(GROWTH * self.memory, self.most_memory)
            self.scratch = self.scratch._replace(table=new_exact_table(self.memory, self.exact_key))
            self.copy_table(self.table, small)
            self.full_at = self.when_full()

    def when_full(self) -> int:
        """The node at which a table that may grow counts as full."""
        return self.nodes + len(self.table[0]) if self.memory < self.most_memory else NO_LIMIT

    def bounds_of(
        self, position: Position, known: Bounds | None = None, most_nodes: int = NO_LIMIT
    ) -> Bounds:
        """The value of a position; bounds that have not met if the game is too long, or if so many
        nodes are not enough.

        `known`: bounds that are already known.
        """
        self.info[PROVEN_MOVE] = NO_MOVE
        found, plies = known or self.nothing, 0
        end = min(NO_LIMIT, self.nodes + most_nodes) if most_nodes < NO_LIMIT else NO_LIMIT
        if self.rules.spec.max_length > LONG_GAME:
            found, plies = self.quick_results(position, found, 1, min(QUICK_NODES, most_nodes))
            if found.known or self.nodes >= end:
                return found
        left = end - self.nodes if end < NO_LIMIT else NO_LIMIT
        found = self.run(position, self.closed_in, found, left)
        if found.known:
            return found
        if self.info[TOO_DEEP] and self.nodes < end:
            found, _ = self.quick_results(position, found, plies + 1, end - self.nodes)
            if not found.known:
                self.stopped = "depth"
        return found

    def compared(self, position: Position, after: Position, root: Bounds) -> Bounds:
        """What one question says of a move: is it as good as the best, whose value is known?

        Bounds of `after` for the player to move there: see `bounds_after`.
        """
        if after.is_terminal or not root.known:
            return self.nothing
        target = root.low
        if self.is_decisive(target):
            target += math.copysign(1.0, target)  # counted from the position after the move
        same = after.current_player == position.current_player
        found = self.ask(after, target - WIDTH if same else -target, self.nothing)
        return found or self.nothing

    def bounds_after(self, position: Position, after: Position, known: Bounds) -> Bounds:
        """The value of a move of `position`, for its mover, counted from `position`.

        `known`: what is known of `after`, for the player to move there.
        """
        mover = position.current_player
        if after.is_terminal:
            states = after.raw_state
            value = float(final_value(self.scratch, states[0], 1, mover))
            return Bounds(value, value)
        found = known if self.stopped else self.bounds_of(after, known)
        return self.seen_from(position, after, found)

    def seen_from(self, position: Position, after: Position, found: Bounds) -> Bounds:
        """Bounds of `after`, for the player to move there, as bounds of the move to it."""
        same = after.current_player == position.current_player
        low, high = found if same else (-found.high, -found.low)  # turned to the mover's view
        return Bounds(self.one_ply_farther(low), self.one_ply_farther(high))

    def one_ply_farther(self, value: float) -> float:
        if abs(value) == self.scratch.base or not self.is_decisive(value):
            return value
        return value - math.copysign(1.0, value)

    @property
    def nothing(self) -> Bounds:
        """Before the first question."""
        return Bounds(-self.scratch.base, self.scratch.base)

    def quick_results(
        self, position: Position, known: Bounds, first: int, most_nodes: int
    ) -> tuple[Bounds, int]:
        """Ask for a win, then for a loss, within `first` plies, then more; what is known then, and
        the last depth asked."""
        base, end = self.scratch.base, self.nodes + most_nodes
        for plies in range(first, min(self.rules.spec.max_length, DEEPEST - 1) + 1):
            for x in (base - plies - 1, plies - base):
                if known.known:
                    return known, plies
                if not known.low <= x < known.high:
                    continue
                found = self.ask(position, x, known, max(1, end - self.nodes))
                if found is None:
                    return self.bounds, plies - 1
                known = found
        return known, DEEPEST

    # ------------------------------------------------------------ what values mean

    def is_decisive(self, value: float) -> bool:
        return abs(value) > self.scratch.base - FARTHEST

    def value_and_distance(self, bounds: Bounds) -> tuple[float | None, int | None]:
        """The value for the mover, counted from the middle, and the plies to a decisive end."""
        half, base = self.scratch.half, self.scratch.base
        for bound, sign in ((bounds.low, 1), (bounds.high, -1)):
            if base - FARTHEST < bound * sign < base:
                distance = round(base - abs(bound)) if bounds.known else None
                return sign * half, distance
        return (bounds.low, None) if bounds.known else (None, None)

    def ends(self, bounds: Bounds) -> tuple[float, float]:
        """The bounds without distances, counted from the middle."""
        half = self.scratch.half
        low, high = (max(-half, min(half, bound)) for bound in bounds)
        return low, high

    def event_utility(self, value: float) -> float | None:
        """A number in an event, counted from the middle; None for one beyond all utilities."""
        half = self.scratch.half
        return None if abs(value) >= self.scratch.base else max(-half, min(half, value))
