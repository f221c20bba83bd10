"""What a position is worth at a glance, and how promising a move looks."""

from __future__ import annotations

from ponder.games.chess.attacks import NONE
from ponder.jit import kernel


@kernel
def assess(table, s):
    return 0.0


@kernel
def swap_score(s, a):
    return 0.0
