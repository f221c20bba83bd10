"""The methods of `ponder.search.solve`, a class for each; `ponder.search.solving` says which fits.

A method has ``work()``, which takes as long as it takes and can be paused from outside (see
`ponder.core.background`), and ``known()``: what it has found out so far, where nothing goes on.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any, NamedTuple

from ponder.core.events import Event
from ponder.core.pausing import NODES, must_go_on
from ponder.core.position import Position
from ponder.core.result import players_shown
from ponder.search.events import NO_TRACE, EventLog
from ponder.search.exact import DEEPEST, Bounds, ExactSearch
from ponder.search.expectiminimax import Expectiminimax
from ponder.search.iteration_events import events_of
from ponder.search.maxn import MaxN
from ponder.search.minimax import Minimax
from ponder.search.proof_number import ProofSearch
from ponder.search.searcher import DEEPEST_SEARCH, searcher_for
from ponder.search.session import Course
from ponder.search.value_iteration import Iteration

if TYPE_CHECKING:
    from ponder.search.solving import Solving

ENGINES = {"expectiminimax": Expectiminimax, "maxn": MaxN, "minimax": Minimax}

Watch = tuple[int, int]
"""The moment after which events are written down, and how many at most."""


class Known(NamedTuple):
    """What is known of a position or a move, for the player to move at the first position."""

    value: float | None
    low: float
    high: float
    distance: int | None = None
    values: tuple[float, ...] | None = None
    """Every player's, where one does not follow from another."""


class State(NamedTuple):
    """What is known of everything."""

    root: Known
    moves: dict[Any, Known]
    """Those of which something is known."""
    best: Any
    """The best move so far; None if there is no reason to choose any."""


def exactly(value: float, values: tuple[float, ...] | None = None) -> Known:
    return Known(value, value, value, values=values)


class SolvingMethod:
    """Common to all. Making one compiles what it needs, before any clock runs."""

    doing = "the position"
    stopped: str | None = None
    """Why something stays unknown: depth."""
    solution: Any = None
    """The values of all positions, where they have been found."""

    def __init__(self, solving: Solving) -> None:
        self.position, self.info = solving.position, solving.info
        self.middle = solving.middle
        self.log: EventLog | None = None

    def new_log(self, watch: Watch | None, plies: int, **kind: bool) -> EventLog | None:
        """Where events are written, if somebody watches."""
        if watch is not None:
            self.log = EventLog(self.position, plies + 2, since=watch[0], most=watch[1], **kind)
        return self.log

    def events(self, since: int, until: int) -> Iterable[Event]:
        """What has happened, where somebody watches."""
        return () if self.log is None else self.log.events(until, self.event_utility)

    def event_utility(self, value: float) -> float | None:
        """A number in an event as a utility; abstract."""
        raise NotImplementedError

    @property
    def nodes(self) -> int:
        return int(self.info[NODES])


class ByAlphaBeta(SolvingMethod):
    """The value of the position first, then which moves reach it, then that of each move."""

    def __init__(self, solving: Solving) -> None:
        super().__init__(solving)
        log = self.new_log(solving.watch, DEEPEST)
        self.search = ExactSearch(self.position, solving.memory, self.info, log)
        self.root: Bounds | None = None
        self.proven: Any = None
        self.after: dict[Any, Position] = {}
        self.children: dict[Any, Bounds] = {}
        """What is known of the position after a move, for the player to move there."""
        self.values: dict[Any, Bounds] = {}
        """Of each move, for its mover."""

    def work(self) -> None:
        search, here = self.search, self.position
        root = search.bounds_of(here)
        self.proven, self.root = search.proven_move, root
        self.after = {a: here._after(a) for a in here.legal_actions}
        self.doing = "the best moves"
        for action, after in self.after.items():
            self.children[action] = search.compared(here, after, root)
        for action in sorted(self.after, key=lambda a: self.children[a].high):  # best ones first
            self.doing = f"move {here.action_name(action)}"
            after = self.after[action]
            self.values[action] = search.bounds_after(here, after, self.children[action])
        self.stopped = search.stopped

    def event_utility(self, value: float) -> float | None:
        worth = self.search.event_utility(value)
        return None if worth is None else worth + self.middle

    def known(self) -> State:
        search = self.search
        moves = {}
        for action, bounds in self.children.items():
            seen = search.seen_from(self.position, self.after[action], bounds)
            moves[action] = self.translated(self.values.get(action, seen))
        root = search.bounds if self.root is None else self.root
        proven = search.proven_move if self.root is None else self.proven
        return State(self.translated(root), moves, proven)

    def translated(self, bounds: Bounds) -> Known:
        value, distance = self.search.value_and_distance(bounds)
        low, high = self.search.ends(bounds)
        shift = self.middle
        if value is not None:
            return Known(value + shift, value + shift, value + shift, distance)
        return Known(None, low + shift, high + shift)


class ByProofNumbers(SolvingMethod):
    """Two questions, of the position and of each move: at least a draw? A win?"""

    def __init__(self, solving: Solving) -> None:
        super().__init__(solving)
        log = self.new_log(solving.watch, DEEPEST, numbers=True)
        with nullcontext() if log is None else log.deaf():
            self.search = ProofSearch(self.position, solving.memory, self.info, log)
        self.found: dict[Any, list[bool]] = {None: []}
        """The answers so far: by move, None of the position itself."""

    def work(self) -> None:
        here = self.position
        mover = here.current_player
        self.ask(None, here, mover)
        for action in here.legal_actions:
            self.doing = f"move {here.action_name(action)}"
            self.found[action] = []
            self.ask(action, here._after(action), mover)
        self.stopped = self.search.stopped

    def ask(self, action: Any, position: Position, mover: int) -> None:
        for least in (0.0, self.search.half):
            answer = self.search.gets_at_least(position, mover, least)
            if answer is None:
                return
            self.found[action].append(answer)
            if not answer:
                return

    def known(self) -> State:
        moves = {a: self.translated(answers) for a, answers in self.found.items() if a is not None}
        root = self.translated(self.found[None])
        reached = [a for a, move in moves.items() if move.low == root.low]
        best = reached[0] if reached and self.found[None][:1] == [True] else None
        return State(root, moves, best)

    def translated(self, answers: list[bool]) -> Known:
        """No: lost. Yes, no: drawn. Yes, yes: won."""
        half, middle = self.search.half, self.search.middle
        if not answers:
            return Known(None, middle - half, middle + half)
        if answers == [True]:
            return Known(None, middle, middle + half)
        return exactly(middle + half if all(answers) else middle if answers[0] else middle - half)


class ByIteration(SolvingMethod):
    """Value iteration."""

    def __init__(self, solving: Solving, most_states: int) -> None:
        super().__init__(solving)
        self.iteration = Iteration(
            solving.asked_of,
            hold=solving.hold,
            most_states=most_states,
            inner=self.position,
            info=self.info,
        )
        self.done = False

    @property
    def doing(self) -> str:  # type: ignore[override]
        return self.iteration.doing

    @property
    def nodes(self) -> int:
        return self.iteration.states

    def events(self, since: int, until: int) -> Iterable[Event]:
        return events_of(self.iteration, since, until, self.turned)

    def turned(self, value: float) -> float:
        """A utility of player 0 as one of the player to move: what one gains the other loses."""
        return 2 * self.middle - value if self.position.current_player == 1 else value

    def work(self) -> None:
        self.iteration.work()
        self.solution, self.done = self.iteration.solution, True

    def known(self) -> State:
        spec = self.position.rules.spec
        if not self.iteration.listed:
            return State(Known(None, float(spec.lowest), float(spec.highest)), {}, None)
        here, solution = self.position, self.iteration.solution
        moves = {
            a: self.translated(*solution.bounds_of(here._after(a))) for a in here.legal_actions
        }
        best = None
        if not here.is_chance and len({move.low for move in moves.values()}) > 1:
            best = max(moves, key=lambda a: moves[a].low)
        return State(self.translated(*solution.bounds_of(here)), moves, best)

    def translated(self, low: float, high: float) -> Known:
        low, high = sorted((self.turned(low), self.turned(high)))
        return Known((low + high) / 2 if self.done else None, low, high)


class ByEngine(SolvingMethod):
    """A search that goes to the end of the game, and then the same after each move."""

    def __init__(self, solving: Solving, name: str) -> None:
        super().__init__(solving)
        self.engine: Any = ENGINES[name]()
        self.memory = solving.memory if name == "expectiminimax" else None
        vector = self.engine.method(self.position).vector
        self.new_log(solving.watch, DEEPEST_SEARCH, vector=vector)
        self.searcher = self.made(self.position)
        self.root: Known | None = None
        self.moves: dict[Any, Known] = {}

    def made(self, position: Position) -> Any:
        method = self.engine.method(position)
        trace = NO_TRACE if self.log is None else self.log.part
        with nullcontext() if self.log is None else self.log.deaf():
            return searcher_for(self.engine, method, position, self.memory, trace, self.info)

    def event_utility(self, value: float) -> float | None:
        worth: float | None = self.searcher.event_utility(value)
        return worth

    def searched(self, searcher: Any) -> Any:
        """The result, at the end of the game; None if that is too far."""
        if self.log is not None:
            self.log.begin(searcher.position)
        course = Course(searcher, searcher.longest)
        course.go_on()
        must_go_on(self.info)
        self.stopped = None if course.ended == "solved" else course.ended
        return None if self.stopped else searcher.report("solved", 0.0, 0)

    def work(self) -> None:
        here = self.position
        found = self.searched(self.searcher)
        if found is None:
            return
        self.root = self.exact(found.values)
        for row in found.moves or found.outcomes:
            after = here._after(row.action)
            self.doing = f"move {row.name}"
            if after.is_terminal:
                self.moves[row.action] = self.exact(after.returns)
            elif row.values is not None:
                self.moves[row.action] = self.exact(row.values)
            elif row.value is not None:
                self.moves[row.action] = exactly(row.value)
            elif not after.is_chance and (below := self.searched(self.made(after))):
                self.moves[row.action] = self.exact(below.values)

    def exact(self, values: tuple[float, ...]) -> Known:
        """What is worth these utilities, one per player."""
        here = self.position
        return exactly(values[max(here.current_player, 0)], values if players_shown(here) else None)

    def known(self) -> State:
        if self.root is not None:
            return State(self.root, self.moves, None)
        spec = self.position.rules.spec
        low, high = float(spec.lowest), float(spec.highest)
        found = self.searcher.report("stop", 0.0, 0)
        best = found.action if found.moves and found.moves[0].value is not None else None
        return State(Known(None, low, high), self.moves, best)
