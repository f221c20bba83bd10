"""`Session`: a search in progress, as an object. Everything live is a reader or a driver of one.

    session = MCTS().start(position("connect4"), seed=1)
    session.run(seconds=1)               # or simulations, nodes, depth; session.stop() ends it
    session.step()                       # the smallest step: one simulation, one node
    session.result()                     # a SearchResult as of now, also while it runs
    session.change(backup=Max())         # switch a part in the middle
    session.rewind(500); twin = session.fork()
    session.save("search.session"); Session.load("search.session")

**History is the truth, the tree a consequence.** A history is the position, the engine, the seed
and a list of changes, each with its moment, counted in simulations (or nodes). Running it again
gives the same search bit for bit, and that is all that rewinding, forking and loading do; kept
copies only make it quick. What a session can do is declared in ``session.capabilities``.
"""

from __future__ import annotations

import copy
import json
import time
import typing
import zlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import replace
from enum import Flag, auto
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Self, Unpack

from ponder.core.copies import Copies
from ponder.core.driver import Progress, Run, StopFlag, Turn, drive
from ponder.core.effort import Effort
from ponder.core.engine import Engine, Stop, name_of, with_default_time
from ponder.core.gate import run_trusted
from ponder.core.history import Change, History
from ponder.core.limits import (
    UNLIMITED,
    Limit,
    LimitsByName,
    StopReason,
    listed_limits,
    merged_limit,
)
from ponder.core.position import Position
from ponder.core.registry import RENDERERS, load, part_text
from ponder.core.result import SearchResult
from ponder.core.tiers import attendant
from ponder.errors import InputError
from ponder.files import read_file, save_file
from ponder.json_text import read_json

if TYPE_CHECKING:
    from typing_extensions import TypeVar  # one whose default lets people write `Session` alone

    from ponder.core.events import Event

    R = TypeVar("R", bound=Run, default=Any)
else:
    R = typing.TypeVar("R", bound=Run)


class Capability(Flag):
    """What a session may be able to do; ``session.capabilities`` holds some of these."""

    STEP = auto()
    CHANGE = auto()
    REWIND = auto()
    SAVE = auto()
    EVENTS = auto()
    TREE = auto()
    CALLER_EVALUATED = auto()


NOTHING = Capability(0)
ABILITIES = {
    Capability.STEP: "go on by the smallest step",
    Capability.CHANGE: "switch a part in the middle",
    Capability.REWIND: "go back to any moment, and fork",
    Capability.SAVE: "be saved and loaded",
    Capability.EVENTS: "tell what happened step by step",
    Capability.TREE: "show its tree",
    Capability.CALLER_EVALUATED: "be evaluated from outside",
}
"""What each capability means, in a sentence's end."""

OVERRUN = "the time was overrun"
"""How the note of a run begins that took notably longer than it was given."""


class Session(ABC, Generic[R]):
    """A search in progress. Engines make one with ``start``; each family has its own subclass.

    A subclass says what its searches can do, and has `_new_run`, an empty run of the history's
    beginning, `_report`, and where it can change, `_apply_change`. The constructor only notes what
    it is given; `prepare` makes the run.
    """

    _run: R

    def __init__(self, history: History, capabilities: Capability) -> None:
        self._history, self._capabilities = history, capabilities
        self._future: tuple[Change, ...] = ()
        """Changes after the moment that was gone back to, until another way is taken."""
        self._furthest = 0
        self._turn, self._stop, self._running = Turn(), StopFlag(), False
        self._seconds = 0.0
        self._stopped_by: StopReason | None = None
        self._asked, self._last = UNLIMITED, 0.0  # by the last `run`: given, and seconds taken
        self._copies = Copies()
        self.effort: Effort | None = None
        """Watches what is run again, as long as there is one."""

    def prepare(self) -> Self:
        """Allocate and compile; no clock runs. Whoever makes a session does it before all else."""
        self._run = self._prepared()
        return self

    def refuse_unfit(self) -> None:
        """InputError if it is known that this search cannot be done; nothing is compiled."""
        self._new_run()

    def _prepared(self) -> R:
        run = self._new_run()
        run.prepare()
        return run

    # ------------------------------------------------------------ what subclasses say

    @abstractmethod
    def _new_run(self) -> R:
        """An empty run of the history's beginning; refuses what is known to be impossible."""

    @abstractmethod
    def _report(self, run: R, seconds: float, reason: StopReason) -> SearchResult:
        """What the run has found."""

    def _apply_change(self, run: R, parts: dict[str, Any]) -> R:
        """The run with parts switched, in place or another one."""
        raise NotImplementedError

    def _report_last(self, run: R, seconds: float, reason: StopReason) -> SearchResult:
        """The report of a search that is over, and its arrays given back."""
        return self._report(run, seconds, reason)

    def _extra_share(self) -> float:
        """The share of a limit that a run may take beyond it."""
        return 0.0

    def close(self) -> None:
        """End it: it can be asked for nothing more."""

    def state_arrays(self) -> tuple[Any, ...]:
        """Arrays that the search to come follows from, to tell two searches apart."""
        return ()

    # ------------------------------------------------------------ looking

    @property
    def capabilities(self) -> Capability:
        """What this session can do."""
        found = self._capabilities
        return found if self._history.reads_back else found & ~Capability.SAVE

    @property
    def position(self) -> Position:
        return self._history.position

    @property
    def seed(self) -> int:
        return self._history.seed

    @property
    def engine(self) -> Engine:
        """The engine as it is now: with the parts that were switched."""
        return self._history.engine_now

    @property
    def unit(self) -> str:
        """What `moment` counts: simulations or nodes."""
        return self._run.unit

    @property
    def moment(self) -> int:
        """Simulations (or nodes) so far."""
        return int(self._run.done)

    @property
    def furthest(self) -> int:
        """The last moment that can be gone to: beyond it nothing has been searched yet."""
        return max(self._furthest, self.moment)

    @property
    def history(self) -> History:
        """All that this search follows from."""
        return replace(self._history, moment=self.moment)

    @property
    def running(self) -> bool:
        return self._running

    def result(self) -> SearchResult:
        """What has been found so far; may be asked by any thread while the session runs."""
        with self._turn:
            result = self._report(self._run, self._seconds, self._stopped_by or "stop")
        return self._with_overrun(result)

    def finish(self) -> SearchResult:
        """The result with all that comes with it, such as the tree itself; afterwards nothing can
        be done with the session."""
        with self._turn:
            result = self._report_last(self._run, self._seconds, self._stopped_by or "stop")
        return self._with_overrun(result)

    def _with_overrun(self, result: SearchResult) -> SearchResult:
        """The result, with a sentence if the last run took notably longer than it was given.

        A decide rule may ask for more: that was given too.
        """
        asked, spent = self._asked.seconds, self._last
        if asked is None:
            return result
        given = asked * (1.0 + self._extra_share())
        if self._stopped_by != "seconds" or spent < 1.1 * given + 0.02:
            return result
        said = f"{OVERRUN}: {spent:.2f} s instead of {given:.2f} s"
        return replace(result, notes=(*result.notes, said))

    def svg(self, most: int | None = None) -> str:
        """The search tree as a drawing (`ponder.show`), of at most so many nodes."""
        drawn: str = load(RENDERERS["session"])(self, **({} if most is None else {"most": most}))
        return drawn

    def _repr_svg_(self) -> str:
        return self.svg()

    # ------------------------------------------------------------ going on

    def run(
        self,
        limit: Limit | None = None,
        *,
        stop: Stop | None = None,
        progress: Callable[[Progress], object] | None = None,
        **limits: Unpack[LimitsByName],
    ) -> StopReason:
        """Go on until a limit is reached, `stop` is set, or Ctrl-C is pressed; says which.

        Limits (seconds, simulations, nodes, depth) count from here, but for depth; without any,
        the engine's own, else one second.
        """
        engine = self._history.engine
        unknown = [name for name in limits if name not in Limit.__dataclass_fields__]
        if unknown:
            known = listed_limits(engine.traits.limits)
            raise InputError(f"run has no limit {unknown[0]!r} (available: {known})")
        whole = merged_limit(limit, dict(limits), engine)
        if whole.is_empty and not engine.traits.endless:
            whole = with_default_time(whole)
        self._begin()
        try:
            return self._attended(whole, stop, progress)
        finally:
            self._running = False

    def advance(self, budget: Limit, stop: Stop | None = None) -> StopReason | None:
        """Go on for a slice: until just this budget is used up. Nothing is added to it.

        None if the budget has ended it and there is more to do; else why there is not, or "stop"
        or "interrupt". For whoever drives a session by little and little.
        """
        self._begin()
        try:
            reason = self._drive(budget, () if stop is None else (stop,), None, self.moment)
        finally:
            self._running = False
        used_up = reason in ("seconds", self.unit) and self._run.ended is None
        return None if used_up else reason

    def search_once(
        self, limit: Limit, stop: Stop | None, progress: Callable[[Progress], object] | None
    ) -> SearchResult:
        """Prepare, run to just this limit, report, and be over: the whole of one search."""
        self.prepare()
        self._begin()
        try:
            self._attended(limit, stop, progress)
            return self.finish()
        finally:
            self._running = False
            self.close()

    def _begin(self) -> None:
        if self._running:
            raise InputError("this session is running: stop it first")
        self._running = True
        self._stop.clear()
        self._future, self._furthest = (), 0
        self._copies.forget(self.moment, len(self._history.changes))

    def _attended(
        self, limit: Limit, stop: Stop | None, progress: Callable[[Progress], object] | None
    ) -> StopReason:
        """Run to this limit, looked after by whoever attends to the first session (`tiers`)."""
        since, watcher = self.moment, attendant()
        stops: tuple[Stop, ...] = (self._stop,) if stop is None else (self._stop, stop)
        if watcher is not None:
            stops = (*stops, watcher)
            limit = watcher.begins(self, limit)
        self._asked = limit
        reason = self._drive(limit, stops, progress, since)
        if watcher is not None:
            watcher.ended(self, reason)
        return reason

    def _drive(
        self,
        limit: Limit,
        stops: tuple[Stop, ...],
        progress: Callable[[Progress], object] | None,
        since: int,
    ) -> StopReason:
        began = time.perf_counter()
        self._stopped_by = None
        try:
            reason = drive(
                self._run,
                limit,
                stops=stops,
                progress=progress,
                turn=self._turn,
                between=self._between,
                since=since,
            )
        finally:
            self._last = time.perf_counter() - began
            self._seconds += self._last
        self._stopped_by = reason
        return reason

    def stop(self) -> None:
        """End a `run` that goes on in another thread; nothing if none does."""
        self._stop.set()

    def step(self) -> int:
        """The smallest step; returns the moment it led to, the same one if nothing is left."""
        self._require(Capability.STEP)
        self._begin()
        try:
            self._go_to(self.moment + 1)
        finally:
            self._running = False
        self._stopped_by = self._run.ended or "stop"
        return self.moment

    def _between(self) -> None:
        """The run is between two pieces: keep a copy of it now and then."""
        if self.effort is not None:
            self.effort.look(self._run.done)
        if Capability.REWIND in self._capabilities:
            self._copies.offer(self._run, len(self._history.changes))

    def _go_to(self, moment: int) -> None:
        """Go on to just this moment, or until nothing is left to do."""
        if moment <= self.moment:
            return
        limit = Limit(**{self._run.unit: moment - self.moment})
        if (
            drive(self._run, limit, turn=self._turn, between=self._between, exact=True)
            == "interrupt"
        ):
            raise KeyboardInterrupt

    # ------------------------------------------------------------ history

    def change(self, **parts: object) -> None:
        """Switch parts from this moment on: ``change(backup=Max())``.

        A new backup rule is applied to the whole tree at once; the random numbers go on.
        """
        self._require(Capability.CHANGE)
        if not parts:
            raise InputError("change takes parts by name, such as backup=Max()")
        self._begin()
        try:
            self._switch(Change(self.moment, parts))
        finally:
            self._running = False

    def _switch(self, change: Change) -> None:
        """Apply a change at the moment where it belongs, and note it."""
        with self._turn:
            self._run = self._apply_change(self._run, change.parts)
        self._history = replace(self._history, changes=(*self._history.changes, change))

    @property
    def ahead(self) -> tuple[Change, ...]:
        """Changes after the moment that was gone back to: they stay until another way is taken."""
        return self._future

    def rewind(self, to: int, after: bool = False) -> None:
        """Go to the moment `to`, as it was before any change made at it; `after`: with them.

        Later moments stay in reach until the session is run, stepped or changed from there:
        ``rewind(session.furthest, after=True)`` leads back.
        """
        self._require(Capability.REWIND)
        self._check_moment(to, self.furthest)
        if self._running:
            raise InputError("this session is running: stop it first")
        furthest = self.furthest
        every = self._history.changes + self._future
        past = tuple(
            change for change in every if change.moment < to or (after and change.moment == to)
        )
        self._running = True
        try:
            self._replay(past, to)
        finally:
            self._running = False
        self._future, self._furthest = every[len(past) :], furthest
        self._stopped_by = self._run.ended or "stop"

    @staticmethod
    def _check_moment(moment: Any, last: int) -> None:
        if isinstance(moment, bool) or not isinstance(moment, int) or not 0 <= moment <= last:
            raise InputError(f"moments run from 0 to {last:,}, not {moment}")

    def _replay(self, changes: tuple[Change, ...], moment: int) -> None:
        """Make the run that these changes lead to, from the nearest copy there is."""
        kept = self._copies.nearest(moment, len(changes))
        run, made = kept if kept is not None else (self._prepared(), 0)
        with self._turn:
            self._run = run
        self._history = replace(self._history, changes=changes[:made])
        changing, spent = Effort(len(changes), "changes"), 0.0
        for number, change in enumerate(changes[made:], made + 1):
            self._go_to(change.moment)
            began = time.perf_counter()
            with self._turn:
                self._run = self._apply_change(self._run, change.parts)
            self._history = replace(self._history, changes=(*self._history.changes, change))
            spent += time.perf_counter() - began
            if self.effort is not None:
                changing.look(number, spent)
        self._go_to(moment)

    def fork(self) -> Self:
        """Another session at the same moment, which goes its own way from here."""
        self._require(Capability.REWIND)
        twin = self._twin()
        with self._turn:
            made = self._run.copy()
        if made is None:
            twin._replay(self._history.changes, self.moment)
        else:
            twin._run = made
        return twin

    def _twin(self) -> Self:
        """A session of the same history that has no run of its own yet."""
        twin = copy.copy(self)
        twin._turn, twin._stop, twin._running = Turn(), StopFlag(), False
        twin._copies = self._copies.shared()
        return twin

    def save(self, path: str | Path) -> None:
        """Write the history; loading runs it again."""
        self._require(Capability.SAVE)
        text = json.dumps(self.history.to_json())
        end = json.dumps({"checksum": zlib.crc32(text.encode())})
        save_file(path, f"{text}\n{end}\n".encode())

    @staticmethod
    def load(
        path: str | Path, trust: Sequence[str | Path] = (), *, long: bool = False
    ) -> Session[Any]:
        """The session of a file, at the moment at which it was saved.

        `trust`: Python files that are run, because the saved search needs your own game or rule.
        `LongHistory`, an InputError, if running it again takes more than a minute; not if `long`.
        """
        run_trusted(trust)
        file = read_file(path)
        try:
            text, end = file.decode().splitlines()
            if read_json(end)["checksum"] != zlib.crc32(text.encode()):
                raise ValueError
            data = read_json(text)
            if not isinstance(data, dict):
                raise ValueError
        except (ValueError, KeyError, TypeError):
            raise InputError(f"{path} is not a saved session, or damaged") from None
        history = History.from_json(data)
        session = Session.from_history(history, long=long)
        if session.moment != history.moment:
            raise InputError(
                f"{path} is not the history of a search: it says {history.moment:,} steps, and "
                f"the search ends after {session.moment:,}"
            )
        return session

    @staticmethod
    def from_history(history: History, *, long: bool = True) -> Session[Any]:
        """A session at the moment of a history, by running it; see `load`."""
        engine = history.engine.resolve(history.position)
        traits = engine.traits
        given = {
            "plan": (history.plan, "simulations" in traits.limits),
            "memory": (history.memory, "memory" in traits.limits),
            "depth": (history.depth, "depth" in traits.limits),
            "moves": (history.moves, traits.restricts_moves),
        }
        for name, (value, taken) in given.items():
            if value and not taken:
                raise InputError(f"not a saved session: {part_text(engine)} takes no {name}")
        session = engine.new_session(history.position, history.options).prepare()
        if history.changes:
            session._require(Capability.CHANGE)
        session.effort = None if long else Effort(history.moment)
        session._replay(history.changes, history.moment)
        session.effort = None
        return session

    # ------------------------------------------------------------ what only some can
    # Here they refuse; a subclass that declares the capability has the method of its own.

    def _require(self, wanted: Capability) -> None:
        found = self.capabilities if wanted is Capability.SAVE else self._capabilities
        if wanted not in found:
            name = name_of(self._history.engine)
            raise InputError(f"a session of {name} here cannot {ABILITIES[wanted]}")

    def events(self, since: int = 0) -> Sequence[Event]:
        """What has happened after the moment `since`, step by step (`ponder.core.events`).

        Nothing is recorded while nobody looks: the steps are run again.
        """
        self._require(Capability.EVENTS)
        raise NotImplementedError

    def nodes(self, most: int = 2000, deepest: int | None = None) -> Any:
        """The most visited part of the tree as arrays, for display; none below depth `deepest`."""
        self._require(Capability.TREE)
        raise NotImplementedError

    def live_tree(self) -> Any:
        """The tree itself, to look at until the session goes on."""
        self._require(Capability.TREE)
        raise NotImplementedError

    def tree(self) -> Any:
        """A copy of the tree as it is now."""
        self._require(Capability.TREE)
        raise NotImplementedError

    def cut(self) -> list[str]:
        """The root moves that the search has given up for good, by name."""
        self._require(Capability.TREE)
        raise NotImplementedError

    def leaves(self) -> Any:
        """The states that wait to be evaluated; `answer` goes on."""
        self._require(Capability.CALLER_EVALUATED)
        raise NotImplementedError

    def answer(self, values: Any, priors: Any = None) -> None:
        """The values, one per player, of the states that `leaves` gave, and their priors."""
        self._require(Capability.CALLER_EVALUATED)
        raise NotImplementedError
