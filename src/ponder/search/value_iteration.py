"""Value iteration: the exact value of every reachable position, cycles and chance included.

    >>> from ponder import position, value_iteration
    >>> solved = value_iteration(position("pig(target=2)"), hold=("decisions",))
    >>> round(solved.value, 9)  # 2 * 6/7 - 1
    0.714285714

For one player, or two whose utilities add up to a constant, with a bounded set of positions. Where
positions can come back (Pig), depth-first search never ends; here all of them are listed once
(breadth first, each known by the bytes of its record), and then

    V(s) <- max, min (player 1) or average of V over the positions after s

is swept over them, last found first, until nothing is left to gain. Two sweeps go on at once, one
from the lowest utility upward and one from the highest downward: the truth is between them, so the
error is known (interval iteration, Haddad & Monmege 2018).

Counters that only bound the length of a game (the decisions of Pig, the turns of backgammon) would
make every position new. `hold` names the fields of the record that keep their first value.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from threading import Event
from typing import Any

import numpy as np

from ponder.core.compiled import TERMINAL, guarded
from ponder.core.driver import Progress, drive
from ponder.core.faults import fault_after, traced
from ponder.core.game import CHANCE, new_list
from ponder.core.limits import Limit
from ponder.core.pausing import NO_LIMIT, NODES, abort_at, counted, must_go_on, new_info
from ponder.core.position import Position
from ponder.core.tablebase import save_values
from ponder.errors import InputError
from ponder.jit import kernel
from ponder.search.state_graph import (
    COUNT,
    NEXT,
    StateGraph,
    actions_to,
    expand,
    find_place,
    grown_graph,
    held_bytes,
)
from ponder.search.work import WorkRun

MOST_STATES = 20_000_000


@kernel
def improved(graph, i):
    """Both bounds of a position, from those of what follows it."""
    owner = graph.owner[i]
    low, high = 0.0, 0.0
    for e in range(graph.first[i], graph.first[i + 1]):
        below, above = graph.lower[graph.after[e]], graph.upper[graph.after[e]]
        if owner == CHANCE:
            low += graph.chance[e] * below
            high += graph.chance[e] * above
        elif e == graph.first[i]:
            low, high = below, above
        elif owner == 0:
            low, high = max(low, below), max(high, above)
        else:
            low, high = min(low, below), min(high, above)
    return low, high


@kernel
def sweep(graph, control):
    """Improve both bounds of every position once; the widest gap, and the greatest change."""
    gap, change = 0.0, 0.0
    for i in range(graph.info[COUNT] - 1, -1, -1):
        if graph.owner[i] == TERMINAL:
            continue
        if not counted(control):
            break
        low, high = improved(graph, i)
        change = max(change, abs(low - graph.lower[i]), abs(high - graph.upper[i]))
        graph.lower[i], graph.upper[i] = low, high
        gap = max(gap, high - low)
    return gap, change


class TooManyStates(InputError):
    """More positions can be reached than may be listed."""


class Iteration:
    """Value iteration at work: lists all positions, then sweeps over them until the bounds meet.

    ``work()`` takes as long as it takes; run in the background it can be paused.
    """

    def __init__(
        self,
        position: Position,
        *,
        hold: tuple[str, ...] = (),
        tolerance: float = 1e-12,
        most_states: int = MOST_STATES,
        inner: Position | None = None,
        info: Any = None,
    ) -> None:
        inner = position.for_kernels() if inner is None else inner
        rules: Any = inner.rules
        if rules.players > 2 or (rules.players == 2 and not rules.spec.zero_sum):
            raise InputError("value iteration is for one player, or two with opposite interests")
        spec = rules.spec
        self.position, self.inner, self.most_states = position, inner, most_states
        self.info = new_info() if info is None else info
        self.graph = grown_graph(None, inner, held_bytes(spec.state, hold), most_states)
        scale = max(1.0, abs(spec.lowest), abs(spec.highest))
        self.small = tolerance * scale
        self.actions, self.chances = new_list(spec, np.int32), new_list(spec, np.float64)
        self.utilities = np.zeros(spec.players)
        self.listed = False
        """Are all positions known?"""
        self.began = 0
        """The node at which the work began."""
        self.sweeps, self.gap = 0, float(spec.highest - spec.lowest)
        abort_at(self.info, 0)  # compiles, before any clock runs
        self.expand()
        sweep(self.graph, self.info)
        abort_at(self.info, NO_LIMIT)

    @property
    def states(self) -> int:
        """Positions found so far."""
        return int(self.graph.info[COUNT])

    @property
    def doing(self) -> str:
        if not self.listed:
            return f"{self.states:,} positions listed"
        return f"{self.states:,} positions, sweep {self.sweeps + 1}, gap {self.gap:.3g}"

    def expand(self) -> None:
        rules: Any = self.inner.rules
        arrays = self.actions, self.chances, self.utilities
        with traced(self.inner, lambda: actions_to(self.graph, int(self.graph.info[NEXT]))):
            broken = guarded(rules.name, expand, rules.part, self.graph, *arrays, self.info)
        if broken >= 0:
            raise fault_after(self.inner, actions_to(self.graph, int(broken)))

    def work(self) -> None:
        """List and sweep, until every value is within the tolerance of the truth."""
        abort_at(self.info, NO_LIMIT)
        self.began = int(self.info[NODES])
        while self.graph.info[NEXT] < self.graph.info[COUNT]:
            self.expand()
            must_go_on(self.info)
            if self.states > self.most_states:
                raise TooManyStates(
                    f"more than {self.most_states:,} positions can be reached: too many to solve at"
                    " once (a counter in the record? hold=(...) names fields that are kept as they"
                    " are)"
                )
            if self.graph.info[NEXT] < self.graph.info[COUNT]:
                held = self.graph.held
                self.graph = grown_graph(self.graph, self.inner, held, self.most_states)
        self.listed = True
        change = np.inf
        while self.gap > self.small and change > self.small * 1e-4:
            gap, change = sweep(self.graph, self.info)
            must_go_on(self.info)
            self.gap = float(gap)
            self.sweeps += 1
        if self.gap > 1e3 * self.small:
            raise InputError(
                f"{self.position.rules.name} can go on forever from some position: endless play "
                f"has no value (bounds {self.gap:g} apart after {self.sweeps} sweeps)"
            )

    @property
    def solution(self) -> Solution:
        """The values as they are known now; all positions must be listed."""
        return Solution(self.position, self.inner, self.graph, self.sweeps, self.gap)


def value_iteration(
    position: Position,
    *,
    hold: tuple[str, ...] = (),
    tolerance: float = 1e-12,
    most_states: int = MOST_STATES,
    seconds: float | None = None,
    stop: Event | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Solution:
    """Solve the game from `position` on: every value is within `tolerance` of the truth.

    `hold`: fields of the state record that are kept at their value in `position`. Stopped early
    (by `seconds`, `stop` or Ctrl-C), it gives the values as they are known by then, with their
    `gap`; before all positions are listed there are none: that is refused.
    """
    limit = Limit(seconds=seconds)
    work = Iteration(position, hold=hold, tolerance=tolerance, most_states=most_states)
    run = WorkRun(work.work, work.info, lambda: work.doing)
    try:
        reason = drive(run, limit, stops=[stop] if stop else [], progress=progress)
    finally:
        run.close()
    if not work.listed:
        if reason == "interrupt":
            raise KeyboardInterrupt
        raise InputError(
            f"stopped ({reason}) when {work.states:,} positions were listed, and there are more: "
            "no value is known"
        )
    return work.solution


class Solution:
    """The values of all positions that can be reached."""

    def __init__(
        self, position: Position, inner: Position, graph: StateGraph, sweeps: int, gap: float
    ) -> None:
        self.position, self.inner, self.graph = position, inner, graph
        self.sweeps = sweeps
        self.gap = gap
        """Nowhere are the bounds of a value farther apart."""

    @property
    def states(self) -> int:
        """How many positions can be reached, the first included."""
        return int(self.graph.info[COUNT])

    @property
    def value(self) -> float:
        """The utility of player 0 at the first position, with best play by all."""
        return self._value(0)

    def value_of(self, position: Position) -> float:
        """The utility of player 0 at a position that can be reached from the first one."""
        return self._value(self._index(position))

    def best_actions(self, position: Position, margin: float = 1e-9) -> tuple[Any, ...]:
        """The actions whose value is within `margin` of the best, in the game's order."""
        graph, i = self.graph, self._index(position)
        if graph.owner[i] < 0:
            return ()
        edges = range(graph.first[i], graph.first[i + 1])
        sign = 1 if graph.owner[i] == 0 else -1  # player 1 minimises the utility of player 0
        action = self.inner.rules.action_of
        worth = {action(int(graph.action[e])): sign * self._value(graph.after[e]) for e in edges}
        best = max(worth.values())
        return tuple(a for a, value in worth.items() if value >= best - margin)

    def bounds_of(self, position: Position) -> tuple[float, float]:
        """Between what the utility of player 0 at such a position lies."""
        i = self._index(position)
        return float(self.graph.lower[i]), float(self.graph.upper[i])

    def save(self, path: str | Path) -> int:
        """Write all values as an endgame table (`ponder.core.tablebase`); its size in bytes."""
        graph, n = self.graph, self.states
        values = (graph.lower[:n] + graph.upper[:n]) / 2
        return save_values(self.position, graph.words[:n], values, graph.held, path)

    def _value(self, i: int) -> float:
        return float(self.graph.lower[i] + self.graph.upper[i]) / 2

    def _index(self, position: Position) -> int:
        graph = self.graph
        spare = graph.states.size - 1  # never taken: see the room kept by `expand`
        graph.states[spare] = position.state_for(self.inner.rules)[0]
        graph.raw[spare, graph.held] = graph.raw[0, graph.held]
        found = graph.places[find_place(graph, spare)]
        if found == 0:
            raise InputError(f"{position.text()!r} cannot be reached from the solved position")
        return int(found) - 1
