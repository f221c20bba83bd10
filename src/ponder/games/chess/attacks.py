"""Which squares a piece attacks, and which pieces attack a square.

Sliding pieces, by one line at a time: of the blockers above the square only the lowest counts and
``b ^ (b - 1)`` covers everything up to it; of those below only the highest counts. No large table
is needed, so everything stays in the first-level cache.
"""

from ponder.games.chess.tables import KING, KNIGHT, LINES, PAWN
from ponder.jit import U, highest_bit, kernel, wrap_subtract

# Kinds of pieces, as `board` and `pieces` of the state number them; 0 is an empty square.
EMPTY, P, N, B, R, Q, K = 0, 1, 2, 3, 4, 5, 6

ALL = U(0xFFFFFFFFFFFFFFFF)
NONE = U(0)
ONE = U(1)


@kernel
def bit(square):
    """The set that holds this square alone."""
    return ONE << U(square)


@kernel
def along(below, above, occupied):
    """Attacks on one line, given its squares below and above the piece."""
    high = above & occupied
    low = below & occupied
    up = above & (high ^ wrap_subtract(high, ONE))
    return up | (below & (ALL << U(highest_bit(low | ONE))))


@kernel
def straight_attacks(table, square, occupied):
    """What a rook attacks."""
    i = LINES + 8 * square
    return along(table[i], table[i + 1], occupied) | along(table[i + 2], table[i + 3], occupied)


@kernel
def diagonal_attacks(table, square, occupied):
    """What a bishop attacks."""
    i = LINES + 8 * square
    return along(table[i + 4], table[i + 5], occupied) | along(table[i + 6], table[i + 7], occupied)


@kernel
def attackers(table, s, square, side, occupied):
    """The pieces of the other side that attack `square` of `side`, if `occupied` is occupied."""
    pieces = s.pieces
    found = table[KNIGHT + square] & pieces[N]
    found |= table[KING + square] & pieces[K]
    found |= table[PAWN + 64 * side + square] & pieces[P]
    found |= straight_attacks(table, square, occupied) & (pieces[R] | pieces[Q])
    found |= diagonal_attacks(table, square, occupied) & (pieces[B] | pieces[Q])
    return found & s.colour[1 - side]
