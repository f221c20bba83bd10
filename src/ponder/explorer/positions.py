"""Positions of games that a page looks at, kept so that a game grows move by move."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

from ponder.core.position import Position
from ponder.errors import IllegalAction

MOST_KEPT = 3000
_kept: OrderedDict[tuple[str, str, tuple[str, ...]], Position] = OrderedDict()
"""Positions that were looked at lately: a game grows move by move."""


def reached(message: dict[str, Any]) -> Position:
    """The position that a message's game, its beginning and its moves lead to."""
    game, origin = message["game"], message.get("position", "")
    moves = tuple(message.get("moves", ()))
    known = len(moves)
    while known and (game, origin, moves[:known]) not in _kept:
        known -= 1
    key = game, origin, moves[:known]
    if key not in _kept:
        _kept[key] = Position.from_json({"game": game, "position": origin, "moves": []})
    here = _kept[key]
    for number in range(known, len(moves)):
        try:
            here = here.play(moves[number])
        except IllegalAction as error:
            raise IllegalAction(f"move {number + 1}: {error}") from None
        _kept[game, origin, moves[: number + 1]] = here
    while len(_kept) > MOST_KEPT:
        _kept.popitem(last=False)
    return here
