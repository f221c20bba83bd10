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
from threading import Event as Flag
from typing import Any, NamedTuple

from ponder.core.driver import Progress, drive
from ponder.core.events import Event
from ponder.core.history import History
from ponder.core.limits import Limit
from ponder.core.making import registered, telling
from ponder.core.position import Position, check_searchable
from ponder.core.session import Session
from ponder.errors import InputError
from ponder.search.session import MOST_EVENTS
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

    def start(
        self, position: Position, *, seed: int | None = None, memory: float | None = None
    ) -> SolveSession:
        """As `start_solving`; nothing is random."""
        return start_solving(position, memory=memory, method=self.method, hold=self.hold)


class SolveRun(WorkRun):
    """Solving in progress, as the driver sees it."""

    def __init__(self, solving: Solving) -> None:
        self.solving = solving
        super().__init__(
            solving.work,
            solving.info,
            lambda: solving.doing,
            lambda: solving.stopped or "solved",
            solving.position.rules,
        )


class SolveSession(Session):
    """Solving in progress; the moment is the number of positions visited."""

    abilities = frozenset({"step", "rewind", "save", "events"})
    limits = ("seconds", "nodes")

    def begun(self, watch: tuple[int, int] | None = None) -> SolveRun:
        history = self._history
        method, hold = history.engine
        memory = history.memory or DEFAULT_MEMORY
        return SolveRun(Solving(history.position, memory, method, hold, watch))

    def events(self, since: int = 0, most: int = MOST_EVENTS) -> list[Event]:
        """What has happened after the moment `since`, up to now: the first `most` events.

        See `ponder.search.events`, and of value iteration `ponder.search.iteration_events`.
        """
        with self._turn:
            self._run.pause()
            now = self.moment
        if since >= now:
            return []
        run = self.begun((since, most))
        drive(run, Limit(nodes=now), exact=True)
        try:
            return run.solving.events(since, now)[:most]
        finally:
            run.close()

    def limit_of(self, limit: Limit | None, **limits: Any) -> Limit:
        """Without a limit it takes as long as it takes."""
        if limit is None and not limits:
            return Limit()
        return super().limit_of(limit, **limits)

    def own_limit(self) -> Limit:
        return Limit()

    @property
    def _name(self) -> str:
        return "solve"

    def result(self) -> Solved:  # type: ignore[override]
        """What is known of the position so far."""
        return super().result()  # type: ignore[return-value]

    def reported(self, run: SolveRun, seconds: float, stopped_by: str) -> Any:
        run.pause()
        return run.solving.solved(seconds, stopped_by)

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
    memory = Limit(memory=memory).memory
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
    return SolveSession(History(position, Solve(method, tuple(hold)), seed=0, memory=memory))


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
