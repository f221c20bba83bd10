"""Checkers (English draughts): `rules` is the game, `fen` its positions as text."""

from ponder.games.checkers.rules import Checkers

__all__ = ["Checkers"]
