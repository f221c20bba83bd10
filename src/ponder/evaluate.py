"""Evaluate rules, or default policies: what is a leaf worth?"""

from ponder.learn.net import Net
from ponder.learn.net_rollout import NetRollout
from ponder.mcts.evaluate.decisive import Decisive
from ponder.mcts.evaluate.function import Function, Outside
from ponder.mcts.evaluate.rollout import EpsilonRollout, GameRollout, Mast, Rollout
from ponder.mcts.evaluate.static import Blend, Cutoff, Probed, Static

__all__ = [
    "Blend",
    "Cutoff",
    "Decisive",
    "EpsilonRollout",
    "Function",
    "GameRollout",
    "Mast",
    "Net",
    "NetRollout",
    "Outside",
    "Probed",
    "Rollout",
    "Static",
]
