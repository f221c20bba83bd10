"""`solve`: the exact value of a position and of every move, by the method that fits the game.

>>> from ponder import position, solve
>>> found = solve(position("nim(heaps=(1, 2, 4))"))
>>> found.value, found.distance, [move.name for move in found.best]
(1.0, 7, ['3-1'])

method              for
alphabeta           one player, or two with opposite interests; no chance
proof-number        two with opposite interests, no chance: win, draw or loss, no distances
value-iteration     one or two with opposite interests, chance allowed; all positions fit into
                    memory
expectiminimax      the same, too many positions, but a tree that can be searched to its end
maxn                any number of players, any utilities, chance allowed
minimax             the same without chance, by visiting everything
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from threading import Event
from typing import Any, NamedTuple

from ponder.core.game import hooks_of
from ponder.core.interrupt import interruptible
from ponder.core.limits import Limit
from ponder.core.position import Position, check_searchable
from ponder.core.registry import game_text
from ponder.core.result import plain_json
from ponder.errors import InputError
from ponder.search.classical import is_constant_sum, sum_of_utilities
from ponder.search.exact import Bounds, ExactSearch
from ponder.search.expectiminimax import Expectiminimax
from ponder.search.maxn import MaxN
from ponder.search.minimax import Minimax
from ponder.search.proof_number import ProofSearch
from ponder.search.value_iteration import MOST_STATES, OutOfTime, TooManyStates, value_iteration

DEFAULT_MEMORY = 256.0
"""Megabytes of table."""
MOST_TRIED = 3_000_000
"""Positions that value iteration may list before a chance game is searched as a tree."""
METHODS = (
    "alphabeta",
    "proof-number",
    "value-iteration",
    "expectiminimax",
    "maxn",
    "minimax",
)


class SolveProgress(NamedTuple):
    """What a progress callback is told now and then."""

    doing: str
    nodes: int
    seconds: float


@dataclass(frozen=True)
class SolvedMove:
    """A move with its exact value for the player who makes it."""

    action: Any
    name: str
    value: float | None
    """None where it is not known."""
    distance: int | None = None
    """Plies to the end, this move included, if the game is then won or lost; both play their best:
    the winner hurries, the loser delays. None of other results, and where it is not known."""

    def to_json(self) -> dict[str, Any]:
        return {
            "action": plain_json(self.action),
            "name": self.name,
            "value": self.value,
            "distance": self.distance,
        }


@dataclass(frozen=True)
class Solved:
    """What is known of a position. Values are for the player to move, for player 0 where chance
    moves: then the moves are its outcomes."""

    position: Position
    value: float | None
    distance: int | None
    moves: tuple[SolvedMove, ...]
    """Best first."""
    nodes: int
    """Positions visited."""
    seconds: float
    method: str
    stopped_by: str
    """solved, seconds, stop, interrupt or depth."""
    solution: Any = field(default=None, repr=False, compare=False)
    """All positions and their values (`ponder.search.value_iteration.Solution`), where value
    iteration has found them."""

    @property
    def best(self) -> tuple[SolvedMove, ...]:
        """The optimal moves: of the best value, and of wins the soonest, of losses the latest."""
        if self.value is None or self.position.is_chance:
            return ()
        return tuple(m for m in self.moves if m.value == self.value and m.distance == self.distance)

    def to_json(self) -> dict[str, Any]:
        """Plain data: the shape of ``ponder solve --json``."""
        return {
            "game": game_text(self.position.game),
            "position": self.position.text(),
            "value": self.value,
            "distance": self.distance,
            "moves": [move.to_json() for move in self.moves],
            "nodes": self.nodes,
            "seconds": self.seconds,
            "method": self.method,
            "stopped_by": self.stopped_by,
        }


def has_chance(position: Position) -> bool:
    """Does the game have chance nodes?"""
    if position.rules.compiled:
        return "chance_outcomes" in hooks_of(position.game)
    return hasattr(position.game, "chance_outcomes")


def solve(
    position: Position,
    *,
    seconds: float | None = None,
    memory: float | None = None,
    method: str | None = None,
    hold: tuple[str, ...] = (),
    stop: Event | None = None,
    progress: Callable[[SolveProgress], None] | None = None,
) -> Solved:
    """Solve `position`: its value, how far the end is, and the same of every move.

    Without `seconds` it takes as long as it takes. What is not known when the time is over is None.
    `hold` names fields of the state that merely count and are to be left as they are, so that
    positions come back: see `ponder.search.value_iteration`, which it asks for.
    """
    limit = Limit(seconds=seconds, memory=memory)
    if not position.is_chance:
        check_searchable(position)
    if hold and position.rules.plain:
        raise InputError(
            "hold=... names fields of a record, and a plain Python game has none: leave what "
            "merely counts out of its key(state)"
        )
    run = _Run(position, limit, stop, progress, hold)
    if hold or position.is_chance:
        why = "hold=... is" if hold else "a position in which chance moves is"
        if method not in (None, "value-iteration"):
            raise InputError(f"{why} for value-iteration, not for {method}")
        return run.by("value-iteration")
    if method is not None:
        if method not in METHODS:
            raise InputError(f"unknown method {method!r} (there are: {', '.join(METHODS)})")
        return run.by(method)
    return run.by_what_fits()


class _Run:
    """One call of `solve`."""

    def __init__(
        self,
        position: Position,
        limit: Limit,
        stop: Event | None,
        progress: Callable[[SolveProgress], None] | None,
        hold: tuple[str, ...] = (),
    ) -> None:
        self.asked, self.position = position, position.for_kernels()
        self.stop, self.progress, self.hold = stop, progress, hold
        self.seconds, self.memory = limit.seconds, limit.memory or DEFAULT_MEMORY
        self.began = time.perf_counter()
        self.chance = has_chance(position)
        self.opposed = position.players == 1 or (
            position.players == 2 and is_constant_sum(position)
        )
        self.middle = self.find_middle() if self.opposed else 0.0

    def by_what_fits(self) -> Solved:
        if not self.opposed:
            return self.by("maxn")
        if not self.chance:
            found = self.by("alphabeta")
            if found.stopped_by != "depth":
                return found
        try:
            return self.by_value_iteration(MOST_TRIED)
        except TooManyStates:
            if not self.chance:
                return found
            return self.by("expectiminimax")

    def by(self, method: str) -> Solved:
        if method in ("alphabeta", "proof-number", "value-iteration") and not self.opposed:
            raise InputError(f"{method} needs a zero-sum game of one or two players: use maxn")
        if method in ("alphabeta", "proof-number", "minimax") and self.chance:
            raise InputError(f"{method} knows no chance: use value-iteration or expectiminimax")
        if method == "alphabeta":
            return self.by_alphabeta()
        if method == "proof-number":
            return self.by_proof_numbers()
        if method == "value-iteration":
            return self.by_value_iteration(MOST_STATES)
        engine = {"expectiminimax": Expectiminimax, "maxn": MaxN, "minimax": Minimax}[method]
        return self.by_engine(method, engine())

    # ------------------------------------------------------------ one method each

    def by_alphabeta(self) -> Solved:
        """The value of the position first, then which moves reach it, then that of each move."""
        search = ExactSearch(self.position, self.memory)
        self.start_clock()
        doing = "the position"
        search.begin(self.seconds, self.stop, lambda: self.tell(doing, search.nodes))
        children: dict[Any, Bounds] = {}
        with interruptible() as search.interrupt:
            root = search.bounds_of(self.position)
            after = {a: self.position._after(a) for a in self.position.legal_actions}
            doing = "the best moves"
            known = {a: search.compared(self.position, after[a], root) for a in after}
            for action in sorted(after, key=lambda a: known[a].high):  # best ones first
                doing = f"move {self.position.action_name(action)}"
                children[action] = search.bounds_after(self.position, after[action], known[action])
        rows = []
        for action in self.position.legal_actions:
            value, distance = search.value_and_distance(children[action])
            rows.append((action, value, distance))
        shift = self.middle
        value, distance = search.value_and_distance(root)
        return self.result(
            "alphabeta",
            None if value is None else value + shift,
            distance,
            [(a, None if v is None else v + shift, d) for a, v, d in rows],
            search.nodes,
            search.stopped or "solved",
        )

    def by_proof_numbers(self) -> Solved:
        search = ProofSearch(self.position, self.memory)
        self.start_clock()
        doing = "the position"
        search.begin(self.seconds, self.stop, lambda: self.tell(doing, search.nodes))
        mover = self.position.current_player
        value = search.value_of(self.position, mover)
        rows = []
        for action in self.position.legal_actions:
            doing = f"move {self.position.action_name(action)}"
            known = search.value_of(self.position._after(action), mover)
            rows.append((action, known, None))
        return self.result(
            "proof-number", value, None, rows, search.nodes, search.stopped or "solved"
        )

    def by_value_iteration(self, most_states: int) -> Solved:
        position = self.position
        with contextlib.suppress(TooManyStates):  # compiles, before the clock runs
            value_iteration(position, hold=self.hold, most_states=0)
        self.start_clock()
        deadline = None if self.seconds is None else self.began + self.seconds
        try:
            solved = value_iteration(
                position, hold=self.hold, deadline=deadline, most_states=most_states
            )
        except OutOfTime:
            return self.result("value-iteration", None, None, self.unknown(), 0, "seconds")
        mover = position.current_player
        total = 2 * self.middle

        def for_mover(value: float) -> float:
            return total - value if mover == 1 else value  # of two opposed players

        rows = [
            (a, for_mover(solved.value_of(position._after(a))), None)
            for a in position.legal_actions
        ]
        found = self.result(
            "value-iteration", for_mover(solved.value), None, rows, solved.states, "solved"
        )
        return replace(found, solution=solved)

    def by_engine(self, method: str, engine: Any) -> Solved:
        """A searcher that goes to the end of the game, and then the same after each move."""
        position, nodes, reason = self.position, 0, "solved"
        rows: list[tuple[Any, float | None, int | None]] = self.unknown()
        mover = position.current_player
        value = None
        found = self.search(engine, position)
        self.began += max(0.0, time.perf_counter() - self.began - found.seconds)  # compiling
        nodes, reason = found.nodes or 0, found.stopped_by
        if reason == "solved":
            value = found.value
            rows = []
            for row in found.moves:
                worth = row.value
                after = position._after(row.action)
                if after.is_terminal:
                    worth = after.returns[mover]
                elif worth is None and reason == "solved" and not after.is_chance:
                    below = self.search(engine, after)
                    nodes += below.nodes or 0
                    reason = below.stopped_by
                    worth = below.values[mover] if reason == "solved" else None
                rows.append((row.action, worth, None))
        return self.result(method, value, None, rows, nodes, reason)

    def search(self, engine: Any, position: Position) -> Any:
        more: dict[str, Any] = {"depth": 1 << 30}
        if isinstance(engine, Expectiminimax):
            more["memory"] = self.memory
        if self.seconds is not None:
            more["seconds"] = max(0.001, self.seconds - (time.perf_counter() - self.began))
        return engine.search(
            position,
            **more,
            stop=self.stop,
            progress=lambda p: self.tell(f"depth {p.depth}", p.nodes),
        )

    # ------------------------------------------------------------ the result

    def start_clock(self) -> None:
        """What was compiled is not counted."""
        self.began = time.perf_counter()

    def tell(self, doing: str, nodes: int) -> None:
        if self.progress is not None:
            self.progress(SolveProgress(doing, nodes, time.perf_counter() - self.began))

    def find_middle(self) -> float:
        """The middle between the players, or of the range of one alone."""
        if self.position.players == 2:
            return sum_of_utilities(self.position) / 2
        spec = self.position.rules.spec
        return float(spec.highest + spec.lowest) / 2

    def unknown(self) -> list[tuple[Any, float | None, int | None]]:
        return [(action, None, None) for action in self.position.legal_actions]

    def result(
        self,
        method: str,
        value: float | None,
        distance: int | None,
        rows: Sequence[tuple[Any, float | None, int | None]],
        nodes: int,
        reason: str,
    ) -> Solved:
        name, rules = self.position.action_name, self.position.rules
        moves = [
            SolvedMove(
                rules.action_of(action), name(action), None if worth is None else worth + 0.0, plies
            )
            for action, worth, plies in rows
        ]

        def merit(move: SolvedMove) -> tuple[float, float]:
            if move.value is None:
                return -float("inf"), 0.0
            plies = move.distance or 0
            wins = move.value == rules.spec.highest
            return move.value, -plies if wins else plies

        moves.sort(key=merit, reverse=True)
        return Solved(
            position=self.asked,
            value=None if value is None else value + 0.0,
            distance=distance,
            moves=tuple(moves),
            nodes=nodes,
            seconds=time.perf_counter() - self.began,
            method=method,
            stopped_by=reason,
        )
