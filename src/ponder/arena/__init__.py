"""Engines against each other: games, openings, matches, ratings, records.

>>> from ponder.arena import match
>>> result = match("tictactoe", "mcts(simulations=50)", "random()", games=4, seed=1)
>>> result.games, result.score > 0.5
(4, True)
"""

from ponder.arena.match import match
from ponder.arena.rating import Rating, elo_of, rate
from ponder.arena.result import MatchResult
from ponder.core.engine import Player

__all__ = ["MatchResult", "Player", "Rating", "elo_of", "match", "rate"]
