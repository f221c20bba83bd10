"""Priors for expand rules: how likely is each child the best one, before any visit?"""

from ponder.mcts.priors import GivenPriors, OrderPriors, UniformPriors

__all__ = ["GivenPriors", "OrderPriors", "UniformPriors"]
