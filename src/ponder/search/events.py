"""What a search of the minimax family does, event by event: for explorers, lessons, drawings.

The recursions call the methods of a part. `NoTrace` does nothing and compiles to nothing; `Trace`
writes records into an array. Afterwards `EventLog` turns them into `ponder.core.events.Event`s:

    enter   a position is entered. player: who moves there, "chance" or "end"; depth: plies left,
            0 in a quiescence search, too; alpha, beta: the window, where it has ends;
            probability: that of the outcome that leads there
    leave   ... and left, with a value, and bound: "exact", or "lower" or "upper" where the truth
            may lie on one side of it; max^n: `values`, one for each player
    best    move is the best so far here, value (values) what it is worth
    cut     the rest need not be looked at. reason: one of REASONS; move: whose value did it
    table   the position was known: low, high, or both, between which its value lies

A search by depths enters the root once for every depth, and once more for every other window; one
that solves, once for every question. Proof-number search has numbers in place of windows and
values: proof_limit, disproof_limit where it enters, proof, disproof where it leaves; infinite ones
are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np

from ponder.core.events import Event
from ponder.core.pausing import NODES
from ponder.core.position import Position
from ponder.search.table import NO_MOVE

ENTER, LEAVE, CUT, HIT, BEST = range(5)
KINDS = ("enter", "leave", "cut", "table", "best")
BETA, BY_TABLE, BY_PASSING, BY_OUTCOMES, BY_PROBES, BY_SUM, BY_RANGE, BY_DISTANCE = range(8)
REASONS = (
    "window",  # the value lies outside the window: somebody above has something better
    "table",  # what is stored settles it
    "null move",  # even passing is good enough
    "star1",  # whatever the other outcomes are worth, the average lies outside the window
    "star2",  # ... which one move after each outcome has shown
    "shallow",  # max^n: the player above gets too little here
    "best possible",  # max^n: there is no higher utility
    "too soon",  # solving: nobody can win or lose within so few plies
)
PROOF_LIMITS, PROOF_NUMBERS = ("proof_limit", "disproof_limit"), ("proof", "disproof")
INFINITE = 1 << 30
"""A proof number of what cannot be proven."""
NO_DEPTH = -1
"""Of searches to the end of the game, which count no plies down."""
UNKNOWN = 1e300
"""Beyond every utility: an end of a window, or a bound, that is none."""

RECORD = np.dtype(
    [
        ("moment", "i8"),
        ("kind", "i1"),
        ("detail", "i1"),
        ("depth", "i2"),
        ("ply", "i4"),
        ("action", "i4"),
        ("alpha", "f8"),
        ("beta", "f8"),
        ("value", "f8"),
        ("more", "f8"),
    ],
    align=True,
)
"""`more`: the probability of what was entered, the upper one of two bounds from a table."""


class NoTrace(NamedTuple):
    """Nobody watches."""

    def enter(self, info, ply, action, depth, alpha, beta, player, chance):  # type: ignore[no-untyped-def]
        pass

    def leave(self, info, ply, alpha, beta, player, value):  # type: ignore[no-untyped-def]
        pass

    def leave_all(self, info, ply, values):  # type: ignore[no-untyped-def]
        pass

    def cut(self, info, ply, action, alpha, beta, player, value, reason):  # type: ignore[no-untyped-def]
        pass

    def known(self, info, ply, alpha, beta, player, low, high):  # type: ignore[no-untyped-def]
        pass

    def best(self, info, ply, action, alpha, beta, player, value):  # type: ignore[no-untyped-def]
        pass

    def best_all(self, info, ply, action, values):  # type: ignore[no-untyped-def]
        pass

    def enter_numbers(self, info, ply, action, proof, disproof):  # type: ignore[no-untyped-def]
        pass

    def leave_numbers(self, info, ply, proof, disproof):  # type: ignore[no-untyped-def]
        pass


NO_TRACE = NoTrace()


class Trace(NamedTuple):
    """Writes the events after the moment `since`, as long as there is room; counts all of them.

    Windows and values come in as those of a `player`, and are written as those of `viewer`.
    """

    records: Any  # [most] RECORD
    values: Any  # [most, players] f8: of events that have one for each
    count: Any  # [1] i8
    path: Any  # [plies] i4: the actions that led to the node of each ply
    start: Any  # [1 + plies] i4: the ply of the first event written, and the path to it
    since: int
    viewer: int

    def write(self, info, kind, detail, ply, action, depth, alpha, beta, player, value, more):  # type: ignore[no-untyped-def]
        moment = info[NODES]
        if kind == ENTER:
            moment += 1  # it is counted next
        if moment <= self.since:
            return -1
        n = self.count[0]
        if n == 0:
            self.start[0] = ply
            for i in range(ply + 1):
                self.start[1 + i] = self.path[i]
        self.count[0] = n + 1
        if n >= self.records.size:
            return -1
        event = self.records[n]
        event.moment = moment
        event.kind = kind
        event.detail = detail
        event.ply = ply
        event.action = action
        event.depth = depth
        event.more = more
        event.alpha = alpha
        event.beta = beta
        event.value = value
        if player != self.viewer:  # what one gains the other loses
            event.alpha = -beta
            event.beta = -alpha
            event.value = -value
            if kind == HIT:
                event.value = -more
                event.more = -value
        return n

    def enter(self, info, ply, action, depth, alpha, beta, player, chance):  # type: ignore[no-untyped-def]
        self.path[ply] = action
        self.write(info, ENTER, 0, ply, action, depth, alpha, beta, player, 0.0, chance)

    def leave(self, info, ply, alpha, beta, player, value):  # type: ignore[no-untyped-def]
        action = self.path[ply]
        self.write(info, LEAVE, 0, ply, action, 0, alpha, beta, player, value, 0.0)

    def leave_all(self, info, ply, values):  # type: ignore[no-untyped-def]
        action = self.path[ply]
        n = self.write(info, LEAVE, 0, ply, action, 0, 0.0, 0.0, self.viewer, 0.0, 0.0)
        if n >= 0:
            for p in range(self.values.shape[1]):
                self.values[n, p] = values[ply, p]

    def cut(self, info, ply, action, alpha, beta, player, value, reason):  # type: ignore[no-untyped-def]
        self.write(info, CUT, reason, ply, action, 0, alpha, beta, player, value, 0.0)

    def known(self, info, ply, alpha, beta, player, low, high):  # type: ignore[no-untyped-def]
        self.write(info, HIT, 0, ply, NO_MOVE, 0, alpha, beta, player, low, high)

    def best(self, info, ply, action, alpha, beta, player, value):  # type: ignore[no-untyped-def]
        self.write(info, BEST, 0, ply, action, 0, alpha, beta, player, value, 0.0)

    def best_all(self, info, ply, action, values):  # type: ignore[no-untyped-def]
        n = self.write(info, BEST, 0, ply, action, 0, 0.0, 0.0, self.viewer, 0.0, 0.0)
        if n >= 0:
            for p in range(self.values.shape[1]):
                self.values[n, p] = values[ply, p]

    def enter_numbers(self, info, ply, action, proof, disproof):  # type: ignore[no-untyped-def]
        self.path[ply] = action
        self.write(info, ENTER, 0, ply, action, NO_DEPTH, 0.0, 0.0, self.viewer, proof, disproof)

    def leave_numbers(self, info, ply, proof, disproof):  # type: ignore[no-untyped-def]
        action = self.path[ply]
        self.write(info, LEAVE, 0, ply, action, 0, 0.0, 0.0, self.viewer, proof, disproof)


class EventLog:
    """Room for the events of one search; the first `most` after the moment `since` are kept."""

    def __init__(
        self,
        position: Position,
        plies: int,
        *,
        since: int = 0,
        most: int,
        vector: bool = False,
        numbers: bool = False,
    ) -> None:
        """`vector`: events have a value for each player, not one for the player at the root;
        `numbers`: they have proof numbers."""
        self.position, self.vector, self.numbers = position, vector, numbers
        self._roots: list[tuple[int, Position]] = [(0, position)]
        """Where searches began, and how many events there had been."""
        self.part = Trace(
            records=np.zeros(most, RECORD).view(np.recarray),
            values=np.zeros((most if vector else 0, position.players)),
            count=np.zeros(1, np.int64),
            path=np.full(plies, NO_MOVE, np.int32),
            start=np.zeros(1 + plies, np.int32),
            since=since,
            viewer=max(position.current_player, 0),
        )

    @contextmanager
    def deaf(self) -> Iterator[None]:
        """In this block something is compiled by running it: nothing of that is kept."""
        count, roots = int(self.part.count[0]), list(self._roots)
        yield
        self.part.count[0], self._roots = count, roots

    def begin(self, position: Position) -> None:
        """What comes now is a search of `position`, the log's own or one after it."""
        self._roots.append((int(self.part.count[0]), position))

    @property
    def records(self) -> Any:
        return self.part.records[: int(self.part.count[0])]

    def events(self, until: int, utility: Callable[[float], float | None]) -> list[Event]:
        """The events up to a moment, in order, with the names of the moves.

        `utility`: a value of the search as a utility; None where it lies beyond them all.
        """
        way = _Way(self.position, self.position)
        made: list[Event] = []
        roots = iter([*self._roots, (self.part.records.size + 1, self.position)])
        (begins, root), (ends, following) = next(roots), next(roots)
        for n, record in enumerate(self.records):
            if record.moment > until:
                break
            while ends <= n:
                (begins, root), (ends, following) = (ends, following), next(roots)
            if n in (0, begins):
                way = _Way(self.position, root, self.part.start if n == 0 else ())
                begins = -1
            made.append(self._event(n, record, way, utility))
        return made

    def _event(
        self, n: int, record: Any, way: _Way, utility: Callable[[float], float | None]
    ) -> Event:
        kind, ply, action = KINDS[record.kind], int(record.ply), int(record.action)
        facts: dict[str, Any] = {}
        if kind == "enter":
            facts = way.enter(ply, action)
            if record.depth != NO_DEPTH:
                facts["depth"] = int(record.depth)
            if record.more < 1.0 and not self.numbers:
                facts["probability"] = float(record.more)
        elif kind in ("best", "cut") and action != NO_MOVE:
            facts["move"] = way.name(ply, action)
        if kind == "cut":
            facts["reason"] = REASONS[record.detail]
        if self.vector:
            if kind in ("leave", "best"):
                facts["values"] = tuple(self.part.values[n].tolist())
        elif self.numbers:
            names = PROOF_LIMITS if kind == "enter" else PROOF_NUMBERS
            found = zip(names, (int(record.value), int(record.more)), strict=True)
            facts |= {name: number for name, number in found if number < INFINITE // 2}
        else:
            facts |= _numbers(kind, record, utility)
        return Event(int(record.moment), kind, way.names(ply), facts)


def _numbers(
    kind: str, record: Any, utility: Callable[[float], float | None]
) -> dict[str, float | str]:
    """Window and value of an event."""
    alpha, beta, value = float(record.alpha), float(record.beta), float(record.value)
    found = {"alpha": alpha, "beta": beta}
    if kind == "table":
        found |= {"low": value, "high": float(record.more)}
    elif kind != "enter":
        found["value"] = value
    worth = {name: utility(number) for name, number in found.items()}
    facts: dict[str, float | str] = {k: v for k, v in worth.items() if v is not None}
    if kind == "leave":
        facts["bound"] = "upper" if value <= alpha else "lower" if value >= beta else "exact"
    return facts


class _Way:
    """The positions from the root to where the search is."""

    def __init__(self, first: Position, position: Position, start: Any = ()) -> None:
        """The search is of `position`, which comes after `first`; `start`: see `Trace`."""
        self._positions: list[Position | None] = [position]
        self._names: list[str] = []
        self._prefix: tuple[str, ...] = ()
        while position is not first:
            above = position.undo()
            played: Any = position.last_action
            self._prefix = (above.action_name(played), *self._prefix)
            position = above
        for ply in range(1, int(start[0]) + 1 if len(start) else 0):
            self.enter(ply, int(start[1 + ply]))

    def enter(self, ply: int, action: int) -> dict[str, Any]:
        """Go to the node of this ply; who moves there."""
        if ply > 0:
            above = self._positions[ply - 1]
            name = self.name(ply - 1, action)
            del self._positions[ply:], self._names[ply - 1 :]
            known = above is not None and action != NO_MOVE
            self._positions.append(above._after(action) if known else None)  # type: ignore[union-attr]
            self._names.append(name)
        here = self._positions[ply]
        if here is None:  # below a passed turn, of which there is no position
            return {}
        ended = "end" if here.is_terminal else "chance" if here.is_chance else None
        return {"player": ended or here.current_player}

    def name(self, ply: int, action: int) -> str:
        """A move at the node of this ply."""
        if action == NO_MOVE:
            return "pass"
        here = self._positions[ply] if ply < len(self._positions) else None
        return str(action) if here is None else here.action_name(action)

    def names(self, ply: int) -> tuple[str, ...]:
        return (*self._prefix, *self._names[:ply])
