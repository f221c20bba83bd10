"""Decide rules: which move does the search recommend in the end?"""

from ponder.mcts.decide import (
    HighestValue,
    Improved,
    LowerBound,
    MaxRobust,
    MostVisits,
    Sampled,
    Secure,
)

__all__ = [
    "HighestValue",
    "Improved",
    "LowerBound",
    "MaxRobust",
    "MostVisits",
    "Sampled",
    "Secure",
]
