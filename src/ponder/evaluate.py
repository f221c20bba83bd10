"""Evaluate rules, or default policies: what is a leaf worth?"""

from ponder.learn.net import Net
from ponder.mcts.evaluate.decisive import Decisive
from ponder.mcts.evaluate.function import Function, Outside
from ponder.mcts.evaluate.mast import Mast
from ponder.mcts.evaluate.probed import Probed
from ponder.mcts.evaluate.rollout import EpsilonRollout, GameRollout, Rollout
from ponder.mcts.evaluate.static import Blend, Cutoff, Static

__all__ = [
    "Blend",
    "Cutoff",
    "Decisive",
    "EpsilonRollout",
    "Function",
    "GameRollout",
    "Mast",
    "Net",
    "Outside",
    "Probed",
    "Rollout",
    "Static",
]
