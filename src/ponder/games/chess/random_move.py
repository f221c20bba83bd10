"""One legal move, drawn uniformly without listing all of them: what random games are made of."""

import numpy as np

from ponder.core.rng import below
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
    diagonal_attacks,
    straight_attacks,
)
from ponder.games.chess.moves import (
    END_RANKS,
    allowed,
    back,
    castling_is_legal,
    castling_target,
    king_is_safe_at,
    passant_is_legal,
    pawn_targets,
)
from ponder.games.chess.tables import KING, KNIGHT, PAWN
from ponder.jit import kernel, lowest_bit, popcount


@kernel
def nth_square(squares, n):
    """The n-th square of a set, from 0."""
    for _ in range(n):
        squares &= squares - ONE
    return lowest_bit(squares)


@kernel
def draw_move(table, s, rng, chess960):
    """A move drawn uniformly from a superset of the legal moves; -1 if it was not legal.

    For a king that is not in check. The superset adds to the legal moves the king's steps into
    check, pinned pawns' moves and such en passant captures and castlings: cheap to count, seldom
    drawn. Repeated until it is legal, the draw is uniform over the legal moves.

    Piece by piece the move drawn so far is replaced with probability (moves of this piece) /
    (moves of all pieces up to this one), which needs no second pass.
    """
    side = np.int64(s.side)
    own, enemy = s.colour[side], s.colour[1 - side]
    occupied = own | enemy
    king = lowest_bit(s.pieces[K] & own)
    pawns = s.pieces[P] & own

    start, targets = king, table[KING + king] & ~own
    total = popcount(targets)
    pick = below(rng, total) if total > 0 else 0
    left = s.pieces[N] & own & ~s.pinned
    while left != NONE:
        square = lowest_bit(left)
        left &= left - ONE
        reached = table[KNIGHT + square] & ~own
        n = popcount(reached)
        total += n
        r = below(rng, total)
        if r < n:
            start, targets, pick = square, reached, r
    left = (s.pieces[B] | s.pieces[Q]) & own
    while left != NONE:
        square = lowest_bit(left)
        left &= left - ONE
        reached = diagonal_attacks(table, square, occupied) & ~own
        reached = allowed(table, s, king, square, reached)
        n = popcount(reached)
        total += n
        r = below(rng, total)
        if r < n:
            start, targets, pick = square, reached, r
    left = (s.pieces[R] | s.pieces[Q]) & own
    while left != NONE:
        square = lowest_bit(left)
        left &= left - ONE
        reached = straight_attacks(table, square, occupied) & ~own
        reached = allowed(table, s, king, square, reached)
        n = popcount(reached)
        total += n
        r = below(rng, total)
        if r < n:
            start, targets, pick = square, reached, r
    if s.rights & own != NONE:
        rooks = s.rights & own
        n = popcount(rooks)
        total += n
        r = below(rng, total)
        if r < n:
            start, targets, pick = -1, rooks, r
    if pawns != NONE:
        one, two, west, east = pawn_targets(pawns, enemy, ~occupied, side)
        ends = popcount(one & END_RANKS) + popcount(west & END_RANKS) + popcount(east & END_RANKS)
        n = popcount(one) + popcount(two) + popcount(west) + popcount(east) + 3 * ends
        takers = NONE
        if s.passant >= 0:
            takers = table[PAWN + 64 * (1 - side) + np.int64(s.passant)] & pawns
        total += n + popcount(takers)
        r = below(rng, total) if total > 0 else 0
        if r < n:
            return draw_pawn(table, s, king, side, one, two, west, east, r)
        r -= n
        if r < popcount(takers):
            start = nth_square(takers, r)
            if passant_is_legal(table, s, start, side):
                return start | (np.int64(s.passant) << 6)
            return -1
    if start < 0:
        rook = nth_square(targets, pick)
        if castling_is_legal(table, s, rook, king, side):
            return king | (castling_target(king, rook, chess960) << 6)
        return -1
    to = nth_square(targets, pick)
    if start == king and not king_is_safe_at(table, s, king, to, side):
        return -1
    return start | (to << 6)


@kernel
def draw_pawn(table, s, king, side, one, two, west, east, r):
    """The r-th pawn move: every target once (a queen on the last rank), then the other pieces."""
    base = popcount(one) + popcount(two) + popcount(west) + popcount(east)
    promotion = 4
    if r >= base:
        r -= base
        promotion = 1 + r % 3
        r //= 3
        one, two, west, east = one & END_RANKS, NONE, west & END_RANKS, east & END_RANKS
    behind, targets = back(side, -8, 8), one
    if r >= popcount(targets):
        r -= popcount(targets)
        behind, targets = back(side, -16, 16), two
        if r >= popcount(targets):
            r -= popcount(targets)
            behind, targets = back(side, -7, 9), west
            if r >= popcount(targets):
                r -= popcount(targets)
                behind, targets = back(side, -9, 7), east
    to = nth_square(targets, r)
    start = to + behind
    if allowed(table, s, king, start, bit(to)) == NONE:
        return -1
    if bit(to) & END_RANKS == NONE:
        promotion = 0
    return start | (to << 6) | (promotion << 12)
