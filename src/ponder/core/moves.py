"""`Move`, an action together with its name, and `Outcome`, how a game has ended."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ponder.core.protocols import Action

if TYPE_CHECKING:
    from ponder.core.position import Position


@dataclass(frozen=True, slots=True)
class Move:
    """An action in the position where it is played, so that it knows its name.

    `Position.play` takes it as it takes an action or a name. Moves are equal if their actions are.
    """

    action: Action
    """What the game's own methods call it: a number in compiled games."""
    position: Position = field(repr=False, compare=False)
    """Where it is played."""

    @property
    def name(self) -> str:
        """The move in the game's own notation."""
        return self.position.action_name(self.action)

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game has ended."""

    returns: tuple[float, ...]
    """One utility for each player."""

    @property
    def winner(self) -> int | None:
        """The player with a higher utility than every other; None after a draw, where several
        share the highest one, and in games of one player."""
        best = max(self.returns)
        if len(self.returns) < 2 or self.returns.count(best) > 1:
            return None
        return self.returns.index(best)
