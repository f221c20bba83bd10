"""What a worker does for each message of `ponder.explorer.messages.session`, under the same name.

Each takes the desk (the page's sessions) and the message, and returns the fields of the answer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ponder.core.history import parts_from
from ponder.core.registry import part_text
from ponder.core.result import finite
from ponder.core.session import Capability
from ponder.errors import InputError
from ponder.explorer.live import Live, cleaned, history_of
from ponder.explorer.messages.session import MESSAGES
from ponder.mcts.why import why as reasons_of

if TYPE_CHECKING:
    from ponder.explorer.worker import Desk, Job

MOST_SESSIONS = 8
"""Of one page."""
NODES, EVERY = 500, 0.05
"""Nodes of an update and seconds between two, unless the page says otherwise."""


def job(desk: Desk, message: dict[str, Any]) -> Job:
    """Whatever goes on under the name that a message speaks of."""
    name = message.get("session", "main")
    if name not in desk.sessions:
        raise InputError(f"this page has no session {name!r}: open one first")
    found: Job = desk.sessions[name]
    return found


def live(desk: Desk, message: dict[str, Any]) -> Live:
    """The session that a message speaks of; a thought and a match are none."""
    found = job(desk, message)
    if not isinstance(found, Live):
        raise InputError(f"{found.name!r} is not a session of a search")
    return found


def open_(desk: Desk, message: dict[str, Any]) -> dict[str, Any]:
    name = message.get("session", "main")
    if name not in desk.sessions and len(desk.sessions) >= MOST_SESSIONS:
        raise InputError(f"a page has at most {MOST_SESSIONS} sessions")
    history = history_of(message["history"])
    made = Live(
        name,
        history,
        message.get("nodes", NODES),
        message.get("deepest", 0),
        message.get("every", EVERY),
        message.get("grain", 0),
    )
    made.asked = message["history"]
    desk.sessions[name] = made
    return made.whole()


def run(desk: Desk, message: dict[str, Any]) -> dict[str, Any]:
    one = live(desk, message)
    one.start(message.get("rate"), message.get("until"))
    one.tell_again()
    return {"running": True}


def pause(desk: Desk, message: dict[str, Any]) -> dict[str, Any]:
    one = live(desk, message)
    one.running = False
    one.tell_again()
    return {"running": False, "moment": one.session.moment}


def step(desk: Desk, message: dict[str, Any]) -> dict[str, Any]:
    one = live(desk, message)
    one.running = False
    one.seen = True  # whoever asks wants to see it at once
    for _ in range(message.get("count", 1)):
        before = one.session.moment
        if one.session.step() == before:
            break
        if one.grain:
            one.note()
    if not one.grain:
        one.note()
    return {"moment": one.session.moment}


def change(desk: Desk, message: dict[str, Any]) -> dict[str, Any]:
    one = live(desk, message)
    one.session.change(**parts_from(part_text(one.session.engine), message["parts"]))
    one.note()
    one.tell_again()
    return {"moment": one.session.moment}


def rewind(desk: Desk, message: dict[str, Any]) -> dict[str, Any]:
    one = live(desk, message)
    one.running = False
    one.seen = True
    one.session.rewind(message["to"], message.get("after", False))
    one.tell_again()
    return {"moment": one.session.moment}


def why(desk: Desk, message: dict[str, Any]) -> dict[str, Any]:
    one = live(desk, message)
    if Capability.TREE | Capability.REWIND not in one.session.capabilities:
        raise InputError("this search keeps no tree to explain it")
    tree = one.session.live_tree()
    node = tree.root
    for action in message.get("path", []):
        below = [child for child in node.children if number_of(child) == action]
        if not below:
            raise InputError("the tree has no such node at this moment")
        node = below[0]
    asked = node.is_expanded and not node.is_chance and one.session.moment > 0
    return {
        "moment": one.session.moment,
        "name": node.name,
        "visits": node.visits,
        "value": finite(node.value),
        "chance": bool(node.is_chance),
        "rule": part_text(tree.parts.select),
        "reasons": [tidy(reason.to_json()) for reason in reasons_of(tree, node)] if asked else [],
    }


def number_of(node: Any) -> int:
    """The action into a node, as updates have it."""
    return int(node.tree._store.nodes[node.index].action)


def tidy(reason: dict[str, Any]) -> dict[str, Any]:
    """JSON has no infinite numbers."""
    return {
        key: cleaned(value) if isinstance(value, dict) else value
        for key, value in cleaned(reason).items()
    }


def watch(desk: Desk, message: dict[str, Any]) -> dict[str, Any]:
    one = live(desk, message)
    one.nodes = message.get("nodes", one.nodes)
    one.deepest = message.get("deepest", one.deepest)
    one.every = message.get("every", one.every)
    one.tell_again()
    return {}


def seen(desk: Desk, message: dict[str, Any]) -> dict[str, Any]:
    job(desk, message).seen = True
    return {}


def close(desk: Desk, message: dict[str, Any]) -> dict[str, Any]:
    desk.sessions.pop(job(desk, message).name)
    return {}


ANSWERS = {word: globals()["open_" if word == "open" else word] for word in MESSAGES}
