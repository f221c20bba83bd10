"""Legal moves, generated legal at once: checkers and pinned pieces are known in every state.

An action is ``from | to << 6 | promotion << 12`` with promotion 0 (none) or 1 to 4 for knight,
bishop, rook, queen. Castling is the king's move of two squares, in Chess960 the king's move onto
its own rook (as UCI writes it).
"""

import numpy as np

from ponder.games.chess.attacks import (
    ALL,
    NONE,
    ONE,
    B,
    K,
    N,
    P,
    Q,
    R,
    attackers,
    bit,
    diagonal_attacks,
    straight_attacks,
)
from ponder.games.chess.tables import BETWEEN, KING, KNIGHT, LINE, PAWN
from ponder.jit import U, kernel, lowest_bit

NOT_A = U(0xFEFEFEFEFEFEFEFE)
NOT_H = U(0x7F7F7F7F7F7F7F7F)
RANK_3, RANK_6 = U(0x0000000000FF0000), U(0x0000FF0000000000)
END_RANKS = U(0xFF000000000000FF)


@kernel
def pawn_targets(pawns, enemy, empty, side):
    """Where pawns go: single steps, double steps, captures towards the a- and the h-file."""
    if side == 0:
        one = (pawns << U(8)) & empty
        two = ((one & RANK_3) << U(8)) & empty
        west = ((pawns & NOT_A) << U(7)) & enemy
        east = ((pawns & NOT_H) << U(9)) & enemy
    else:
        one = (pawns >> U(8)) & empty
        two = ((one & RANK_6) >> U(8)) & empty
        west = ((pawns & NOT_A) >> U(9)) & enemy
        east = ((pawns & NOT_H) >> U(7)) & enemy
    return one, two, west, east


@kernel
def back(side, white, black):
    """How far behind its target a pawn came from, White's first."""
    return white if side == 0 else black


@kernel
def king_is_safe_at(table, s, king, to, side):
    """May the king step to `to`? It does not hide behind itself."""
    occupied = (s.colour[0] | s.colour[1]) ^ bit(king)
    return attackers(table, s, to, side, occupied) == NONE


@kernel
def passant_is_legal(table, s, start, side):
    """May the pawn on `start` take en passant without leaving its king in check?"""
    to = np.int64(s.passant)
    taken = bit(to + back(side, -8, 8))
    occupied = (s.colour[0] | s.colour[1]) ^ bit(start) ^ taken ^ bit(to)
    king = lowest_bit(s.pieces[K] & s.colour[side])
    return attackers(table, s, king, side, occupied) & ~taken == NONE


@kernel
def castling_is_legal(table, s, rook, king, side):
    """May the king castle with this rook, which has the right? The king is not in check.

    All squares both pieces cross must be free but for themselves, and none that the king crosses
    attacked. The last test is of the final position: in Chess960 the rook may have been a shield.
    """
    home = king & 56
    king_to = home + (6 if rook > king else 2)
    rook_to = home + (5 if rook > king else 3)
    occupied = (s.colour[0] | s.colour[1]) & ~(bit(king) | bit(rook))
    crossed = table[BETWEEN + 64 * king + king_to] | bit(king_to)
    others = table[BETWEEN + 64 * rook + rook_to] | bit(rook_to)
    if (crossed | others) & occupied != NONE:
        return False
    crossed &= ~bit(king)
    while crossed != NONE:
        if attackers(table, s, lowest_bit(crossed), side, occupied | bit(rook)) != NONE:
            return False
        crossed &= crossed - ONE
    return attackers(table, s, king_to, side, occupied | bit(rook_to)) == NONE


@kernel
def castling_target(king, rook, chess960):
    """The square that the action of castling names."""
    if chess960:
        return rook
    return king + 2 if rook > king else king - 2


@kernel
def allowed(table, s, king, square, targets):
    """The targets that a pin leaves to the piece on `square`."""
    if s.pinned & bit(square) != NONE:
        return targets & table[LINE + 64 * king + square]
    return targets


@kernel
def evasion_mask(table, s, king):
    """Squares where a piece other than the king may go: anywhere, or against a single check."""
    if s.checkers == NONE:
        return ALL
    return table[BETWEEN + 64 * king + lowest_bit(s.checkers)] | s.checkers


@kernel
def write(out, n, start, targets):
    """Append a move to each target."""
    while targets != NONE:
        out[n] = start | (lowest_bit(targets) << 6)
        n += 1
        targets &= targets - ONE
    return n


@kernel
def write_pawns(table, s, king, out, n, targets, behind):
    """Append pawn moves to the targets from `behind` squares further back."""
    while targets != NONE:
        to = lowest_bit(targets)
        targets &= targets - ONE
        start = to + behind
        if allowed(table, s, king, start, bit(to)) == NONE:
            continue
        move = start | (to << 6)
        if bit(to) & END_RANKS != NONE:
            for piece in range(4, 0, -1):
                out[n] = move | (piece << 12)
                n += 1
        else:
            out[n] = move
            n += 1
    return n


@kernel
def write_king(table, s, king, side, out, n, wanted):
    """Append the king's steps to the wanted squares."""
    targets = table[KING + king] & ~s.colour[side] & wanted
    while targets != NONE:
        to = lowest_bit(targets)
        targets &= targets - ONE
        if king_is_safe_at(table, s, king, to, side):
            out[n] = king | (to << 6)
            n += 1
    return n


@kernel
def write_pieces(table, s, king, side, out, n, wanted):
    """Append the moves of knights, bishops, rooks and queens to the wanted squares."""
    own = s.colour[side]
    occupied = own | s.colour[1 - side]
    wanted = wanted & ~own
    left = s.pieces[N] & own & ~s.pinned  # a pinned knight never moves
    while left != NONE:
        square = lowest_bit(left)
        left &= left - ONE
        n = write(out, n, square, table[KNIGHT + square] & wanted)
    left = (s.pieces[B] | s.pieces[Q]) & own
    while left != NONE:
        square = lowest_bit(left)
        left &= left - ONE
        targets = diagonal_attacks(table, square, occupied) & wanted
        n = write(out, n, square, allowed(table, s, king, square, targets))
    left = (s.pieces[R] | s.pieces[Q]) & own
    while left != NONE:
        square = lowest_bit(left)
        left &= left - ONE
        targets = straight_attacks(table, square, occupied) & wanted
        n = write(out, n, square, allowed(table, s, king, square, targets))
    return n


@kernel
def generate(table, s, out, chess960, only_noisy):
    """Write all legal moves, or only captures and promotions; returns how many."""
    side = np.int64(s.side)
    own, enemy = s.colour[side], s.colour[1 - side]
    king = lowest_bit(s.pieces[K] & own)
    n = write_king(table, s, king, side, out, 0, enemy if only_noisy else ALL)
    if s.checkers & (s.checkers - ONE if s.checkers != NONE else NONE) != NONE:
        return n  # two checks at once: only the king can help
    mask = evasion_mask(table, s, king)
    n = write_pieces(table, s, king, side, out, n, mask & enemy if only_noisy else mask)
    pawns = s.pieces[P] & own
    one, two, west, east = pawn_targets(pawns, enemy, ~(own | enemy), side)
    if only_noisy:
        one, two = one & END_RANKS, NONE
    n = write_pawns(table, s, king, out, n, one & mask, back(side, -8, 8))
    n = write_pawns(table, s, king, out, n, two & mask, back(side, -16, 16))
    n = write_pawns(table, s, king, out, n, west & mask, back(side, -7, 9))
    n = write_pawns(table, s, king, out, n, east & mask, back(side, -9, 7))
    if s.passant >= 0:
        to = np.int64(s.passant)
        left = table[PAWN + 64 * (1 - side) + to] & pawns
        while left != NONE:
            start = lowest_bit(left)
            left &= left - ONE
            if passant_is_legal(table, s, start, side):
                out[n] = start | (to << 6)
                n += 1
    if s.checkers == NONE and not only_noisy:
        left = s.rights & own
        while left != NONE:
            rook = lowest_bit(left)
            left &= left - ONE
            if castling_is_legal(table, s, rook, king, side):
                out[n] = king | (castling_target(king, rook, chess960) << 6)
                n += 1
    return n


@kernel
def can_move(table, s):
    """Is there a legal move? Almost always the first question answers it."""
    side = np.int64(s.side)
    own, enemy = s.colour[side], s.colour[1 - side]
    occupied = own | enemy
    king = lowest_bit(s.pieces[K] & own)
    pawns = s.pieces[P] & own
    mask = evasion_mask(table, s, king)
    double_check = s.checkers != NONE and s.checkers & (s.checkers - ONE) != NONE
    if not double_check:
        one, two, west, east = pawn_targets(pawns & ~s.pinned, enemy, ~occupied, side)
        if (one | two | west | east) & mask != NONE:
            return True
    targets = table[KING + king] & ~own
    while targets != NONE:
        if king_is_safe_at(table, s, king, lowest_bit(targets), side):
            return True
        targets &= targets - ONE
    if double_check:
        return False
    return another_can_move(table, s, king, side, mask & ~own)


@kernel
def another_can_move(table, s, king, side, wanted):
    """Has a piece, a pinned pawn, en passant or castling a legal move to the wanted squares?"""
    own, enemy = s.colour[side], s.colour[1 - side]
    occupied = own | enemy
    left = own & ~s.pieces[P] & ~s.pieces[K]
    while left != NONE:
        square = lowest_bit(left)
        left &= left - ONE
        here = bit(square)
        targets = NONE
        if s.pieces[N] & here != NONE:
            targets |= table[KNIGHT + square]
        if (s.pieces[B] | s.pieces[Q]) & here != NONE:
            targets |= diagonal_attacks(table, square, occupied)
        if (s.pieces[R] | s.pieces[Q]) & here != NONE:
            targets |= straight_attacks(table, square, occupied)
        if allowed(table, s, king, square, targets & wanted) != NONE:
            return True
    pawns = s.pieces[P] & own
    left = pawns & s.pinned
    while left != NONE:
        square = lowest_bit(left)
        left &= left - ONE
        one, two, west, east = pawn_targets(bit(square), enemy, ~occupied, side)
        if allowed(table, s, king, square, (one | two | west | east) & wanted) != NONE:
            return True
    if s.passant >= 0:
        left = table[PAWN + 64 * (1 - side) + np.int64(s.passant)] & pawns
        while left != NONE:
            if passant_is_legal(table, s, lowest_bit(left), side):
                return True
            left &= left - ONE
    left = s.rights & own if s.checkers == NONE else NONE
    while left != NONE:
        if castling_is_legal(table, s, lowest_bit(left), king, side):
            return True
        left &= left - ONE
    return False
