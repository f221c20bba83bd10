"""Whose values a drawing shows: one point of view for all nodes."""

from __future__ import annotations

from typing import NamedTuple

from ponder.core.game import CHANCE
from ponder.core.position import Position
from ponder.show.picture import Form, number_text


class View(NamedTuple):
    """How values of a game are told."""

    players: int
    opposed: bool
    """Two players, and what one gains the other loses: values are player 0's."""
    lowest: float
    highest: float

    @staticmethod
    def of(position: Position) -> View:
        rules = position.for_kernels().rules
        opposed = rules.players == 2 and bool(rules.zero_sum)
        return View(rules.players, opposed, float(rules.spec.lowest), float(rules.spec.highest))

    def first(self, value: float, player: int) -> float:
        """A value of `player` as player 0's, where the two are opposed; else as it is."""
        if self.opposed and player == 1:
            return self.lowest + self.highest - value  # what one gains the other loses
        return value

    def texts(self, values: tuple[float, ...]) -> tuple[str, ...]:
        """The values of all players as they are shown."""
        shown = values[:1] if self.opposed else values
        return tuple(map(number_text, shown))

    def tint(self, value: float) -> float:
        """0 for the lowest utility of the game, 1 for the highest."""
        width = self.highest - self.lowest
        return min(1.0, max(0.0, (value - self.lowest) / width)) if width > 0 else 0.5

    def form(self, position: Position, maximiser: int | None = None) -> tuple[Form, str]:
        """How the node of a position looks, and what is written inside.

        `maximiser`: the one player for whom a search of many maximises, against all others.
        """
        player = position.current_player
        if position.is_terminal:
            return Form.LEAF, ""
        if player == CHANCE:
            return Form.CHANCE, ""
        if self.players <= 2 and (self.opposed or self.players == 1):
            return (Form.MAX if player == 0 else Form.MIN), ""
        if maximiser is not None:
            return (Form.MAX if player == maximiser else Form.MIN), str(player)
        return Form.PLAYER, str(player)
