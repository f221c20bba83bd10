"""From a search to its picture: `picture_of` a session or a result, then one of the writers.

session = AlphaBeta().start(position("tree"))
session.run(depth=2)
print(outline(picture_of(session)))      # for a terminal
print(session.svg())                     # for a file
"""

from __future__ import annotations

import contextlib
import inspect
from typing import Any

from ponder.core.engine import Engine
from ponder.core.limits import Limit
from ponder.core.parts import Call, call_text, canonical, identical
from ponder.core.registry import PRESETS, game_text, load, parse_engine, part_text
from ponder.core.result import SearchResult
from ponder.core.session import Capability, Session
from ponder.errors import InputError
from ponder.show.classical import classical_picture
from ponder.show.monte_carlo import monte_carlo_picture
from ponder.show.picture import TreePicture
from ponder.show.svg import tree_svg

MOST_NODES = 48
"""Nodes of a drawing, unless told otherwise: what fits on a slide."""
LONGEST = 100
"""Letters of an engine or a game that are worth a line."""
LARGEST = 300_000
"""Nodes of a classical search whose events can be gone through in a few seconds."""
TOO_MANY = f"a drawing is made from at most {LARGEST:,} nodes, and these are more: search less deep"


def picture_of(
    session: Session[Any], most: int = MOST_NODES, step: int | None = None
) -> TreePicture:
    """The tree of a session as it is now, or as it was after `step` simulations or nodes."""
    _check(most)
    if step is not None and not 0 < step <= session.furthest:
        raise InputError(f"steps run from 1 to {session.furthest:,}, not {step}")
    engine = part_text(session.engine)
    if Capability.TREE in session.capabilities:
        if step is not None and step != session.moment:
            session = session.fork()
            session.rewind(step)
        last = None
        if Capability.EVENTS in session.capabilities and session.moment:
            events = session.events(session.moment - 1)
            last = next((e.path for e in reversed(events) if e.kind == "evaluated"), None)
        tree = session.tree()
        return titled(monte_carlo_picture(tree, most, last), engine, session.position)
    if session.moment > LARGEST:
        raise InputError(TOO_MANY)
    picture = classical_picture(session.position, session.events(), most, step)
    return titled(picture, engine, session.position)


def session_svg(session: Session[Any], most: int = MOST_NODES, step: int | None = None) -> str:
    """The drawing of a session."""
    return tree_svg(picture_of(session, most, step))


def result_svg(result: SearchResult, most: int = MOST_NODES) -> str:
    """The drawing of a result: of its tree, or of a classical search, which is run again."""
    _check(most)
    if result.tree is not None:
        picture = monte_carlo_picture(result.tree, most)
        return tree_svg(titled(picture, result.engine, result.position))
    if (result.nodes or 0) > LARGEST:
        raise InputError(TOO_MANY)
    if not result.depth:
        grown = result.simulations is not None  # in a session, which keeps the tree
        hint = ": draw the session, session.svg()" if grown else ""
        raise InputError(f"this result of {result.engine} has no tree to draw{hint}")
    engine: Engine = parse_engine(result.engine)
    session = engine.start(result.position, plan=Limit(depth=result.depth))
    session.run(depth=result.depth)
    try:
        return session_svg(session, most)
    finally:
        session.close()


def _check(most: int) -> None:
    if isinstance(most, bool) or not isinstance(most, int) or most < 1:
        raise InputError(f"a drawing takes a whole number of nodes above 0, not {most!r}")


def titled(picture: TreePicture, engine: str, position: Any) -> TreePicture:
    """The picture with the names of engine and game above it, their parameters below these."""
    engine, game = preset_text(engine), game_text(position.game)
    picture.title = " on ".join(text.partition("(")[0] for text in (engine, game))
    texts = (engine, game)
    # the picture itself says which tree it is
    telling = (t for t in texts if not t.endswith("()") and not t.startswith("tree("))
    picture.facts[:0] = [t for t in telling if len(t) <= LONGEST]
    return picture


def preset_text(engine: str) -> str:
    """The name of the preset that the engine is, with its limits, else the engine."""
    if ".py:" in engine:
        return engine
    made = parse_engine(engine)
    limits = {name: given for name, given in vars(made.limit).items() if given is not None}
    for name, target in PRESETS.items():
        preset = load(target)
        with contextlib.suppress(TypeError, InputError):  # it needs something to be given
            inspect.signature(preset).bind()
            if identical(canonical(preset(**limits)), made):
                return call_text(Call(name, (), limits)) if limits else f"{name}()"
    return engine
