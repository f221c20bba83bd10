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
    "AllChildren": "ponder.mcts.expand",
    "AlphaBeta": "ponder.search.alphabeta",
    "BestReply": "ponder.search.best_reply",
    "Blend": "ponder.mcts.evaluate.static",
    "Boltzmann": "ponder.mcts.select.drawn",
    "BookBuilder": "ponder.book.builder",
    "BookEngine": "ponder.book.engine",
    "CHANCE": "ponder.core.game",
    "CompileError": "ponder.errors",
    "Cutoff": "ponder.mcts.evaluate.static",
    "Decisive": "ponder.mcts.evaluate.decisive",
    "Discounted": "ponder.mcts.backup.discounted",
    "EnoughChildren": "ponder.mcts.expand",
    "EpsilonGreedy": "ponder.mcts.select.drawn",
    "EpsilonRollout": "ponder.mcts.evaluate.rollout",
    "Equal": "ponder.mcts.select.equal",
    "Expectiminimax": "ponder.search.expectiminimax",
    "Function": "ponder.mcts.evaluate.function",
    "GRAVE": "ponder.mcts.select.rave",
    "GameError": "ponder.errors",
    "GameRollout": "ponder.mcts.evaluate.rollout",
    "GivenPriors": "ponder.mcts.priors",
    "HighestValue": "ponder.mcts.decide",
    "IllegalAction": "ponder.errors",
    "ImplicitMinimax": "ponder.mcts.select.implicit",
    "InputError": "ponder.errors",
    "KLUCB": "ponder.mcts.select.indices",
    "Limit": "ponder.core.limits",
    "LowerBound": "ponder.mcts.decide",
    "MCTS": "ponder.mcts.search",
    "MOSS": "ponder.mcts.select.indices",
    "Mast": "ponder.mcts.evaluate.mast",
    "Max": "ponder.mcts.backup.extremes",
    "MaxN": "ponder.search.maxn",
    "MaxRobust": "ponder.mcts.decide",
    "Mean": "ponder.mcts.backup.mean",
    "Minimax": "ponder.search.minimax",
    "Mix": "ponder.mcts.backup.mix",
    "MostVisits": "ponder.mcts.decide",
    "NthVisit": "ponder.mcts.expand",
    "OneChild": "ponder.mcts.expand",
    "OrderPriors": "ponder.mcts.priors",
    "PUCT": "ponder.mcts.select.puct",
    "Paranoid": "ponder.search.paranoid",
    "PonderError": "ponder.errors",
    "Ponderer": "ponder.mcts.pondering",
    "Position": "ponder.core.position",
    "PowerMean": "ponder.mcts.backup.power",
    "Probed": "ponder.mcts.evaluate.probed",
    "Progressive": "ponder.mcts.expand",
    "ProgressiveBias": "ponder.mcts.select.bias",
    "ProgressivePruning": "ponder.mcts.select.pruning",
    "RAVE": "ponder.mcts.select.rave",
    "RandomPlayer": "ponder.search.random",
    "Recording": "ponder.mcts.recording",
    "Replay": "ponder.mcts.recording",
    "RobustMax": "ponder.mcts.backup.extremes",
    "Rollout": "ponder.mcts.evaluate.rollout",
    "RootOnly": "ponder.mcts.expand",
    "Sampled": "ponder.mcts.decide",
    "SearchResult": "ponder.core.result",
    "SearchTree": "ponder.mcts.view",
    "Secure": "ponder.mcts.decide",
    "SequentialHalving": "ponder.mcts.select.halving",
    "Solver": "ponder.mcts.backup.solver",
    "Spec": "ponder.core.game",
    "Static": "ponder.mcts.evaluate.static",
    "Strong": "ponder.mcts.strong",
    "Thompson": "ponder.mcts.select.thompson",
    "TreeMinimax": "ponder.mcts.backup.extremes",
    "UCB1": "ponder.mcts.select.ucb",
    "UCB1Spread": "ponder.mcts.select.variance",
    "UCB1Tuned": "ponder.mcts.select.variance",
    "UCBSampled": "ponder.mcts.select.drawn",
    "UCBV": "ponder.mcts.select.variance",
    "UCTDecaying": "ponder.mcts.select.decaying",
    "UniformPriors": "ponder.mcts.priors",
    "Urgency": "ponder.mcts.select.urgency",
    "alphago_style": "ponder.mcts.presets",
    "alphazero": "ponder.mcts.presets",
    "crazy_stone": "ponder.mcts.presets",
    "engine": "ponder.core.registry:parse_engine",
    "flat": "ponder.mcts.presets",
    "game": "ponder.core.registry:parse_game",
    "match": "ponder.arena.match",
    "open_book": "ponder.book.engine",
    "perft": "ponder.search.perft",
    "position": "ponder.core.start",
    "record": "ponder.core.game",
    "solve": "ponder.search.solve",
    "uct": "ponder.mcts.presets",
    "value_iteration": "ponder.search.value_iteration",
    "why": "ponder.mcts.why",
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
