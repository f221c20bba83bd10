"""Random games of tic-tac-toe in registers: the free cells are a list of four bits each.

The k-th free cell is the one that `legal_actions` would list in that place, so that the games are
those that single moves would make.
"""

import numpy as np

from ponder.core.rng import advanced, scaled
from ponder.jit import inlined, kernel


@kernel
@inlined
def has_line(stones):
    """Do three of these stones stand in a line?"""
    rows = stones & stones >> 1 & stones >> 2 & 0b001001001
    columns = stones & stones >> 3 & stones >> 6 & 0b111
    falling, rising = stones & 0b100010001, stones & 0b001010100
    return rows | columns != 0 or falling == 0b100010001 or rising == 0b001010100


@kernel
@inlined
def random_winner(own, other, player, rng):
    """Who wins when both play at random from here, the player to move having the stones `own`; -1
    for nobody."""
    cells, count = np.int64(0), np.int64(0)
    for cell in range(9):
        free = ~((own | other) >> cell) & 1
        cells |= (cell * free) << (4 * count)
        count += free
    state = rng[0]
    winner = np.int64(-1)
    while count > 0:
        state = advanced(state)
        at = 4 * scaled(state, count)
        own |= np.int64(1) << (cells >> at & 15)
        if has_line(own):
            winner = player
            break
        before = (np.int64(1) << at) - 1
        cells = cells & before | cells >> 4 & ~before
        count -= 1
        own, other, player = other, own, 1 - player
    rng[0] = state
    return winner
