"""A session that is watched: it goes on at a pace, and tells how far it is."""

from __future__ import annotations

import math
import time
from dataclasses import replace
from threading import Event
from typing import Any

from ponder.core.at_once import AtOnceSession
from ponder.core.effort import Effort
from ponder.core.history import FORMAT, Change, History
from ponder.core.limits import Limit
from ponder.core.registry import part_text
from ponder.core.result import MoveRow, SearchResult, best_name, finite
from ponder.core.session import Capability, Session
from ponder.errors import InputError
from ponder.explorer.frames import update
from ponder.jit import COMPILED

SLICE = 0.07
"""Seconds that a search goes on before it is looked at again, unless a message comes: each look
takes some milliseconds of it, and a page wants at least ten updates a second."""
MOST_TRAIL = 4000
"""Points of a trail; then every second one is dropped."""
REPLAY_POINTS = 100
"""Points of the trail that are noted while a history is run again."""
MOST_REPLAYED = 20_000_000 if COMPILED else 20_000
"""Simulations that may be run again for a history out of an address: some minutes at most."""
PAGE_MEMORY = 256.0
"""Megabytes of tree where nobody says. What rules to come may need takes twice as much besides, and
copies to go back to a gigabyte."""
BLANK: dict[str, Any] = {
    "format": FORMAT,
    "position": "",
    "moves": [],
    "plan": None,
    "memory": None,
    "depth": None,
    "only": [],
    "changes": [],
    "at": 0,
}


def history_of(data: dict[str, Any]) -> History:
    """The history that a page sent; what is left out has its usual value."""
    at = data.get("at", 0)
    if at > MOST_REPLAYED:
        raise InputError(
            f"this history has {at:,} simulations, and at most {MOST_REPLAYED:,} are run again here"
        )
    return History.from_json({**BLANK, **data})


class Live:
    """One session of a page."""

    def __init__(
        self, name: str, history: History, nodes: int, deepest: int, every: float, grain: int
    ) -> None:
        self.name, self.nodes, self.deepest = name, nodes, deepest
        self.every, self.grain = every, grain
        self.session = begun(history)
        self.unit = self.session.unit
        self.truth = truth_of(history)
        self.trail: list[dict[str, Any]] = []
        """The values of the root, of the move to play and of each, at moments that were looked at;
        oldest first."""
        self.running = False
        self.rate: float | None = None
        self.until: int | None = None
        self.seen, self._sent, self._told = True, 0.0, (-1, 0)
        self._found: SearchResult | None = None
        self._fresh: list[dict[str, Any]] = []
        """Points of the trail that the page does not have yet."""
        self._began, self._from, self._deadline = 0.0, 0, math.inf
        self.busy, self.made = 0.0, 0
        """Seconds of the processor that going on has taken, and what was made in them."""
        self.remarks: tuple[str, ...] = ()
        """What is to be said besides the notes of the search."""
        self.asked: dict[str, Any] = {}
        """The history as the page gave it."""
        self.waits = False
        """Is it compiled elsewhere meanwhile?"""
        self._replay(history)

    def _replay(self, history: History) -> None:
        """Run the history again, and note the trail on the way."""
        self.note()
        self.session.effort = Effort(history.moment)
        stride = self.grain or max(1, history.moment // REPLAY_POINTS)
        for change in history.changes:
            self._go_to(change.moment, stride)
            self.session.change(**change.parts)
            self.note()
        self._go_to(history.moment, stride)
        self.session.effort = None
        self._fresh = []

    def _go_to(self, moment: int, stride: int) -> None:
        while self.session.moment < moment:
            before = self.session.moment
            self.session.advance(Limit(**{self.unit: min(stride, moment - before)}))
            self.note()
            if self.session.moment == before:
                return

    # ------------------------------------------------------------ going on

    def start(self, rate: float | None, until: int | None) -> None:
        own = self.session.engine.limit
        if self._own_left() == 0:
            most = own.simulations if self.unit == "simulations" else own.nodes
            raise InputError(
                f"the engine's own limit of {most:,} {self.unit} is reached: "
                "change its text to go on"
            )
        self.running, self.rate, self.until = True, rate, until
        # a history has no clock: seconds count from here
        self._deadline = time.perf_counter() + (own.seconds or math.inf)
        self._begin_pace()

    def _begin_pace(self) -> None:
        self._began, self._from = time.perf_counter(), self.session.moment

    def _own_left(self) -> int | None:
        """What is left of the engine's own limit of simulations or nodes, if it has one."""
        own = self.session.engine.limit
        most = own.simulations if self.unit == "simulations" else own.nodes
        return None if most is None else max(0, most - self.session.moment)

    def left(self) -> int | None:
        """What is left to the moment at which the search is to rest, if there is one."""
        ends = [self._own_left(), None if self.until is None else self.until - self.session.moment]
        return min((max(0, end) for end in ends if end is not None), default=None)

    def due(self) -> float:
        """Seconds until there is something to do; infinite while it rests and all has been told."""
        if self.running and self.rate:
            wanted = self._began + (self.session.moment + 1 - self._from) / self.rate
            return max(0.0, wanted - time.perf_counter())
        return 0.0 if self.running else math.inf

    def advance(self, arrived: Event) -> None:
        """Go on for a slice; `arrived` is set when a message has come."""
        if not self.running:
            return
        paced, left = self._paced(), self.left()
        if paced == 0:
            return
        steps = min((n for n in (paced, left, self.grain or None) if n is not None), default=None)
        before, ended = self.session.moment, left == 0
        if not ended:
            worked = time.process_time()
            own = {"depth": self.session.engine.limit.depth, self.unit: steps}
            reason = self.session.advance(Limit(seconds=SLICE, **own), arrived)
            self.busy += time.process_time() - worked
            self.made += self.session.moment - before
            ended = reason not in (None, "stop") or self.left() == 0
        # seconds are those of compiled search, if one is to take it over
        late = not self.waits and time.perf_counter() >= self._deadline
        if ended or late:
            self.running = False
            self.tell_again()
        self.note()

    def _paced(self) -> int | None:
        """How many steps the pace allows now; None without a pace."""
        if not self.rate:
            return None
        made = self.session.moment - self._from
        behind = (time.perf_counter() - self._began) * self.rate - made
        if behind > max(2.0, self.rate):  # too slow for this pace: what is lost is lost
            self._begin_pace()
        return int(min(behind, max(1.0, self.rate * SLICE)))

    # ------------------------------------------------------------ telling

    def note(self) -> None:
        """Add what is known now to the trail."""
        self._found = None
        point = self.point()
        at = point["moment"], point["changes"]
        while self.trail and (self.trail[-1]["moment"], self.trail[-1]["changes"]) >= at:
            self.trail.pop()
        self.trail.append(point)
        self._fresh.append(point)
        if len(self.trail) > MOST_TRAIL:
            self.trail = [*self.trail[:-1:2], self.trail[-1]]

    def result(self) -> SearchResult:
        """What has been found; looked at several times for one update, computed once."""
        if self._found is None:
            self._found = self.session.result()
        return self._found

    def point(self) -> dict[str, Any]:
        """Root value, move to play and its value, visits and value of each, at this moment."""
        result = self.result()
        known = bool(result.simulations or result.nodes)
        return {
            "moment": self.session.moment,
            "changes": len(self.session.history.changes),
            "value": finite(result.value) if known else None,
            "root_value": finite(result.root_value) if known else None,
            "best": best_name(result) if known else None,
            "cut": self.cut(),
            "moves": {row.name: seen_of(row) for row in result.moves},
        }

    def cut(self) -> list[str]:
        """The root moves that the select rule has given up for good."""
        return self.session.cut() if Capability.TREE in self.session.capabilities else []

    def state(self) -> dict[str, Any]:
        """All that a page shows of the session, apart from its tree."""
        session, result = self.session, self.result()
        known = session.moment > 0
        return {
            "session": self.name,
            "moment": session.moment,
            "furthest": session.furthest,
            "running": self.running,
            "can": words_of(session.capabilities),
            "engine": part_text(session.engine),
            "history": session.history.to_json()
            if Capability.SAVE in session.capabilities
            else None,
            "ahead": [described(change) for change in session.ahead],
            "value": finite(result.value) if known else None,
            "root_value": finite(result.root_value) if known else None,
            "best": best_name(result) if known else None,
            "choice": result.choice if known else "",
            "line": [move.name for move in result.pv] if known else [],
            "moves": [cleaned(row.to_json()) for row in result.moves],
            "cut": self.cut(),
            "depth": result.depth,
            "seconds": result.seconds,
            "memory": result.memory,
            "notes": [*result.notes, *self.remarks],
            "tier": "compiled" if COMPILED else "compiling" if self.waits else "plain",
            "truth": self.truth,
        }

    def whole(self) -> dict[str, Any]:
        """The state and how it came to it."""
        return {**self.state(), "trail": self.trail}

    def wants_to_tell(self) -> bool:
        """Is an update due? None is sent before the page has painted the last one."""
        if not self.seen or self._told == self._now():
            return False
        return time.perf_counter() - self._sent >= self.every or not self.running

    def tell_again(self) -> None:
        """Something has changed without a step: the page shall see it."""
        self._told, self._found = (-1, 0), None

    def _now(self) -> tuple[int, int]:
        return self.session.moment, len(self.session.history.changes)

    def frame(self) -> bytes:
        """An update of everything."""
        self.seen, self._sent, self._told = False, time.perf_counter(), self._now()
        rows = None
        if self.nodes and Capability.TREE in self.session.capabilities:
            rows = self.session.nodes(self.nodes, self.deepest or None)
        fresh, self._fresh = self._fresh, []
        return update({"told": "update", **self.state(), "trail": fresh}, rows)


def begun(history: History) -> Session[Any]:
    """A session of the history's beginning, ready to be switched where that is possible."""
    # strong() chooses another engine for the game, and histories name that
    engine = history.engine.resolve(history.position)
    if not engine.traits.plays:
        raise InputError(f"{part_text(engine)} plays no moves: the explorer shows engines")
    wanted = history.options
    if engine.traits.continues_trees and wanted.plan.memory is None:
        memory = engine.limit.memory or PAGE_MEMORY
        wanted = wanted._replace(plan=replace(wanted.plan, memory=memory))
    session = engine.new_session(history.position, wanted)
    if Capability.CHANGE in session.capabilities:
        session = engine.new_session(history.position, wanted._replace(switchable=True))
    if isinstance(session, AtOnceSession):
        raise InputError(
            f"{part_text(engine)} answers at once, without a search to watch; it plays on the "
            "pages Play and Arena"
        )
    return session.prepare()


WORDS = {
    Capability.STEP: "step",
    Capability.CHANGE: "change",
    Capability.REWIND: "rewind",
    Capability.SAVE: "save",
    Capability.EVENTS: "events",
    Capability.TREE: "nodes",
    Capability.CALLER_EVALUATED: "leaves",
}
"""What a session can do, in the words of messages."""


def words_of(capabilities: Capability) -> list[str]:
    """What a session can do, as a page is told."""
    return sorted(WORDS[one] for one in capabilities)


def truth_of(history: History) -> dict[str, Any] | None:
    """What a teaching game knows of its moves and a search does not; None of any other game."""
    game = history.position.game
    if not (hasattr(game, "true_values") and hasattr(game, "table")):
        return None
    values, noises, gaps = game.table()
    return {"values": values, "noises": noises, "gaps": gaps}


def seen_of(row: MoveRow) -> list[float | None]:
    """Visits, value and spread of a move, for the trail."""
    return [row.visits, finite(row.value), finite(row.spread)]


def described(change: Change) -> dict[str, Any]:
    """A change as histories write it."""
    return {"at": change.moment, **{kind: part_text(part) for kind, part in change.parts.items()}}


def cleaned(row: dict[str, Any]) -> dict[str, Any]:
    """JSON has no infinite numbers."""
    return {key: finite(v) if isinstance(v, float) else v for key, v in row.items()}
