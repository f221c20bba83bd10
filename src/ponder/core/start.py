"""`game`, `engine` and `position`: from a text of the caller's own program to what it means.

Such a text may name Python files, which are run: `ponder.core.gate`.
"""

from __future__ import annotations

from typing import Any, Protocol

from ponder.core.engine import Engine, checked_engine
from ponder.core.game import Spec
from ponder.core.gate import name_files
from ponder.core.position import Position
from ponder.core.registry import parse_engine, parse_game


class CompiledGame(Protocol):
    """A named tuple whose rules compile: `ponder.core.game`."""

    def spec(self) -> Spec:
        """What the game declares."""


class PlainGame(Protocol):
    """Any object with these methods: `ponder.core.plain`. A state is what its author chose."""

    def start(self) -> Any: ...
    def current_player(self, state: Any, /) -> int: ...
    def legal_actions(self, state: Any, /) -> Any: ...
    def apply_action(self, state: Any, action: Any, /) -> Any: ...
    def is_terminal(self, state: Any, /) -> bool: ...
    def returns(self, state: Any, /) -> Any: ...


Game = CompiledGame | PlainGame


def game(text: str) -> Game:
    """The game that a GAME text names."""
    name_files(text)
    made: Game = parse_game(text)
    return made


def engine(text: str) -> Engine:
    """The engine that a SPEC text names."""
    name_files(text)
    return checked_engine(parse_engine(text))


def position(game: Game | type[CompiledGame] | type[PlainGame] | str, text: str = "") -> Position:
    """The position `text` of `game` (a GAME text, a game or a game class), else its start."""
    if isinstance(game, str):
        name_files(game)
    made: Any = parse_game(game) if isinstance(game, str) else game
    made = made() if isinstance(made, type) else made
    return Position.parse(made, text) if text else Position(made)
