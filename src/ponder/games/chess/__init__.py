"""Chess: the class `Chess`, its notations and its files of games."""

from ponder.games.chess.game import Chess

__all__ = ["Chess"]
