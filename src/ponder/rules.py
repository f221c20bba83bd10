"""What rules of your own are made of: see docs/your-own-rule.md and `ponder.mcts.parts`.

`kernel` compiles a function that methods of rules call, `inlined` marks one to be compiled into its
callers, `constants` writes ``TERMS``, ``NEEDS`` ... into a class. `untried`, `highest_score` and
`movers_mean` are what the shipped select rules use, `add_squares`, `add_to_sums` and `add_amaf`
keep the fields that a rule asks for with every simulation, `variance` and `variance_below` read
them, `half_range` turns a constant for utilities
from -1 to 1 into one for any game, `below`, `uniform` and `sample` draw random numbers.
"""

from ponder.core.game import CHANCE
from ponder.core.rng import below, sample, uniform
from ponder.jit import constants, inlined, kernel
from ponder.mcts.backup.vectors import add_to_sums
from ponder.mcts.children import Account, highest_score, movers_mean, untried
from ponder.mcts.defaults import NoMemory
from ponder.mcts.select.rave import add_amaf
from ponder.mcts.select.variance import add_squares, variance, variance_below
from ponder.mcts.tree import ROOT, half_range

__all__ = [
    "CHANCE",
    "ROOT",
    "Account",
    "NoMemory",
    "add_amaf",
    "add_squares",
    "add_to_sums",
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
    "variance",
    "variance_below",
]
