"""What an action and a game are to a type checker. (To Ponder a game is what keeps the contract of
`ponder.core.game` or `ponder.core.plain`; `ponder check` tests that.)"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from enum import Enum
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, SupportsIndex, TypeAlias

if TYPE_CHECKING:
    from ponder.core.game import Spec


class DataclassInstance(Protocol):
    """An object of any dataclass."""

    __dataclass_fields__: ClassVar[dict[str, Any]]


Action: TypeAlias = (
    SupportsIndex
    | float
    | str
    | bytes
    | tuple[object, ...]
    | frozenset[object]
    | Enum
    | DataclassInstance
)
"""A number in compiled games; in plain ones anything that can be hashed. Type checkers cannot say
"anything hashable but None", which is a frequent slip (``play(result.action)``): of classes of
one's own they accept NamedTuples, dataclasses and enumerations."""


class CompiledGame(Protocol):
    """A NamedTuple with the rules as methods, or with `rules` that has them."""

    def spec(self) -> Spec: ...


class PlainGame(Protocol):
    """A game of plain Python. Its states are any objects, which only the game itself looks at:
    their type is `Any`."""

    def start(self) -> Any: ...
    def current_player(self, state: Any, /) -> int: ...
    def legal_actions(self, state: Any, /) -> Iterable[Hashable]: ...
    def apply_action(self, state: Any, action: Any, /) -> Any: ...
    def is_terminal(self, state: Any, /) -> object: ...
    def returns(self, state: Any, /) -> Iterable[float]: ...


Game: TypeAlias = CompiledGame | PlainGame


def as_number(action: Action | None) -> int:
    """An action of a compiled game as the number that it is."""
    number: Any = action
    return int(number)
