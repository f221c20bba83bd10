"""Backup rules: what is a node worth, given what lies below it?"""

from ponder.mcts.backup.mean import Mean
from ponder.mcts.backup.negamax import Negamax
from ponder.mcts.backup.operators import Discounted, Max, Mix, PowerMean, RobustMax, TreeMinimax
from ponder.mcts.backup.solver import Solver

__all__ = [
    "Discounted",
    "Max",
    "Mean",
    "Mix",
    "Negamax",
    "PowerMean",
    "RobustMax",
    "Solver",
    "TreeMinimax",
]
