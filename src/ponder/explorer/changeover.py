"""Searches of a page change from a worker in plain mode to one that compiles, as they are.

    1. A page's searches begin in a worker in plain mode, at once.
    2. It says when compiled code would be quicker (`wants_compiler`): `frames.WANTED`.
    3. The server has another worker compile what they need: the message PREPARE.
    4. Then the first one hands over what it is doing (HAND_OVER, `frames.HANDED`), the other one
       runs the histories again to the same moments and goes on (TAKE_OVER).

The messages here are the server's own: a page cannot send them (`ponder.explorer.messages`).
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from ponder import cache_times
from ponder.core.limits import Limit
from ponder.core.registry import game_text
from ponder.core.session import Capability
from ponder.core.tiers import PROBE, Forecast, difference, digest, needs_compiler
from ponder.explorer.live import Live, begun, described, history_of
from ponder.jit import COMPILED, CompileWatch, watching_compiler

if TYPE_CHECKING:
    from ponder.explorer.worker import Desk

PREPARE, HAND_OVER, TAKE_OVER, ALONE = "prepare", "hand_over", "take_over", "alone"
REST = "the search was begun anew when it was compiled: it cannot be run again"
"""Said of searches of several threads, or that ask a Python function."""


def wants_compiler(one: Live) -> bool:
    """Would this search come further if it were compiled? A pace that plain Python keeps needs no
    compiler; a search without a pace or an end is watched as long as it lasts."""
    if not repeatable(one):
        return True  # nothing of it could be taken over later
    if not one.running:
        return False
    rate = one.made / one.busy if one.busy > PROBE and one.made else None
    if one.rate:
        return rate is not None and rate < one.rate
    left = one.left()
    clock = one.session.engine.limit.seconds is not None
    endless = left is None and (clock or one.busy > PROBE)
    return needs_compiler(
        Forecast(left, rate, cache_times.usual_compile(kind(one)), one.busy, endless)
    )


def repeatable(one: Live) -> bool:
    """Can its history be run again?"""
    return Capability.SAVE | Capability.REWIND in one.session.capabilities


def kind(one: Live) -> str:
    """The text by which the times of such a search are remembered: by what the page asked for."""
    return cache_times.kind_of_work("explore", one.asked["game"], one.asked["engine"])


def opening(one: Live) -> dict[str, Any]:
    """What another worker must know to compile for this search."""
    whole = one.session.history.to_json() if repeatable(one) else one.asked
    return {**whole, "changes": [], "at": 0, "kind": kind(one)}


def handed(one: Live) -> dict[str, Any]:
    """The search as it is."""
    session = one.session
    watched = {
        "name": one.name,
        "watched": [one.nodes, one.deepest, one.every, one.grain],
        "running": one.running,
        "rate": one.rate,
        "until": one.until,
        "seen": one.seen,
    }
    if not repeatable(one):
        return {**watched, "history": opening(one), "moment": None}
    history = session.history.to_json()
    changes = session.history.changes
    ahead = [described(change) for change in session.ahead]
    return {
        **watched,
        "history": {
            **history,
            "changes": [*history["changes"], *ahead],
            "at": session.furthest,
        },
        "moment": session.moment,
        "after": any(change.moment == session.moment for change in changes),
        "trail": one.trail,
        "digest": digest(session) if session.moment else "",
    }


def taken_over(state: dict[str, Any]) -> Live:
    """The search that another process has handed over."""
    one = Live(state["name"], history_of(state["history"]), *state["watched"])
    if state["moment"] is None:
        one.remarks = (REST,)
    else:
        _go_back(one, state)
    one.rate, one.until, one.seen = state["rate"], state["until"], state["seen"]
    if state["running"]:
        one.start(one.rate, one.until)
    one.tell_again()
    return one


def _go_back(one: Live, state: dict[str, Any]) -> None:
    """From the furthest moment of the history to the one at which the search was left."""
    session = one.session
    if state["moment"] < session.moment or not state["after"]:
        session.rewind(state["moment"], after=state["after"])
    if state["digest"] and digest(session) != state["digest"]:
        how = f"the first {state['moment']:,} steps are others"
        one.remarks = (difference(game_text(session.position.game), how),)
    one.trail = state["trail"]


# ------------------------------------------------------------------ the server's messages


def prepare(desk: Desk, message: dict[str, Any]) -> dict[str, Any]:
    """Compile what these searches need."""
    for data in message["openings"]:
        history = history_of(data)
        watch = CompileWatch()
        with watching_compiler(watch):
            session = begun(history)
            session.advance(Limit(**{session.unit: 1}))
            session.result()
        cache_times.note(data["kind"], watch)
    return {}


def hand_over(desk: Desk, message: dict[str, Any]) -> dict[str, Any]:
    """All that this page is searching; nothing if something else goes on. It rests until the next
    message."""
    jobs = list(desk.sessions.values())
    if not all(isinstance(one, Live) for one in jobs):
        return {"state": None}
    state = [handed(one) for one in jobs]
    desk.resting = True
    return {"state": state}


def alone(desk: Desk, message: dict[str, Any]) -> dict[str, Any]:
    """Nobody will take the searches over."""
    for one in desk.sessions.values():
        one.waits = False
    return {}


def take_over(desk: Desk, message: dict[str, Any]) -> dict[str, Any]:
    """Go on with what another worker has handed over."""
    for state in message["state"]:
        desk.sessions[state["name"]] = taken_over(state)
    return {}


OWN = {PREPARE: prepare, HAND_OVER: hand_over, TAKE_OVER: take_over, ALONE: alone}
"""What a worker does for each message of the server's own."""
TO_PLAIN = (HAND_OVER, ALONE)
"""Those to the worker whose answers the page gets: it does not get these."""


class Asking:
    """Says once for each kind of search that compiled code would be quicker."""

    def __init__(self, desk: Desk) -> None:
        self.desk, self._asked, self._next = desk, set[str](), 0.0

    def look(self) -> list[dict[str, Any]]:
        """What is to be compiled now: openings; none if nothing."""
        if COMPILED or time.monotonic() < self._next:
            return []
        lives = [one for one in self.desk.sessions.values() if isinstance(one, Live)]
        if any(one.running for one in lives):  # so the beginning of a run is looked at
            self._next = time.monotonic() + PROBE
        wanting = [one for one in lives if kind(one) not in self._asked and wants_compiler(one)]
        if not wanting:
            return []
        self._asked.update(kind(one) for one in lives)
        for one in lives:
            one.waits = True
        return [opening(one) for one in lives]
