"""Ready-made searches by their names in the literature."""

from __future__ import annotations

from ponder.mcts.search import MCTS
from ponder.mcts.select.ucb import UCB1


def uct(c: float = 2.0, **options: object) -> MCTS:
    """UCT (Kocsis & Szepesvari 2006): UCB1, random rollouts, mean backup, most visits."""
    return MCTS(select=UCB1(c), **options)  # type: ignore[arg-type]
