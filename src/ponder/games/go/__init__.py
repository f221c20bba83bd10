"""Go: the game, its score, and game records in SGF (`ponder.games.go.sgf`)."""

from ponder.games.go.game import Go, final_score, ownership

__all__ = ["Go", "final_score", "ownership"]
