"""The one driver of all searches: it owns the clock, limits, stop, Ctrl-C and progress.

A search in progress is a `Run`: something that can go on for a while and says how far it is. The
driver lets it go on, piece by piece, until something ends it, and says what that was.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from threading import Lock
from typing import Any, Literal, NamedTuple, Protocol

from ponder.core.interrupt import interruptible
from ponder.core.limits import Limit, StopReason

TELL_SECONDS = 0.1
"""Between two words of progress, unless something was finished meanwhile."""


class Progress(NamedTuple):
    """What a progress callback is told about ten times a second, and when a depth is finished."""

    seconds: float
    """Since this `run` began; what was compiled before it is not counted."""
    simulations: int | None = None
    nodes: int | None = None
    depth: int = 0
    """The last depth that was finished; 0 where a search has none."""
    best: str = ""
    """The move that would be played now."""
    value: float | None = None
    doing: str = ""
    """What is being searched just now, where that can be said: "depth 7", "move e4"."""

    @property
    def unit(self) -> str:
        """What is counted: simulations or nodes."""
        return "nodes" if self.simulations is None else "simulations"


class Run(Protocol):
    """A search in progress, as the driver sees it.

    Constructed empty: `prepare` allocates and compiles, and comes before everything else.
    """

    @property
    def unit(self) -> Literal["simulations", "nodes"]:
        """What `done` counts."""

    @property
    def done(self) -> int:
        """The moment: how many simulations or nodes there have been."""

    @property
    def ended(self) -> StopReason | None:
        """Why nothing is left to do (solved, depth, memory ...); None while something is."""

    @property
    def milestone(self) -> int:
        """The last depth that was finished; a higher one is told at once."""

    def prepare(self) -> Any:
        """Allocate and compile, before any clock runs."""

    def allow(self, limit: Limit) -> None:
        """The limits of what follows: depth and memory are the run's own to keep."""

    def proceed(self, most: int | None, seconds: float | None) -> None:
        """Go on for a few milliseconds: `most` units, and no longer than `seconds`."""

    def pause(self) -> None:
        """Nothing goes on any more when this returns."""

    def more(self, share: float, limit: int | None) -> int:
        """How many units are wanted past a limit of which `share` (1 or more) is used up.

        `limit` is that limit in units; None of a time, past which any number means to go on.
        """

    def told(self, seconds: float) -> Progress:
        """How far it is."""

    def copy(self) -> Any:
        """The same search once more, to go its own way; None where that cannot be made."""


class IsSet(Protocol):
    """What says whether a search is to stop."""

    def is_set(self) -> bool: ...


class StopFlag:
    """An `Event` that nobody waits for: a short search takes as long as making one of those."""

    __slots__ = ("_up",)

    def __init__(self) -> None:
        self._up = False

    def set(self) -> None:
        self._up = True

    def clear(self) -> None:
        self._up = False

    def is_set(self) -> bool:
        return self._up


class Turn:
    """A lock for a loop that takes it again and again: whoever waits for it gets it next."""

    def __init__(self) -> None:
        self._gate, self._lock = Lock(), Lock()

    def __enter__(self) -> None:
        with self._gate:
            self._lock.acquire()

    def __exit__(self, *error: object) -> None:
        self._lock.release()


def drive(
    run: Run,
    limit: Limit,
    *,
    stops: Sequence[IsSet] = (),
    progress: Callable[[Progress], object] | None = None,
    turn: Turn | None = None,
    between: Callable[[], None] | None = None,
    exact: bool = False,
    since: int | None = None,
) -> StopReason:
    """Let the run go on until a limit is reached or something ends it; says what.

    The run's `ended`, or: seconds, simulations, nodes, stop, interrupt. Limits count from here,
    those of simulations and nodes from the moment `since` if it is given.
    `turn` is taken for every piece: whoever takes it in between finds the run at rest; `between` is
    called there. With `exact` nothing is done past a limit, whatever the run wants.
    """
    with interruptible() as interrupt:
        every: tuple[IsSet, ...] = (interrupt, *stops)
        reason = _driven(run, limit, every, progress, turn or Turn(), between, exact, since)
        # one that came with the end is not lost: whoever called the search hears of it
        return "interrupt" if interrupt.is_set() else reason


def _driven(
    run: Run,
    limit: Limit,
    stops: Sequence[IsSet],
    progress: Callable[[Progress], object] | None,
    turn: Turn,
    between: Callable[[], None] | None,
    exact: bool,
    since: int | None,
) -> StopReason:
    run.allow(limit)
    began = tell_at = time.perf_counter()
    tell_at += TELL_SECONDS
    first, wanted = run.done if since is None else since, getattr(limit, run.unit)
    milestone = run.milestone
    try:
        while True:
            if any(stop.is_set() for stop in stops):
                return "stop"
            if run.ended is not None:
                if progress is not None and run.milestone > milestone:
                    progress(run.told(time.perf_counter() - began))
                return run.ended
            most, left = None, None
            if wanted is not None:
                most = wanted - (run.done - first)
                if most <= 0 and not exact:
                    most = run.more((run.done - first) / wanted, wanted)
                if most <= 0:
                    return run.unit
            now = time.perf_counter()
            if limit.seconds is not None:
                left = limit.seconds - (now - began)
                # at least one step, however short the time
                if (
                    left <= 0.0
                    and run.done > first
                    and not run.more(1.0 - left / limit.seconds, None)
                ):
                    return "seconds"
            if progress is not None and (now > tell_at or run.milestone > milestone):
                milestone = run.milestone
                progress(run.told(now - began))
                # what takes long to tell (a root of 60,000 moves) is told less often
                after = time.perf_counter()
                tell_at = after + max(TELL_SECONDS, 10 * (after - now))
            with turn:
                run.proceed(most, left)
            if between is not None:
                between()
    finally:
        run.pause()
