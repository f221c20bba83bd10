"""The lecture's evaluation of chess with every term that it names, each with a weight:

    Eval(s) = material + mobility + king safety + centre control

    material     king (K - K') + material (9 (Q - Q') + 5 (R - R') + 3 (B - B' + N - N') + (P - P'))
    mobility     mobility (moves - moves')
    king safety  safety (pawns beside the own king - squares beside it that the other side attacks)
    centre       centre (pieces and pawns that attack one of d4, e4, d5, e5, once for each square)

each less the same for Black. Material and mobility are the lecture's, king = 10^100 included. The
other two are only named there: what they count, and their weights, are ours.

The king's term is 0 in every position: no move may leave the own king where it can be taken, so
K = K' = 1 always, and a game ends by mate, before anybody could take one. Its weight adds
10^100 times nothing. A program that looks only at pieces needs it, where kings may be taken.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from ponder.core.game import Term
from ponder.games.chess.attacks import NONE, ONE, K, P, attackers
from ponder.games.chess.evaluation import SCALE
from ponder.games.chess.lecture import LectureRules
from ponder.games.chess.tables import KING
from ponder.jit import kernel, lowest_bit, popcount, take_methods

CENTRE_SQUARES = (27, 28, 35, 36)
"""d4, e4, d5, e5."""


@kernel
def king_safety(table, s, side):
    """Own pawns beside the king less the squares beside it that the other side attacks."""
    king = lowest_bit(s.pieces[K] & s.colour[side])
    occupied = s.colour[0] | s.colour[1]
    left = table[KING + king]
    safety = popcount(left & s.pieces[P] & s.colour[side])
    while left != NONE:
        if attackers(table, s, lowest_bit(left), side, occupied) != NONE:
            safety -= 1
        left &= left - ONE
    return safety


@kernel
def centre_control(table, s, side):
    """How often this side attacks the four squares in the middle."""
    occupied = s.colour[0] | s.colour[1]
    n = 0
    for square in CENTRE_SQUARES:
        n += popcount(attackers(table, s, square, 1 - side, occupied))
    return n


class CompleteLectureRules(NamedTuple):
    """The rules of chess with every term of the lecture's evaluation."""

    table: Any
    chess960: bool
    material_weight: float
    mobility_weight: float
    king_weight: float
    safety_weight: float
    centre_weight: float

    def evaluate(self, s, out):
        pawns = self.material_weight * self.material(s)
        pawns += self.mobility_weight * self.moves_ahead(s)
        pawns += self.king_weight * self.kings_ahead(s)
        pawns += self.safety_weight * self.safety_ahead(s)
        pawns += self.centre_weight * self.centre_ahead(s)
        value = math.tanh(100.0 * pawns * SCALE)
        out[0] = value
        out[1] = -value

    def kings_ahead(self, s):
        """0: see the top of this file."""
        return popcount(s.pieces[K] & s.colour[0]) - popcount(s.pieces[K] & s.colour[1])

    def safety_ahead(self, s):
        return king_safety(self.table, s, 0) - king_safety(self.table, s, 1)

    def centre_ahead(self, s):
        return centre_control(self.table, s, 0) - centre_control(self.table, s, 1)

    def evaluate_terms(self, s: Any, player: int) -> list[Term]:
        ahead = 1 if player == 0 else -1  # what White is ahead Black is behind
        *pieces, moves = LectureRules.evaluate_terms(self, s, player)  # type: ignore[arg-type]
        return [
            Term("kings", ahead * int(self.kings_ahead(s)), self.king_weight),
            *(Term(one.name, one.value, self.material_weight * one.weight) for one in pieces),
            Term(moves.name, moves.value, self.mobility_weight),
            Term("safety of the king", ahead * int(self.safety_ahead(s)), self.safety_weight),
            Term("control of the centre", ahead * int(self.centre_ahead(s)), self.centre_weight),
        ]


take_methods(CompleteLectureRules, LectureRules)
