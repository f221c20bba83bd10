"""What a position is worth at a glance, and how promising a move looks.

`assess` adds up centipawns for the middle game and for the endgame and mixes the two by the
material left (24 parts: a minor piece 1, a rook 2, a queen 4):

    material    pawn 100/115, knight 320/300, bishop 335/320, rook 480/530, queen 950/970,
                the pair of bishops 25/45
    pawns       ranks gained, passed pawns (no enemy pawn ahead on this or a neighbouring file)
    mobility    squares reached that hold no own piece and that no enemy pawn attacks
    centre      pieces and pawns on the 4 central squares and the 16 around and in it
    king        pawns in front of it, enemy attacks next to it; in the endgame its way to the centre
    turn        10 for the side to move

The sum becomes an expected utility by the logistic law of Elo: 400 centipawns are odds of 10 : 1,
so 2 p - 1 = tanh(centipawns * ln(10) / 800). The weights are round numbers of our own, not tuned.
"""

from __future__ import annotations

import math

import numpy as np

from ponder.games.chess.attacks import (
    NONE,
    ONE,
    B,
    K,
    N,
    P,
    R,
    diagonal_attacks,
    straight_attacks,
)
from ponder.games.chess.moves import NOT_A, NOT_H
from ponder.games.chess.tables import KING, KNIGHT
from ponder.jit import U, kernel, lowest_bit, popcount

CENTRE = U(0x0000001818000000)
AROUND = U(0x00003C3C3C3C0000)
SCALE = math.log(10.0) / 800.0

# Middle game and endgame, by kind: - P N B R Q K.
MATERIAL = ((0, 100, 320, 335, 480, 950, 0), (0, 115, 300, 320, 530, 970, 0))
MOBILITY = ((0, 0, 4, 4, 2, 1, 0), (0, 0, 3, 4, 4, 3, 0))
PHASE = (0, 0, 1, 1, 2, 4, 0)
KING_IN_THE_CENTRE = (0, 12, 24, 36)
SWAP = (0, 1, 3, 3, 5, 9, 10)


@kernel
def pawn_captures(pawns, side):
    """The squares that pawns attack."""
    if side == 0:
        return ((pawns & NOT_A) << U(7)) | ((pawns & NOT_H) << U(9))
    return ((pawns & NOT_A) >> U(9)) | ((pawns & NOT_H) >> U(7))


@kernel
def ahead(pawns, side):
    """All squares in front of pawns, up to the last rank."""
    if side == 0:
        pawns |= pawns << U(8)
        pawns |= pawns << U(16)
        pawns |= pawns << U(32)
        return pawns << U(8)
    pawns |= pawns >> U(8)
    pawns |= pawns >> U(16)
    pawns |= pawns >> U(32)
    return pawns >> U(8)


@kernel
def to_the_edge(square):
    """Steps from a square to the nearest edge: 0 to 3."""
    file, rank = square & 7, square >> 3
    return min(file, 7 - file, rank, 7 - rank)


@kernel
def piece_attacks(table, square, kind, occupied):
    """What a knight, bishop, rook or queen attacks."""
    if kind == N:
        return table[KNIGHT + square]
    reached = NONE
    if kind != R:
        reached |= diagonal_attacks(table, square, occupied)
    if kind != B:
        reached |= straight_attacks(table, square, occupied)
    return reached


@kernel
def pieces_of(table, s, side):
    """Material, mobility, centre and pressure of the pieces: middle game, endgame, phase."""
    own, enemy = s.colour[side], s.colour[1 - side]
    occupied = own | enemy
    zone = table[KING + lowest_bit(s.pieces[K] & enemy)]
    room = ~own & ~pawn_captures(s.pieces[P] & enemy, 1 - side)
    middle, end, phase = 0, 0, 0
    left = own & ~s.pieces[P] & ~s.pieces[K]
    while left != NONE:
        square = lowest_bit(left)
        left &= left - ONE
        kind = np.int64(s.board[square])
        reached = piece_attacks(table, square, kind, occupied)
        n = popcount(reached & room)
        middle += MATERIAL[0][kind] + MOBILITY[0][kind] * n + 8 * popcount(reached & zone)
        end += MATERIAL[1][kind] + MOBILITY[1][kind] * n + 2 * popcount(reached & zone)
        phase += PHASE[kind]
    light = (s.pieces[N] | s.pieces[B]) & own
    central = 10 * popcount(light & AROUND) + 5 * popcount(light & CENTRE)
    bishops = s.pieces[B] & own
    if popcount(bishops) >= 2:
        middle, end = middle + 25, end + 45
    return middle + central, end + central // 2, phase


@kernel
def pawns_and_king_of(table, s, side):
    """Pawns, their centre, the passed ones, and the king's shelter: middle game, endgame."""
    own_pawns, enemy_pawns = s.pieces[P] & s.colour[side], s.pieces[P] & s.colour[1 - side]
    guarded = ahead(enemy_pawns, 1 - side)
    guarded |= ((guarded & NOT_A) >> ONE) | ((guarded & NOT_H) << ONE)
    n = popcount(own_pawns)
    middle, end = MATERIAL[0][P] * n, MATERIAL[1][P] * n
    middle += 8 * popcount(own_pawns & AROUND) + 12 * popcount(own_pawns & CENTRE)
    left = own_pawns
    while left != NONE:
        square = lowest_bit(left)
        passed = left & ~(left - ONE) & ~guarded != NONE
        left &= left - ONE
        gained = (square >> 3 if side == 0 else 7 - (square >> 3)) - 1
        middle += 2 * gained
        end += 4 * gained
        if passed:
            middle += 5 + 3 * gained * gained
            end += 10 + 6 * gained * gained
    doubled = popcount(own_pawns & ahead(own_pawns, side))
    middle -= 10 * doubled
    end -= 15 * doubled
    king = lowest_bit(s.pieces[K] & s.colour[side])
    shelter = table[KING + king] & own_pawns
    edge = to_the_edge(king)
    return middle + 12 * popcount(shelter) - 15 * edge, end + KING_IN_THE_CENTRE[edge]


@kernel
def assess(table, s):
    """White's expected utility, between -1 and 1."""
    middle, end, phase = pieces_of(table, s, 0)
    their_middle, their_end, their_phase = pieces_of(table, s, 1)
    pawns_middle, pawns_end = pawns_and_king_of(table, s, 0)
    their_pawns_middle, their_pawns_end = pawns_and_king_of(table, s, 1)
    middle += pawns_middle - their_middle - their_pawns_middle
    end += pawns_end - their_end - their_pawns_end
    part = min(phase + their_phase, 24)
    score = (middle * part + end * (24 - part)) / 24.0
    score += 10.0 if s.side == 0 else -10.0
    return math.tanh(score * SCALE)


@kernel
def swap_score(s, a):
    """Most valuable victim, least valuable attacker; promotions by their gain; quiet moves 0."""
    start, to, promotion = a & 63, (a >> 6) & 63, a >> 12
    kind, victim = np.int64(s.board[start]), np.int64(s.board[to])
    if kind == P and victim == 0 and (to - start) & 7 != 0:
        victim = P  # en passant
    score = 0.0
    if victim != 0 and not (kind == K and victim == R and is_own(s, to)):
        score += 10.0 * SWAP[victim] - SWAP[kind]
    if promotion != 0:
        score += 10.0 * (SWAP[promotion + 1] - 1)
    return score


@kernel
def is_own(s, square):
    """Does a piece of the side to move stand there? (Castling in Chess960 names its own rook.)"""
    return (s.colour[np.int64(s.side)] >> U(square)) & ONE != NONE
