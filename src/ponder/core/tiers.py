"""Tiers: a search begins in plain Python at once, and is continued compiled when that is quicker.

Both modes give the same search bit for bit, and a history is small: so compiled code takes a search
over by running its history again to the same moment. This module knows when that is worth it, and
what is compared at the changeover; processes belong to those who begin them (`ponder.cli.tier`,
`ponder.explorer`).
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import shlex
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    from ponder.core.limits import Limit, StopReason
    from ponder.core.session import Session

TIERS = ("auto", "plain", "compiled")

BEGINNING = 1.0
"""Seconds that another process takes to begin: Python, NumPy, Numba, the engine and the game."""
PROBE = 0.3
"""Seconds of plain search after which its speed counts as measured."""
PATIENCE = 2.0
"""Seconds of plain search after which one whose end nobody can foresee is compiled."""
FASTEST = 20_000.0
"""Simulations or nodes a second that no search in plain Python reaches."""


class Forecast(NamedTuple):
    """What is known of a search that could be run in either mode."""

    left: int | None
    """Simulations or nodes still to be made; None: a clock, a depth or a person ends it."""
    rate: float | None
    """Of these a second in plain Python: measured, or remembered; None: not known yet."""
    compile: float
    """Seconds that the compiler will take."""
    spent: float = 0.0
    """Seconds of the processor that plain search has had so far."""
    clock: bool = False
    """Is it limited by seconds? Those are seconds of compiled search."""


def needs_compiler(known: Forecast) -> bool:
    """Is compiled code the quicker way to the end of this search?

    A budget ends sooner in plain Python if that takes no longer than compiling and beginning again.
    A depth has no number: it is given as long as people wait without asking why.
    """
    if known.clock:
        return True
    if known.left is None:
        return known.spent >= PATIENCE
    if known.rate is None:
        hopeless = known.left / FASTEST > known.compile + BEGINNING
        return hopeless or known.spent >= PATIENCE
    return known.left / known.rate > known.compile + BEGINNING


def digest(session: Session[Any]) -> str:
    """Equal for equal searches: what they have found, every node of the tree, and the random
    numbers, which are others as soon as anything has gone another way."""
    told = session.result().to_json()
    for name in ("seconds", "memory_bytes", "stopped_by", "notes"):
        del told[name]
    made = hashlib.sha256(json.dumps([session.moment, told], sort_keys=True).encode())
    for array in session.state_arrays():  # the bytes between fields may be any
        fields: list[Any] = [array[name] for name in array.dtype.names or ()]
        for field in fields or [array]:
            made.update(field.tobytes())
    return made.hexdigest()


def difference(game: str, how: str) -> str:
    """The sentence that names a game which is not the same in both modes; `game`: its text."""
    named = shlex.quote(game.removesuffix("()"))
    return (
        f"{named} is not the same in plain Python and compiled ({how}); this is the compiled "
        f"search, and ponder check {named} compares the two"
    )


class Attendant(Protocol):
    """Looks after the first session that runs within `attended_by`."""

    def is_set(self) -> bool:
        """Is the search to stop, because somebody else will take it over?"""

    def begins(self, session: Session[Any], limit: Limit) -> Limit:
        """The session is about to run to this limit, which counts from this moment on: to which
        one it runs here."""

    def ended(self, session: Session[Any], reason: StopReason) -> None:
        """It has come to rest, for this reason."""


_attendant: Attendant | None = None


@contextlib.contextmanager
def attended_by(attendant: Attendant) -> Iterator[None]:
    """The first session that runs in this block is looked after."""
    global _attendant
    _attendant = attendant
    try:
        yield
    finally:
        _attendant = None


def is_attended() -> bool:
    """Does somebody wait for the first session?"""
    return _attendant is not None


def attendant() -> Attendant | None:
    """Who looks after the session that asks; each is told to one session."""
    global _attendant
    found, _attendant = _attendant, None
    return found
