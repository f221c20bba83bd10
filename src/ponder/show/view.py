"""Whose values a drawing shows: one point of view for all nodes."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from ponder.core.game import CHANCE
from ponder.core.position import Position
from ponder.show.picture import Form, number_text, window_text

REASONS = {
    "table": "the table knows it",
    "null move": "even passing is good enough",
    "star1": "no outcome to come changes it",
    "star2": "one move after each outcome settles it",
    "shallow": "the player above has better",
    "best possible": "nothing is better",
}
"""Why the rest is not looked at, where it is not the window."""

SIGNS = {"upper": "≤", "lower": "≥", "exact": ""}


class View(NamedTuple):
    """How values of a game are told."""

    players: int
    opposed: bool
    """Two players, and what one gains the other loses: values are one player's, player 0's
    unless another chair is taken."""
    lowest: float
    highest: float
    chair: int = 0
    """From whose chair: of two opposed players, the one whose values are shown."""

    @staticmethod
    def of(position: Position, chair: int = 0) -> View:
        rules = position.for_kernels().rules
        opposed = rules.players == 2 and bool(rules.zero_sum)
        low, high = float(rules.spec.lowest), float(rules.spec.highest)
        return View(rules.players, opposed, low, high, chair if opposed else 0)

    def seen(self, value: float, player: int) -> float:
        """A value of `player` as seen from the chair, where the two are opposed; else as it is."""
        if self.opposed and player != self.chair:
            return self.lowest + self.highest - value  # what one gains the other loses
        return value

    def texts(self, values: tuple[float, ...]) -> tuple[str, ...]:
        """The values of all players as they are shown."""
        shown = (values[self.chair],) if self.opposed else values
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
            return (Form.MAX if player == self.chair else Form.MIN), ""
        if maximiser is not None:
            return (Form.MAX if player == maximiser else Form.MIN), str(player)
        return Form.PLAYER, str(player)


class Perspective(NamedTuple):
    """Events tell values of the player to move at the root (`viewer`); drawings those of MAX, or
    of whoever sits in the chair."""

    view: View
    viewer: int

    @staticmethod
    def of(position: Position, chair: int = 0) -> Perspective:
        return Perspective(View.of(position, chair), max(position.current_player, 0))

    @property
    def turned(self) -> bool:
        """Are the values of events the other player's?"""
        return self.view.opposed and self.viewer != self.view.chair

    def value(self, facts: dict[str, Any]) -> float:
        """The value of an event that has one for the player at the root."""
        return self.view.seen(facts["value"], self.viewer)

    def value_text(self, facts: dict[str, Any]) -> str:
        """The value of an event, with a sign where it is a bound."""
        bound = facts.get("bound", "exact")
        if self.turned:  # what bounds the one from above ...
            bound = {"upper": "lower", "lower": "upper"}.get(bound, bound)  # ... the other below
        return SIGNS[bound] + number_text(self.value(facts))

    def window(self, facts: dict[str, Any]) -> tuple[float, float]:
        """The window at a node, as seen from the chair."""
        alpha, beta = facts.get("alpha", -math.inf), facts.get("beta", math.inf)
        if self.turned:  # the other one's: ends change places
            return self.view.seen(beta, self.viewer), self.view.seen(alpha, self.viewer)
        return alpha, beta

    def window_text(self, facts: dict[str, Any]) -> str:
        return window_text(*self.window(facts))

    def reason(self, cut: dict[str, Any]) -> str:
        """Why the rest was left out. A MIN node lowers beta to its value, a MAX node raises
        alpha: the window is empty when beta <= alpha."""
        if cut["reason"] != "window":
            return f"cut: {REASONS[cut['reason']]}"
        return "cut, β ≤ α: {} ≤ {}".format(*self.emptied(cut))

    def emptied(self, cut: dict[str, Any]) -> tuple[str, str]:
        """Beta and alpha of a window that a cut has found empty."""
        (alpha, beta), value = self.window(cut), self.value(cut)
        low, high = (value, alpha) if value <= alpha else (beta, value)
        return number_text(low), number_text(high)
