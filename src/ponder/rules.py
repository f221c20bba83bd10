"""What rules of your own are made of: see docs/your-own-rule.md and `ponder.mcts.parts`.

`kernel` compiles a function that methods of rules call, `inlined` marks one to be compiled into its
callers, `constants` writes ``TERMS``, ``NEEDS`` ... into a class. `untried`, `highest_score` and
`movers_mean` are what the shipped select rules use, `half_range` turns a constant for utilities
from -1 to 1 into one for any game, `below`, `uniform` and `sample` draw random numbers.
"""

from ponder.core.game import CHANCE
from ponder.core.rng import below, sample, uniform
from ponder.jit import constants, inlined, kernel
from ponder.mcts.children import Account, highest_score, movers_mean, untried
from ponder.mcts.defaults import NoMemory
from ponder.mcts.tree import ROOT, half_range

__all__ = [
    "CHANCE",
    "ROOT",
    "Account",
    "NoMemory",
    "below",
    "constants",
    "half_range",
    "highest_score",
    "inlined",
    "kernel",
    "movers_mean",
    "sample",
    "uniform",
    "untried",
]
