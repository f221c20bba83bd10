"""Ponder: game-tree search for games written in plain Python.

    from ponder import MCTS, position

    start = position("connect4").play_all("4 4 3")
    result = MCTS().search(start, seconds=1)
    print(result)

Names are imported when first used, so that ``ponder --help`` answers at once.
"""

from __future__ import annotations

import importlib
from typing import Any

__version__ = "0.1.0"

_HOMES = {
    "AlphaBeta": "ponder.search.alphabeta",
    "BestReply": "ponder.search.best_reply",
    "BookBuilder": "ponder.book.builder",
    "BookEngine": "ponder.book.engine",
    "CHANCE": "ponder.core.game",
    "CompileError": "ponder.errors",
    "Expectiminimax": "ponder.search.expectiminimax",
    "GameError": "ponder.errors",
    "GameRollout": "ponder.mcts.evaluate.rollout",
    "IllegalAction": "ponder.errors",
    "InputError": "ponder.errors",
    "Limit": "ponder.core.limits",
    "MCTS": "ponder.mcts.search",
    "MaxN": "ponder.search.maxn",
    "Mean": "ponder.mcts.backup.mean",
    "Minimax": "ponder.search.minimax",
    "MostVisits": "ponder.mcts.decide",
    "Paranoid": "ponder.search.paranoid",
    "PonderError": "ponder.errors",
    "Position": "ponder.core.position",
    "RandomPlayer": "ponder.search.random",
    "Rollout": "ponder.mcts.evaluate.rollout",
    "SearchResult": "ponder.core.result",
    "Spec": "ponder.core.game",
    "UCB1": "ponder.mcts.select.ucb",
    "engine": "ponder.core.registry:parse_engine",
    "game": "ponder.core.registry:parse_game",
    "match": "ponder.arena.match",
    "open_book": "ponder.book.engine",
    "perft": "ponder.search.perft",
    "position": "ponder.core.start",
    "record": "ponder.core.game",
    "solve": "ponder.search.solve",
    "uct": "ponder.mcts.presets",
    "value_iteration": "ponder.search.value_iteration",
}

__all__ = sorted(_HOMES)  # noqa: PLE0605


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'ponder' has no attribute {name!r}")
    home, _, attribute = _HOMES[name].partition(":")
    value = getattr(importlib.import_module(home), attribute or name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
