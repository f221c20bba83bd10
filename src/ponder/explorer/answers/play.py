"""What a worker does for somebody who plays: see `ponder.explorer.messages.play`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ponder.core.dice import thrown
from ponder.core.engine import checked_engine
from ponder.core.limits import Limit
from ponder.core.position import Position
from ponder.core.registry import saved_engine
from ponder.errors import InputError
from ponder.explorer.answers.board import about
from ponder.explorer.answers.notation import read_game, write_game
from ponder.explorer.messages.play import LIMITS
from ponder.explorer.positions import reached
from ponder.explorer.thought import Thought

if TYPE_CHECKING:
    from ponder.explorer.worker import Desk

MOST_THOUGHTS = 8
"""Of one page, at the same time."""


def table(desk: Desk, message: dict[str, Any]) -> dict[str, Any]:
    here = reached(message)
    if "move" in message:
        here = here.play(message["move"])
    thrown_now = []
    while message.get("roll") and here.is_chance:
        outcome = thrown(here, message.get("seed", 0))
        thrown_now.append(here.action_name(outcome))
        here = here.play(outcome)
    return {**about(here), **told(here), "thrown": thrown_now}


def told(here: Position) -> dict[str, Any]:
    """How the game came here: moves by name, and who made each (-1: dice)."""
    moves, movers = [], []
    while here.last_action is not None:
        before = here.undo()
        moves.append(before.action_name(here.last_action))
        movers.append(before.current_player)
        here = before
    return {"moves": moves[::-1], "movers": movers[::-1]}


def think(desk: Desk, message: dict[str, Any]) -> dict[str, Any]:
    name = message.get("session", "main")
    if name not in desk.sessions and len(desk.sessions) >= MOST_THOUGHTS:
        raise InputError(f"a page has at most {MOST_THOUGHTS} searches at the same time")
    here, engine = reached(message), checked_engine(saved_engine(message["engine"]))
    given = {limit: message[limit] for limit in LIMITS if limit in message}
    drop(desk, message)
    desk.sessions[name] = Thought(name, here, engine, Limit(**given), message.get("seed", 0))
    return {}


def hurry(desk: Desk, message: dict[str, Any]) -> dict[str, Any]:
    one = desk.sessions.get(message.get("session", "main"))
    if isinstance(one, Thought):
        one.hurry()
    return {}


def drop(desk: Desk, message: dict[str, Any]) -> dict[str, Any]:
    one = desk.sessions.get(message.get("session", "main"))
    if isinstance(one, Thought):
        one.end()
        del desk.sessions[one.name]
    return {}


ANSWERS = {
    "table": table,
    "think": think,
    "hurry": hurry,
    "drop": drop,
    "read_game": read_game,
    "write_game": write_game,
}
