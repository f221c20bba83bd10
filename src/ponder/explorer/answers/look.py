"""Looking closer at a search: see `ponder.explorer.messages.look`."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ponder.core.catalogue import describe, parameters
from ponder.core.gate import load_file
from ponder.core.hooks import hook_of
from ponder.core.parts import file_name
from ponder.core.registry import ENGINES, GAMES, PARTS, PRESETS
from ponder.core.session import Capability
from ponder.errors import InputError, PonderError
from ponder.explorer.answers.session import live, number_of

if TYPE_CHECKING:
    from ponder.core.session import Session
    from ponder.explorer.worker import Desk
    from ponder.mcts.view import TreeNode

LONGEST_LINE = 16
MOST_NAMES = 400
"""Of one node."""
MOST_GONE_THROUGH = 2_000_000
"""Nodes of a classical search that are searched again to tell what it did."""


def catalogue(desk: Desk, message: dict[str, Any]) -> dict[str, Any]:
    tables = {"game": GAMES, "engine": ENGINES, "preset": PRESETS, **PARTS}
    return {
        "kinds": {
            kind: [describe(kind, name, target) for name, target in table.items()]
            for kind, table in tables.items()
        },
        "files": [games_of(file) for file in desk.python_files()],
    }


def games_of(file: Path) -> dict[str, Any]:
    """The games in a Python file that the server was started with, or why it cannot be loaded."""
    try:
        module = load_file(file)
    except PonderError as error:
        return {"file": str(file), "games": [], "error": str(error)}
    own = [one for one in vars(module).values() if isinstance(one, type)]
    games = [
        {"name": file_name(str(file), one.__name__), "about": one.__doc__ or ""}
        | {"parameters": parameters(one) if hasattr(one, "_fields") else {}}
        for one in own
        if one.__module__ == module.__name__ and hook_of(one, "legal_actions") is not None
    ]
    return {"file": str(file), "games": games, "error": ""}


def tree_of(desk: Desk, message: dict[str, Any]) -> Any:
    """The tree of a session that has one."""
    session = live(desk, message).session
    if Capability.TREE not in session.capabilities:
        raise InputError("this search keeps no tree")
    return session.live_tree()


def names(desk: Desk, message: dict[str, Any]) -> dict[str, Any]:
    root = tree_of(desk, message).root
    return {"names": [names_after(root, path) for path in message["paths"]]}


def names_after(root: TreeNode, path: list[int]) -> dict[str, Any] | None:
    """Names (and chances) by number of the actions at a node; None if it is not in the tree."""
    node = root
    for action in path:
        below = [child for child in node.children if number_of(child) == action]
        if not below:
            return None
        node = below[0]
    children = node.children[:MOST_NAMES]
    made: dict[str, Any] = {"names": {number_of(child): child.name for child in children}}
    if node.is_chance:
        chances: dict[Any, float] = dict(node.position.chance_outcomes)
        made["chances"] = {number_of(child): chances.get(child.action) for child in children}
    return made


def lines(desk: Desk, message: dict[str, Any]) -> dict[str, Any]:
    root = tree_of(desk, message).root
    moves = sorted(root.children, key=lambda child: -child.visits)[: message.get("most", 5)]
    return {"lines": [expected_line(move) for move in moves if move.visits]}


def expected_line(move: TreeNode) -> dict[str, Any]:
    """The most visited way on from a root move."""
    names, node = [move.name], move
    while len(names) < LONGEST_LINE:
        below = max(node.children, key=lambda child: child.visits, default=None)
        if below is None or not below.visits:
            break
        names.append(below.name)
        node = below
    return {"name": move.name, "visits": move.visits, "value": move.value, "line": names}


def phases(desk: Desk, message: dict[str, Any]) -> dict[str, Any]:
    session = live(desk, message).session
    if session.unit != "simulations":
        raise InputError("only Monte Carlo searches are made of simulations")
    now = session.moment
    if not now:
        raise InputError("there is no simulation yet: make a step first")
    made = session.events(now - 1, now, reasons=True)  # type: ignore[call-arg]
    told = [event.to_json() for event in made]
    way: list[str] = next((event["path"] for event in told if event["kind"] == "evaluated"), [])
    return {"moment": now, "events": finite_only(told), "numbers": numbers_of(session, way)}


def numbers_of(session: Session[Any], way: list[str]) -> list[int]:
    """The same way by numbers of actions, as far as the tree has it."""
    node, found = session.live_tree().root, []
    for name in way:
        below = [child for child in node.children if child.name == name]
        if not below:
            break
        node = below[0]
        found.append(number_of(node))
    return found


def events(desk: Desk, message: dict[str, Any]) -> dict[str, Any]:
    session = live(desk, message).session
    if session.unit == "simulations":
        raise InputError("a Monte Carlo search is told simulation by simulation")
    if session.moment > MOST_GONE_THROUGH:
        raise InputError(
            f"{session.moment:,} nodes are too many to go through again "
            f"(at most {MOST_GONE_THROUGH:,}): go back to an earlier moment"
        )
    most, since = message.get("most", 500), message.get("since")
    if since is None:  # the last ones: every node has some
        told = session.events(max(0, session.moment - most))[-most:]
    else:
        told = session.events(since, most=most)  # type: ignore[call-arg]
    return {"moment": session.moment, "events": finite_only([one.to_json() for one in told])}


def drawing(desk: Desk, message: dict[str, Any]) -> dict[str, Any]:
    return {"svg": live(desk, message).session.svg(message.get("most", 60))}


def finite_only(data: Any) -> Any:
    """The same without infinite numbers, which JSON has not."""
    if isinstance(data, dict):
        return {key: finite_only(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [finite_only(value) for value in data]
    return None if isinstance(data, float) and not math.isfinite(data) else data


ANSWERS = {
    "catalogue": catalogue,
    "names": names,
    "lines": lines,
    "phases": phases,
    "events": events,
    "drawing": drawing,
}
