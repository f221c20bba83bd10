"""First-play urgency for PUCT: what is a child worth that was never visited?"""

from ponder.mcts.select.puct import Constant, Loss, Reduction

__all__ = ["Constant", "Loss", "Reduction"]
