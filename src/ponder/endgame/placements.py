"""All placements of a few pieces of checkers, to begin a table from."""

from __future__ import annotations

from typing import Any

import numpy as np

from ponder.core.game import new_states, rules_of
from ponder.errors import InputError
from ponder.games.checkers.rules import Checkers
from ponder.jit import U, kernel

SQUARES = 32
MOST_PIECES = 3


@kernel
def write_placements(game, pieces, states, count_only):
    """Write every position with so many pieces, both sides having one at least; how many.

    Squares ascend, so that each set of pieces comes once. No man stands on his last row.
    """
    n = 0
    kinds = 1 << pieces
    for number in range(SQUARES**pieces * kinds * kinds * 2):
        player = number & 1
        owners = (number >> 1) % kinds
        crowned = (number >> 1) // kinds % kinds
        places = (number >> 1) // (kinds * kinds)
        if owners == 0 or owners == kinds - 1:
            continue
        good = True
        before = -1
        for i in range(pieces):
            square = places >> (5 * (pieces - 1 - i)) & 31
            last_row = square < 4 if owners >> i & 1 else square >= 28
            good = good and square > before and (crowned >> i & 1 or not last_row)
            before = square
        if not good:
            continue
        if not count_only:
            s = states[n]
            for i in range(pieces):
                square = places >> (5 * (pieces - 1 - i)) & 31
                bit = U(1) << U(square + (square >> 3))
                s.pieces[owners >> i & 1] |= bit
                if crowned >> i & 1:
                    s.kings |= bit
            s.player = player
            s.jumper = -1
            s.winner = -1
            if not game.can_move(s):
                s.winner = 1 - player
        n += 1
    return n


def checkers_placements(pieces: int) -> Any:
    """The records of all positions with 2 to `pieces` pieces."""
    if not 2 <= pieces <= MOST_PIECES:
        raise InputError(f"pieces must be 2 to {MOST_PIECES}, not {pieces}")
    game, dtype = rules_of(Checkers()), Checkers().spec().state
    parts = []
    for count in range(2, pieces + 1):
        n = write_placements(game, count, new_states(dtype, 1), True)
        states = new_states(dtype, n)
        write_placements(game, count, states, False)
        parts.append(states)
    return np.concatenate(parts).view(np.recarray)
