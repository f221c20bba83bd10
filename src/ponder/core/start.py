"""`position("connect4")`: from a text to a position in one word."""

from __future__ import annotations

from typing import Any

from ponder.core.position import Position
from ponder.core.registry import parse_game


def position(game: Any, text: str = "") -> Position:
    """The position `text` of `game` (a GAME text, a game or a game class), else its start."""
    made = parse_game(game) if isinstance(game, str) else game
    made = made() if isinstance(made, type) else made
    return Position.parse(made, text) if text else Position(made)
