"""Ready-made searches by their names in the literature."""

from ponder.learn.presets import alphazero
from ponder.mcts.presets import alphago_style, crazy_stone, flat, uct, uct_search
from ponder.search.alphabeta import plain_alphabeta

__all__ = [
    "alphago_style",
    "alphazero",
    "crazy_stone",
    "flat",
    "plain_alphabeta",
    "uct",
    "uct_search",
]
