"""Utilities that many games share."""

from ponder.jit import kernel


@kernel
def share_out(winner, players, out):
    """1 for the winner and -1 shared among the others; 0 for everybody if winner < 0 (a draw)."""
    others = 0.0
    if winner >= 0:  # of two, without a division: it takes longer than all the rest
        others = -1.0 if players == 2 else -1.0 / (players - 1)
    for p in range(players):
        out[p] = others
    if winner >= 0:
        out[winner] = 1.0
