"""Asking tables from within a search: parts for kernels, see `ponder.core.tablebase`."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ponder.endgame.material import BLACK, UNKNOWN, Library, code_of
from ponder.endgame.positions import UNUSED, look_up
from ponder.games.chess.attacks import NONE, ONE, K
from ponder.games.chess.rules import LONGEST_CLOCK
from ponder.jit import kernel, lowest_bit, popcount

MOST_MEN = 4


class Scale(NamedTuple):
    """What results are worth to a search."""

    half: float  # of the utility range
    step: float  # the cost of a ply


@kernel
def worth(scale, code, me):
    """The value for `me` of a code, which is for player 0."""
    if code == 0:
        return 0.0
    value = scale.half - (abs(code) - 1) * scale.step
    return value if (code > 0) == (me == 0) else -value


class PositionsProbe(NamedTuple):
    """A table of `ponder.endgame.positions`."""

    first: Any
    second: Any
    codes: Any
    scale: Scale

    def probe(self, game, states, words, ply, me):
        code = look_up(self.first, self.second, self.codes, words, ply)
        if code == UNUSED:
            return np.nan
        return worth(self.scale, code, me)


class ChessProbe(NamedTuple):
    """Tables of `ponder.endgame.chess`."""

    library: Library
    scale: Scale

    def probe(self, game, states, words, ply, me):
        code = chess_code(self.library, states[ply])
        if code == UNKNOWN:
            return np.nan
        return worth(self.scale, code, me)


@kernel
def chess_code(library, s):
    """The code of a chess position, or UNKNOWN: too many men, castling or en passant possible,
    or so little left of the fifty moves that they could end the game first."""
    men = s.colour[0] | s.colour[1]
    if popcount(men) > MOST_MEN or s.rights != NONE or s.passant >= 0:
        return np.int64(UNKNOWN)
    first, a, second, b = 0, 0, 0, 0
    left = men & ~s.pieces[K]
    while left != NONE:
        square = lowest_bit(left)
        left &= left - ONE
        man = np.int64(s.board[square])
        if s.colour[1] & (ONE << np.uint64(square)) != NONE:
            man += BLACK
        second, b = first, a
        first, a = man, square
    wk, bk = lowest_bit(s.pieces[K] & s.colour[0]), lowest_bit(s.pieces[K] & s.colour[1])
    code = code_of(library, np.int64(s.side), wk, bk, first, a, second, b)
    if code != UNKNOWN and code != 0 and abs(code) - 1 + np.int64(s.clock) > LONGEST_CLOCK:
        return np.int64(UNKNOWN)
    return code
