"""Select rules, or tree policies: which child does a simulation go on to?"""

from ponder.mcts.select.allocation import OCBA
from ponder.mcts.select.drawn import Boltzmann, EpsilonGreedy, Thompson, UCBSampled
from ponder.mcts.select.gumbel import Gumbel
from ponder.mcts.select.halving import SequentialHalving
from ponder.mcts.select.heuristic import ImplicitMinimax, ProgressiveBias
from ponder.mcts.select.puct import PUCT
from ponder.mcts.select.rave import GRAVE, RAVE
from ponder.mcts.select.ucb import KLUCB, MOSS, UCB1, BestChild, Equal, UCTDecaying
from ponder.mcts.select.urgency import Urgency
from ponder.mcts.select.variance import UCBV, ProgressivePruning, UCB1Spread, UCB1Tuned

__all__ = [
    "GRAVE",
    "KLUCB",
    "MOSS",
    "OCBA",
    "PUCT",
    "RAVE",
    "UCB1",
    "UCBV",
    "BestChild",
    "Boltzmann",
    "EpsilonGreedy",
    "Equal",
    "Gumbel",
    "ImplicitMinimax",
    "ProgressiveBias",
    "ProgressivePruning",
    "SequentialHalving",
    "Thompson",
    "UCB1Spread",
    "UCB1Tuned",
    "UCBSampled",
    "UCTDecaying",
    "Urgency",
]
