"""The evaluation function of a lecture (Tsinghua's, after AIMA), in pawns:

    9 (Q - Q') + 5 (R - R') + 3 (B - B' + N - N') + (P - P') + 0.1 (moves - moves')

where moves are the legal moves that White would have, moves' those of Black, were it their turn.
(Its terms for the safety of the king and the centre are not spelt out there, and the king is never
taken.) It becomes a utility as the usual evaluation does: 4 pawns are odds of 10 : 1.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ponder.core.game import Term
from ponder.games.chess.attacks import (
    NONE,
    ONE,
    B,
    K,
    N,
    P,
    Q,
    R,
    bit,
)
from ponder.games.chess.evaluation import SCALE, piece_attacks
from ponder.games.chess.moves import (
    END_RANKS,
    allowed,
    back,
    castling_is_legal,
    evasion_mask,
    king_is_safe_at,
    passant_is_legal,
    pawn_targets,
)
from ponder.games.chess.rules import ChessRules
from ponder.games.chess.tables import KING, PAWN
from ponder.games.chess.terms import KINDS
from ponder.jit import kernel, lowest_bit, popcount

WORTH = (0, 1, 3, 3, 5, 9, 0)
"""In pawns, by kind: - P N B R Q K."""
MOBILITY = 0.1


@kernel
def count_pawns(table, s, king, targets, behind):
    """How many pawn moves lead to the targets: four where the pawn is promoted."""
    n = 0
    while targets != NONE:
        to = lowest_bit(targets)
        targets &= targets - ONE
        if allowed(table, s, king, to + behind, bit(to)) != NONE:
            n += 4 if bit(to) & END_RANKS != NONE else 1
    return n


@kernel
def count_pieces(table, s, king, side, mask):
    """How many moves knights, bishops, rooks and queens have to the squares of the mask."""
    own = s.colour[side]
    occupied = own | s.colour[1 - side]
    n = 0
    left = own & ~s.pieces[P] & ~s.pieces[K]
    while left != NONE:
        square = lowest_bit(left)
        left &= left - ONE
        reached = piece_attacks(table, square, np.int64(s.board[square]), occupied)
        n += popcount(allowed(table, s, king, square, reached & mask & ~own))
    return n


@kernel
def count_moves(table, s):
    """How many legal moves the side to move has: as `generate`, which lists them."""
    side = np.int64(s.side)
    own, enemy = s.colour[side], s.colour[1 - side]
    king = lowest_bit(s.pieces[K] & own)
    n = 0
    targets = table[KING + king] & ~own
    while targets != NONE:
        if king_is_safe_at(table, s, king, lowest_bit(targets), side):
            n += 1
        targets &= targets - ONE
    if s.checkers != NONE and s.checkers & (s.checkers - ONE) != NONE:
        return n  # two checks at once: only the king can help
    mask = evasion_mask(table, s, king)
    n += count_pieces(table, s, king, side, mask)
    pawns = s.pieces[P] & own
    one, two, west, east = pawn_targets(pawns, enemy, ~(own | enemy), side)
    n += count_pawns(table, s, king, one & mask, back(side, -8, 8))
    n += count_pawns(table, s, king, two & mask, back(side, -16, 16))
    n += count_pawns(table, s, king, west & mask, back(side, -7, 9))
    n += count_pawns(table, s, king, east & mask, back(side, -9, 7))
    if s.passant >= 0:
        left = table[PAWN + 64 * (1 - side) + np.int64(s.passant)] & pawns
        while left != NONE:
            if passant_is_legal(table, s, lowest_bit(left), side):
                n += 1
            left &= left - ONE
    if s.checkers == NONE:
        left = s.rights & own
        while left != NONE:
            if castling_is_legal(table, s, lowest_bit(left), king, side):
                n += 1
            left &= left - ONE
    return n


class LectureRules(ChessRules):
    """The rules of chess with the lecture's evaluation."""

    def evaluate(self, s, out):
        value = math.tanh(100.0 * self.pawns(s) * SCALE)
        out[0] = value
        out[1] = -value

    def evaluate_terms(self, s: Any, player: int) -> list[Term]:
        counts = {
            kind: popcount(s.pieces[kind] & s.colour[player])
            - popcount(s.pieces[kind] & s.colour[1 - player])
            for kind in KINDS
        }
        state = s.copy()  # the moves of the other are counted on it
        moves = int(count_moves(self.table, state)) - int(self.moves_of_the_other(state))
        return [
            *(Term(KINDS[kind], counts[kind], float(WORTH[kind])) for kind in (Q, R, B, N, P)),
            Term("legal moves", moves if s.side == player else -moves, MOBILITY),
        ]

    def squash(self, s: Any, player: int, score: float) -> float:
        """Pawns as an expected utility."""
        return math.tanh(100.0 * score * SCALE)

    def pawns(self, s):
        """What White is ahead, in pawns."""
        return self.material(s) + MOBILITY * self.moves_ahead(s)

    def material(self, s):
        """What White's pieces are worth more, in pawns."""
        material = 0
        for kind in range(P, K):
            ours, theirs = s.pieces[kind] & s.colour[0], s.pieces[kind] & s.colour[1]
            material += WORTH[kind] * (popcount(ours) - popcount(theirs))
        return material

    def moves_ahead(self, s):
        """How many more legal moves White has, or would have, than Black."""
        moves = count_moves(self.table, s)
        others = self.moves_of_the_other(s)
        return moves - others if s.side == 0 else others - moves

    def moves_of_the_other(self, s):
        """The moves that the side not to move would have; s is as it was in the end."""
        passant, checkers, pinned = s.passant, s.checkers, s.pinned
        s.side = 1 - s.side
        s.passant = -1
        self.find_checks(s)
        n = count_moves(self.table, s)
        s.side = 1 - s.side
        s.passant = passant
        s.checkers = checkers
        s.pinned = pinned
        return n
