"""`solve`: the exact value of a position and of every move, by the method that fits the game.

>>> from ponder import position, solve
>>> found = solve(position("nim(heaps=(1, 2, 4))"))
>>> found.value, found.distance, [move.name for move in found.best]
(1.0, 7, ['3-1'])

Solving in progress is a session: ``start_solving(position)``, then ``run``, ``result``.

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

from collections.abc import Callable
from functools import partial
from threading import Event as Flag
from typing import Any, NamedTuple, Self

from ponder.core.driver import Progress, drive
from ponder.core.engine import SessionOptions, Traits
from ponder.core.events import Event
from ponder.core.history import History
from ponder.core.limits import UNLIMITED, Limit, StopReason
from ponder.core.making import registered, telling
from ponder.core.position import Position, check_searchable
from ponder.core.result import SearchResult
from ponder.core.session import Session
from ponder.errors import InputError
from ponder.search.session import CAPABILITIES, MOST_EVENTS
from ponder.search.solved import Solved
from ponder.search.solving import METHODS, Solving
from ponder.search.work import WorkRun

DEFAULT_MEMORY = 256.0
"""Megabytes of table."""


@registered
class Solve(NamedTuple):
    """What `start_solving` was asked for."""

    method: str | None = None
    hold: tuple[str, ...] = ()

    @property
    def traits(self) -> Traits:
        return TRAITS

    @property
    def limit(self) -> Limit:
        return UNLIMITED

    def resolve(self, position: Position, /) -> Solve:
        return self

    def new_game(self) -> Solve:
        return self

    def new_session(self, position: Position, options: SessionOptions, /) -> SolveSession:
        return solving_session(position, self.method, self.hold, options.plan.memory)

    def start(
        self, position: Position, *, seed: int | None = None, plan: Limit = UNLIMITED
    ) -> SolveSession:
        """As `start_solving`; nothing is random."""
        return self.new_session(position, SessionOptions(seed, plan)).prepare()

    def search(
        self, position: Position, limit: Limit | None = None, **options: Any
    ) -> SearchResult:
        """Solving chooses no move: `solve` says what it finds."""
        raise InputError("solve plays no moves: solve(position) gives what it finds")


TRAITS = Traits(frozenset({"seconds", "nodes", "memory"}), plays=False, endless=True)


class SolveRun(WorkRun):
    """Solving in progress, as the driver sees it."""

    solving: Solving

    def __init__(self, make: Callable[[], Solving]) -> None:
        self._make = make

    def prepare(self) -> Self:
        self.solving = solving = self._make()
        super().__init__(
            solving.work,
            solving.info,
            lambda: solving.doing,
            lambda: solving.stopped or "solved",
            solving.position.rules,
        )
        return self


class SolveSession(Session[SolveRun]):
    """Solving in progress; the moment is the number of positions visited."""

    def _new_run(self, watch: tuple[int, int] | None = None) -> SolveRun:
        history = self._history
        asked = history.engine
        assert isinstance(asked, Solve)
        memory = history.memory or DEFAULT_MEMORY
        return SolveRun(partial(Solving, history.position, memory, asked.method, asked.hold, watch))

    def events(self, since: int = 0, most: int = MOST_EVENTS) -> list[Event]:
        """What has happened after the moment `since`, up to now: the first `most` events.

        See `ponder.search.events`, and of value iteration `ponder.search.iteration_events`.
        """
        with self._turn:
            self._run.pause()
            now = self.moment
        if since >= now:
            return []
        run = self._new_run((since, most)).prepare()
        drive(run, Limit(nodes=now), exact=True)
        try:
            return run.solving.events(since, now)[:most]
        finally:
            run.close()

    def result(self) -> Solved:  # type: ignore[override]
        """What is known of the position so far."""
        return super().result()  # type: ignore[return-value]

    def _report(self, run: SolveRun, seconds: float, reason: StopReason) -> Any:
        run.pause()
        return run.solving.solved(seconds, reason)

    def close(self) -> None:
        """End it: it can be asked for nothing more."""
        self._run.close()


def start_solving(
    position: Position,
    *,
    memory: float | None = None,
    method: str | None = None,
    hold: tuple[str, ...] = (),
) -> SolveSession:
    """Solving in progress: ``run`` it. The arguments are those of `solve`."""
    return solving_session(position, method, hold, Limit(memory=memory).memory).prepare()


def solving_session(
    position: Position, method: str | None, hold: tuple[str, ...], memory: float | None
) -> SolveSession:
    """The same, not prepared yet; refuses what cannot be solved like this."""
    if not position.is_chance:
        check_searchable(position)
    if hold and position.rules.plain:
        raise InputError(
            "hold=... names fields of a record, and a plain Python game has none: leave what "
            "merely counts out of its key(state)"
        )
    if hold:
        if method not in (None, "value-iteration"):
            raise InputError(f"hold=... is for value-iteration, not for {method}")
        method = "value-iteration"
    if method is not None and method not in METHODS:
        raise InputError(f"unknown method {method!r} (available: {', '.join(METHODS)})")
    history = History(position, Solve(method, tuple(hold)), seed=0, memory=memory)
    return SolveSession(history, CAPABILITIES)


@telling
def solve(
    position: Position,
    *,
    seconds: float | None = None,
    memory: float | None = None,
    method: str | None = None,
    hold: tuple[str, ...] = (),
    stop: Flag | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Solved:
    """Solve `position`: its value, how far the end is, and the same of every move.

    Without `seconds` it takes as long as it takes. What is not known when the time is over is
    None, with what is known of it: `low` and `high`. `hold` names fields of the state that merely
    count and are to be left as they are, so that positions come back: see
    `ponder.search.value_iteration`, which it asks for.
    """
    limit = None if seconds is None else Limit(seconds=seconds)
    session = start_solving(position, memory=memory, method=method, hold=hold)
    try:
        session.run(limit, stop=stop, progress=progress)
        return session.result()
    finally:
        session.close()
