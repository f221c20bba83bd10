"""Decide rules: which move does the search recommend in the end?"""

from ponder.mcts.decide import HighestValue, LowerBound, MaxRobust, MostVisits, Sampled, Secure

__all__ = ["HighestValue", "LowerBound", "MaxRobust", "MostVisits", "Sampled", "Secure"]
