"""`Score`: what a search says a move is worth, with whose point of view and in which unit."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Score:
    """A value of the move that a search has chosen.

    **Point of view**: `value` is for `player`, who is to move at the root (player 0 where chance
    moves); `pov` gives any player's. **Unit**: utilities of the game, from `lowest` to `highest`.
    In most games these are -1 for a loss and 1 for a win, with 0 for a draw. A value between is
    the mean that Monte Carlo search expects, or what the game's evaluation says; it is no number
    of pawns and no probability. `share` is the same on a scale from 0 to 1.
    """

    values: tuple[float, ...]
    """For every player."""
    player: int
    lowest: float
    highest: float

    @property
    def value(self) -> float:
        """For `player`, in utilities of the game."""
        return self.values[self.player]

    def pov(self, player: int) -> float:
        """The value for any of the players, in utilities of the game."""
        return self.values[player]

    @property
    def share(self) -> float:
        """`value` between the lowest utility there is (0) and the highest (1)."""
        return (self.value - self.lowest) / (self.highest - self.lowest)

    def __float__(self) -> float:
        return self.value

    def __str__(self) -> str:
        limits = f"from {self.lowest:g} to {self.highest:g}"
        return f"{self.value:+.3f} for player {self.player} ({limits})"
