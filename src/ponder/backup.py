"""Backup rules: what is a node worth, given what lies below it?"""

from ponder.mcts.backup.extremes import Max, RobustMax, TreeMinimax
from ponder.mcts.backup.mean import Mean
from ponder.mcts.backup.means import Discounted, PowerMean
from ponder.mcts.backup.mix import Mix
from ponder.mcts.backup.solver import Solver

__all__ = ["Discounted", "Max", "Mean", "Mix", "PowerMean", "RobustMax", "Solver", "TreeMinimax"]
