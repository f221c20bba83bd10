"""Random games of Hex, faster than move by move: for most of a game nobody looks for a winner.

Of 121 cells a random game fills 107 before its winner is found, and hardly one ends before 80. So
the first moves are only drawn; then the stones of both players become rows of bits, what each has
joined with his first side is found by a flood fill, and from there on every move is looked at.

The scratch space `work` holds four boards of `size` rows, one bit a cell: the stones of Black and
of White (columns are White's rows: his sides are left and right), then of each those that are
joined with his first side.
"""

import numpy as np

from ponder.core.rng import advanced, scaled
from ponder.jit import kernel

BLIND = 0.75
"""The share of the cells that is filled before anybody looks."""
SMALLEST = 5
"""On smaller boards the scratch space is too small."""
MARK = 32
"""On a stone that was drawn while nobody looked."""


@kernel
def draw_blindly(cells, place_of, count, player, n, state):
    """Put n stones on random free cells, in turns from `player` on; the generator's new state.

    A stone tells nothing of its sides. Cells are drawn as `random_action` draws them.
    """
    own = np.int64(1) << player
    while n > 0:
        state = advanced(state)
        at = place_of[scaled(state, count)]
        # No branches: whether a cell is free cannot be guessed.
        free = np.int64(cells[at] == 0)
        cells[at] |= (own | MARK) * free
        own ^= 3 * free
        n -= free
    return state


@kernel
def take_back(cells):
    """Take away the stones that were put blindly."""
    for i in range(cells.size):
        if cells[i] & MARK:
            cells[i] = 0


@kernel
def lay_out(cells, size, work):
    """The stones of both players as rows of bits."""
    for i in range(2 * size):
        work[i] = 0
    for row in range(size):
        first = (row + 1) * (size + 2) + 1
        black = np.int64(0)
        for column in range(size):
            v = np.int64(cells[first + column])
            black |= (v & 1) << column
            work[size + column] |= (v >> 1 & 1) << row
        work[row] = black


@kernel
def filled(seeds, row):
    """The stones of a row that are joined with the seeds, which are some of them."""
    # A sum carries from each seed to the upper end of its run of stones.
    seeds |= ((row + seeds) ^ row) & row
    for step in (1, 2, 4, 8, 16):
        seeds |= row & (seeds >> step)
        row &= row >> step
    return seeds


@kernel
def flood(work, size, player):
    """Find all stones that are joined with the player's first side; does one touch the other?"""
    stones, joined = player * size, (2 + player) * size
    news = True
    while news:
        news = False
        for row in range(1, size):
            above = np.int64(work[joined + row - 1])
            news |= enter(work, stones + row, joined + row, above | above >> 1)
        if work[joined + size - 1] != 0:
            return True
        for row in range(size - 2, 0, -1):
            below = np.int64(work[joined + row + 1])
            news |= enter(work, stones + row, joined + row, below | below << 1)
    return False


@kernel
def enter(work, stones, joined, reach):
    """Join the stones of a row that `reach` touches, with all beside them; were there new ones?"""
    row, known = np.int64(work[stones]), np.int64(work[joined])
    seeds = reach & row & ~known
    if seeds == 0:
        return False
    work[joined] = filled(known | seeds, row)
    return True


@kernel
def flood_anew(work, size, player):
    """`flood` from the stones on the player's first row."""
    joined = (2 + player) * size
    work[joined] = work[player * size]
    for row in range(1, size):
        work[joined + row] = 0
    return flood(work, size, player)


@kernel
def wins_at(work, size, player, row, column):
    """Put a stone (rows of White are columns) and join what it touches; does it win?"""
    stones, joined = player * size, (2 + player) * size
    bit = np.int64(1) << column
    work[stones + row] |= bit
    if row > 0:
        here, above = np.int64(work[joined + row]), np.int64(work[joined + row - 1])
        around = here << 1 | here >> 1 | above | above >> 1
        if row < size - 1:
            below = np.int64(work[joined + row + 1])
            around |= below | below << 1
        if around & bit == 0:
            return False
    work[joined + row] = filled(np.int64(work[joined + row]) | bit, np.int64(work[stones + row]))
    return flood(work, size, player)


@kernel
def random_winner(cells, place_of, size, player, moves, rng, work):
    """The winner after the moves that `random_action` would draw, in a game `moves` stones old.

    `rng` is left where the last of those moves leaves it, the board is worthless. -1 if the caller
    must look at every move: then nothing has changed.
    """
    count = size * size
    blind = int(BLIND * count) - moves
    if size < SMALLEST or blind <= 0:
        return np.int64(-1)
    state = draw_blindly(cells, place_of, count, player, blind, rng[0])
    lay_out(cells, size, work)
    if flood_anew(work, size, 0) or flood_anew(work, size, 1):
        take_back(cells)  # somebody has won on the way, nobody knows when
        return np.int64(-1)
    mover = player ^ (blind & 1)
    while True:
        state = advanced(state)
        a = scaled(state, count)
        at = place_of[a]
        if cells[at] == 0:
            cells[at] = MARK
            row = at // (size + 2) - 1
            column = at - (row + 1) * (size + 2) - 1
            if mover == 1:
                row, column = column, row
            if wins_at(work, size, mover, row, column):
                rng[0] = state
                return np.int64(mover)
            mover ^= 1
