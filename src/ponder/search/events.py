"""What a search does, event by event: for explorers, lessons and `ponder search --trace`.

The recursion calls the methods of a part. `NoTrace` does nothing and compiles to nothing; `Trace`
writes records into an array. Afterwards `EventLog` turns them into `Event` objects.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from ponder.core.position import Position
from ponder.search.table import EXACT, LOWER, NO_MOVE, UPPER

ENTER, LEAVE, CUT, HIT, BEST = range(5)
KINDS = ("enter", "leave", "cut", "table", "best")
BOUNDS = {EXACT: "exact", LOWER: "lower", UPPER: "upper"}
BETA, BY_TABLE, BY_PASSING = range(3)
REASONS = ("beta", "table", "null move")

RECORD = np.dtype(
    [
        ("kind", "i1"),
        ("player", "i1"),
        ("detail", "i1"),
        ("depth", "i2"),
        ("ply", "i4"),
        ("action", "i4"),
        ("alpha", "f8"),
        ("beta", "f8"),
        ("value", "f8"),
    ],
    align=True,
)


class NoTrace(NamedTuple):
    """Nobody watches."""

    def enter(self, ply, action, depth, alpha, beta, player):  # type: ignore[no-untyped-def]
        pass

    def leave(self, ply, action, depth, alpha, beta, player, value):  # type: ignore[no-untyped-def]
        pass

    def cut(self, ply, action, depth, alpha, beta, player, value, reason):  # type: ignore[no-untyped-def]
        pass

    def hit(self, ply, depth, alpha, beta, player, value, bound):  # type: ignore[no-untyped-def]
        pass

    def best(self, ply, action, depth, alpha, beta, player, value):  # type: ignore[no-untyped-def]
        pass


class Trace(NamedTuple):
    """Writes every event, as long as there is room; counts all of them."""

    events: Any  # [most] RECORD
    count: Any  # [1] i8

    def write(self, kind, detail, ply, action, depth, alpha, beta, player, value):  # type: ignore[no-untyped-def]
        n = self.count[0]
        self.count[0] = n + 1
        if n < self.events.size:
            event = self.events[n]
            event.kind = kind
            event.detail = detail
            event.ply = ply
            event.action = action
            event.depth = depth
            event.alpha = alpha
            event.beta = beta
            event.player = player
            event.value = value

    def enter(self, ply, action, depth, alpha, beta, player):  # type: ignore[no-untyped-def]
        self.write(ENTER, 0, ply, action, depth, alpha, beta, player, 0.0)

    def leave(self, ply, action, depth, alpha, beta, player, value):  # type: ignore[no-untyped-def]
        self.write(LEAVE, 0, ply, action, depth, alpha, beta, player, value)

    def cut(self, ply, action, depth, alpha, beta, player, value, reason):  # type: ignore[no-untyped-def]
        self.write(CUT, reason, ply, action, depth, alpha, beta, player, value)

    def hit(self, ply, depth, alpha, beta, player, value, bound):  # type: ignore[no-untyped-def]
        self.write(HIT, bound, ply, NO_MOVE, depth, alpha, beta, player, value)

    def best(self, ply, action, depth, alpha, beta, player, value):  # type: ignore[no-untyped-def]
        self.write(BEST, 0, ply, action, depth, alpha, beta, player, value)


class Event(NamedTuple):
    """One thing that happened. Window and value are those of `player`.

    enter   a position is entered through `action` (None: the root), with a window
    leave   ... and left with a value: exact inside the window, else a bound
    cut     the rest of its moves need not be looked at; `detail` says why: beta (the value of
            `action` reached it), table (a stored bound), null move (even passing is enough)
    table   the position was known; `detail`: exact, lower or upper bound
    best    `action` is the best move so far here
    """

    kind: str
    ply: int
    player: int
    depth: int
    action: Any
    move: str | None
    """The action's name."""
    alpha: float
    beta: float
    value: float | None
    detail: str | None

    def to_json(self) -> dict[str, Any]:
        """Only what means something for this kind of event."""
        return {name: value for name, value in self._asdict().items() if value is not None}


class EventLog:
    """Room for the events of one search: pass it as ``search(..., trace=EventLog())``.

    The first `most` events are kept; `total` counts all. Decisive values cost a little for each
    ply (see `ponder.search.values`); here they are shown as the search sees them.
    """

    def __init__(self, most: int = 1_000_000) -> None:
        self.part = Trace(np.zeros(most, RECORD).view(np.recarray), np.zeros(1, np.int64))
        self.position: Position | None = None
        self.shift = 0.0

    def clear(self, position: Position) -> None:
        self.part.count[0] = 0
        self.position = position

    @property
    def total(self) -> int:
        return int(self.part.count[0])

    @property
    def dropped(self) -> int:
        """Events for which there was no room."""
        return max(0, self.total - len(self.part.events))

    def __len__(self) -> int:
        return self.total - self.dropped

    def __iter__(self) -> Iterator[Event]:
        """The events in order, with the names of the moves."""
        if self.position is None:
            return
        path: list[Position | None] = [self.position]
        for record in self.part.events[: len(self)]:
            ply, action = int(record.ply), int(record.action)
            kind = KINDS[record.kind]
            above = path[ply - 1] if kind in ("enter", "leave") and ply > 0 else None
            here = above if above is not None else path[ply] if ply < len(path) else None
            move = None
            if action != NO_MOVE and here is not None:
                move = here.action_name(action)
            if kind == "enter" and ply > 0:
                del path[ply:]
                passed = action == NO_MOVE or above is None
                path.append(None if passed else above._after(action))  # type: ignore[union-attr]
            yield Event(
                kind=kind,
                ply=ply,
                player=int(record.player),
                depth=int(record.depth),
                action=None if action == NO_MOVE else action,
                move=move,
                alpha=float(record.alpha) + self.shift,
                beta=float(record.beta) + self.shift,
                value=None if kind == "enter" else float(record.value) + self.shift,
                detail=_detail(kind, int(record.detail)),
            )


def _detail(kind: str, detail: int) -> str | None:
    if kind == "cut":
        return REASONS[detail]
    return BOUNDS[detail] if kind == "table" else None
