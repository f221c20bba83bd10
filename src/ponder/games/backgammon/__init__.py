"""Backgammon: read `game` (the class), then `plays` (what may be played), then `text`."""

from ponder.games.backgammon.game import Backgammon

__all__ = ["Backgammon"]
