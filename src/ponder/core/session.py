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
copies only make it quick. What a session can do is declared in ``session.can``.
"""

from __future__ import annotations

import copy
import inspect
import json
import time
import zlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any, Unpack

from ponder.core.copies import Copies
from ponder.core.driver import Progress, StopFlag, Turn, drive
from ponder.core.effort import Effort
from ponder.core.gate import run_trusted
from ponder.core.history import Change, History
from ponder.core.limits import DEFAULT_SECONDS, UNLIMITED, Limit, LimitsByName, merged
from ponder.core.position import Position
from ponder.core.registry import RENDERERS, load, part_text
from ponder.core.result import SearchResult
from ponder.core.tiers import attendant
from ponder.errors import InputError
from ponder.files import read_file, save_file
from ponder.json_text import read_json

ABILITIES = {
    "step": "go on by the smallest step",
    "change": "switch a part in the middle",
    "rewind": "go back to any moment, and fork",
    "save": "be saved and loaded",
    "events": "tell what happened step by step",
    "nodes": "show its tree",
    "leaves": "be evaluated from outside",
}
"""What a session may be able to do: its ``can`` holds some of these words."""

OVERRUN = "the time was overrun"
"""How the note of a run begins that took notably longer than it was given."""


class Session:
    """A search in progress. Engines make one with ``start``; each family has its own subclass.

    A subclass says what its searches are able to do, and has `begun()`, a new run of the history's
    beginning, `reported(run, seconds, stopped_by)`, and where it can change, `changed(run, parts)`.
    """

    abilities: frozenset[str] = frozenset()
    """What searches of this kind can do, whatever the words for it."""
    limits: tuple[str, ...] = ("seconds",)
    """The limits that `run` takes."""

    def __init__(self, history: History) -> None:
        self._history = history
        self._future: tuple[Change, ...] = ()
        """Changes after the moment that was gone back to, until another way is taken."""
        self._furthest = 0
        self._turn, self._stop, self._running = Turn(), StopFlag(), False
        self._seconds, self._stopped_by = 0.0, ""
        self._asked, self._last = UNLIMITED, 0.0  # by the last `run`: given, and seconds taken
        self._copies = Copies()
        self.effort: Effort | None = None
        """Watches what is run again, as long as there is one."""
        self._run = self.begun()

    # ------------------------------------------------------------ what subclasses say

    def begun(self) -> Any:
        """A new run of the history's beginning; abstract."""
        raise NotImplementedError

    def changed(self, run: Any, parts: dict[str, Any]) -> Any:
        """The run with parts switched, in place or another one; abstract."""
        raise NotImplementedError

    def reported(self, run: Any, seconds: float, stopped_by: str) -> SearchResult:
        """What the run has found; abstract."""
        raise NotImplementedError

    # ------------------------------------------------------------ looking

    @property
    def can(self) -> frozenset[str]:
        """What this session can do: some of `ABILITIES`."""
        return self.abilities if self.history.reads_back else self.abilities - {"save"}

    @property
    def position(self) -> Position:
        return self._history.position

    @property
    def seed(self) -> int:
        return self._history.seed

    @property
    def engine(self) -> Any:
        """The engine as it is now: with the parts that were switched."""
        engine = self._history.engine
        for change in self._history.changes:
            engine = engine._replace(**change.parts)
        return engine

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
            result = self.reported(self._run, self._seconds, self._stopped_by or "stop")
        return self.timed(result)

    def timed(self, result: SearchResult) -> SearchResult:
        """The result, with a sentence if the last run took notably longer than it was given.

        A decide rule may ask for more: that was given too.
        """
        asked, spent = self._asked.seconds, self._last
        if asked is None:
            return result
        given = asked * (1.0 + getattr(getattr(self.engine, "decide", None), "extra", 0.0))
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
        stop: Event | None = None,
        progress: Callable[[Progress], Any] | None = None,
        **limits: Unpack[LimitsByName],
    ) -> str:
        """Go on until a limit is reached, `stop` is set, or Ctrl-C is pressed; says which.

        Limits (seconds, simulations, nodes, depth) count from here, but for depth; without any,
        the engine's own, else one second.
        """
        given = self.limit_of(limit, **limits)
        self._begin()
        try:
            reason = self._driven(given, (self._stop, *([stop] if stop else [])), progress)
        finally:
            self._running = False
        return reason

    def limit_of(self, limit: Limit | None, **limits: Any) -> Limit:
        """The limits of one call of `run`."""
        unknown = [name for name in limits if name not in Limit.__dataclass_fields__]
        if unknown:
            raise InputError(f"run has no limit {unknown[0]!r} (available: {self._limit_names})")
        given = merged(limit, self.own_limit(), **limits)
        for name in ("seconds", "simulations", "nodes", "depth"):
            if getattr(given, name) is not None and name not in self.limits:
                raise InputError(f"{self._name} is limited by {self._limit_names}")
        return replace(given, seconds=DEFAULT_SECONDS) if given.is_empty else given

    def own_limit(self) -> Limit:
        """What the engine's own fields say."""
        engine = self._history.engine
        return Limit(**{name: getattr(engine, name, None) for name in self.limits})

    @property
    def _name(self) -> str:
        return part_text(self._history.engine).partition("(")[0]

    @property
    def _limit_names(self) -> str:
        *most, last = (*self.limits, "memory")
        return f"{', '.join(most)} and {last}"

    def _begin(self) -> None:
        if self._running:
            raise InputError("this session is running: stop it first")
        self._running = True
        self._stop.clear()
        self._future, self._furthest = (), 0
        self._copies.forget(self.moment, len(self._history.changes))

    def _driven(self, limit: Limit, stops: Any, progress: Any) -> str:
        since, watcher = self.moment, attendant()
        if watcher is not None:
            stops = (*stops, watcher)
            limit = watcher.begins(self, limit)
        began = time.perf_counter()
        self._asked = limit
        self._stopped_by = ""
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
        if watcher is not None:
            watcher.ended(self, reason)
        return reason

    def stop(self) -> None:
        """End a `run` that goes on in another thread; nothing if none does."""
        self._stop.set()

    def step(self) -> int:
        """The smallest step; returns the moment it led to, the same one if nothing is left."""
        self._require("step")
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
        if "rewind" in self.abilities:
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

    def change(self, **parts: Any) -> None:
        """Switch parts from this moment on: ``change(backup=Max())``.

        A new backup rule is applied to the whole tree at once; the random numbers go on.
        """
        self._require("change")
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
            self._run = self.changed(self._run, change.parts)
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
        self._require("rewind")
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
        run, made = kept if kept is not None else (self.begun(), 0)
        with self._turn:
            self._run = run
        self._history = replace(self._history, changes=changes[:made])
        for change in changes[made:]:
            self._go_to(change.moment)
            with self._turn:
                self._run = self.changed(self._run, change.parts)
            self._history = replace(self._history, changes=(*self._history.changes, change))
        self._go_to(moment)

    def fork(self) -> Session:
        """Another session at the same moment, which goes its own way from here."""
        self._require("rewind")
        twin: Session = self._twin()
        with self._turn:
            made = self._run.copy()
        if made is None:
            twin._replay(self._history.changes, self.moment)
        else:
            twin._run = made
        return twin

    def _twin(self) -> Any:
        """A session of the same history that has no run of its own yet."""
        twin = copy.copy(self)
        twin._turn, twin._stop, twin._running = Turn(), StopFlag(), False
        twin._copies = self._copies.shared()
        return twin

    def save(self, path: str | Path) -> None:
        """Write the history; loading runs it again."""
        self._require("save")
        text = json.dumps(self.history.to_json())
        end = json.dumps({"checksum": zlib.crc32(text.encode())})
        save_file(path, f"{text}\n{end}\n".encode())

    @staticmethod
    def load(path: str | Path, trust: Sequence[str | Path] = (), *, long: bool = False) -> Session:
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
        session = Session.of(history, long=long)
        if session.moment != history.moment:
            raise InputError(
                f"{path} is not the history of a search: it says {history.moment:,} steps, and "
                f"the search ends after {session.moment:,}"
            )
        return session

    @staticmethod
    def of(history: History, *, long: bool = True) -> Session:
        """A session at the moment of a history, by running it; see `load`."""
        given = {
            "plan": history.plan,
            "memory": history.memory,
            "depth": history.depth,
            "moves": history.moves,
        }
        wanted = {name: value for name, value in given.items() if value}
        accepted = inspect.signature(history.engine.start).parameters.values()
        if all(one.kind != one.VAR_KEYWORD for one in accepted):
            for name in wanted.keys() - {one.name for one in accepted}:
                raise InputError(
                    f"not a saved session: {part_text(history.engine)} takes no {name}"
                )
        session: Session = history.engine.start(history.position, seed=history.seed, **wanted)
        if history.changes:
            session._require("change")
        session.effort = None if long else Effort(history.moment)
        session._replay(history.changes, history.moment)
        session.effort = None
        return session

    # ------------------------------------------------------------ what only some can
    # Here they refuse; a subclass that declares the ability in `can` has the method of its own.

    def _require(self, ability: str) -> None:
        if ability not in (self.can if ability == "save" else self.abilities):
            raise InputError(f"a session of {self._name} here cannot {ABILITIES[ability]}")

    def events(self, since: int = 0) -> list[Any]:
        """What has happened after the moment `since`, step by step (`ponder.core.events`).

        Nothing is recorded while nobody looks: the steps are run again.
        """
        self._require("events")
        raise NotImplementedError

    def nodes(self, most: int = 2000, deepest: int | None = None) -> Any:
        """The most visited part of the tree as arrays, for display; none below depth `deepest`."""
        self._require("nodes")
        raise NotImplementedError

    def live_tree(self) -> Any:
        """The tree itself, to look at until the session goes on."""
        self._require("nodes")
        raise NotImplementedError

    def cut(self) -> list[str]:
        """The root moves that the search has given up for good, by name."""
        self._require("nodes")
        raise NotImplementedError

    def leaves(self) -> Any:
        """The states that wait to be evaluated; `answer` goes on."""
        self._require("leaves")
        raise NotImplementedError

    def answer(self, values: Any, priors: Any = None) -> None:
        """The values, one per player, of the states that `leaves` gave, and their priors."""
        self._require("leaves")
        raise NotImplementedError
