"""`game`, `engine` and `position`: from a text of the caller's own program to what it means.

Such a text may name Python files, which are run: `ponder.core.gate`.
"""

from __future__ import annotations

from typing import Any

from ponder.core.engine import Engine, checked_engine
from ponder.core.gate import name_files
from ponder.core.position import Position
from ponder.core.protocols import Game
from ponder.core.registry import parse_engine, parse_game


def game(text: str) -> Game:
    """The game that a GAME text names."""
    name_files(text)
    made: Game = parse_game(text)
    return made


def engine(text: str) -> Engine:
    """The engine that a SPEC text names."""
    name_files(text)
    return checked_engine(parse_engine(text))


def position(game: str | Game | type[Game], text: str = "") -> Position:
    """The position `text` of `game` (a GAME text, a game or a game class), else its start."""
    if isinstance(game, str):
        name_files(game)
    made: Any = parse_game(game) if isinstance(game, str) else game
    made = made() if isinstance(made, type) else made
    return Position.parse(made, text) if text else Position(made)
