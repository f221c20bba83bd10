"""What a worker answers about positions: see `ponder.explorer.messages.board`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ponder.core.position import Position
from ponder.core.registry import game_text
from ponder.core.result import plain_json

if TYPE_CHECKING:
    from ponder.explorer.worker import Desk


def board(desk: Desk, message: dict[str, Any]) -> dict[str, Any]:
    """The position that a game, a text of its own and moves lead to."""
    data = {"position": "", "moves": [], **message}
    return about(Position.from_json(data))


def about(here: Position) -> dict[str, Any]:
    """All that a page shows of a position."""
    chances = [chance for _, chance in here.chance_outcomes]
    listed = zip(here.legal_actions, here.legal_names, here.places, strict=True)
    low, high = here.rules.utilities
    return {
        "game": game_text(here.game),
        "svg": here.svg(),
        "text": str(here),
        "position": here.text(),
        "player": here.current_player,
        "players": here.players,
        "chance": here.is_chance,
        "over": here.is_terminal,
        "returns": list(here.returns),
        "range": [low, high],
        "opposed": here.players == 2 and bool(here.rules.zero_sum),
        "actions": [
            {"action": plain_json(action), "name": name, "places": places}
            | ({"chance": chances[i]} if here.is_chance else {})
            for i, (action, name, places) in enumerate(listed)
        ],
    }


ANSWERS = {"board": board}
