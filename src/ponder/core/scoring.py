"""Utilities that many games share."""

from ponder.jit import kernel


@kernel
def share_out(winner, players, out):
    """1 for the winner and -1 shared among the others; 0 for everybody if winner < 0 (a draw)."""
    for p in range(players):
        if winner < 0:
            out[p] = 0.0
        elif winner == p:
            out[p] = 1.0
        else:
            out[p] = -1.0 / (players - 1)
