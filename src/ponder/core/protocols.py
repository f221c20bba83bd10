"""What an action and a game are to a type checker. (To Ponder a game is what keeps the contract of
`ponder.core.game` or `ponder.core.plain`; `ponder check` tests that.)"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

if TYPE_CHECKING:
    from ponder.core.game import Spec


class Action(Protocol):
    """A number in compiled games, anything hashable in plain ones; not None, which mypy refuses
    because `__eq__` is asked for as well."""

    def __hash__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...


class CompiledGame(Protocol):
    """A NamedTuple with the rules as methods, or with `rules` that has them."""

    def spec(self) -> Spec: ...


class PlainGame(Protocol):
    """A game of plain Python. Its states are any objects, which only the game itself looks at:
    their type is `Any`."""

    def start(self) -> Any: ...
    def current_player(self, state: Any, /) -> int: ...
    def legal_actions(self, state: Any, /) -> Iterable[Action]: ...
    def apply_action(self, state: Any, action: Any, /) -> Any: ...
    def is_terminal(self, state: Any, /) -> object: ...
    def returns(self, state: Any, /) -> Iterable[float]: ...


Game: TypeAlias = CompiledGame | PlainGame


def as_number(action: Action | None) -> int:
    """An action of a compiled game as the number that it is."""
    number: Any = action
    return int(number)
