"""The compiled rules of chess on bitboards. See `moves` for what is legal and how it is found.

Two facts about the side to move are kept in every state, because legal moves and the end of the
game both need them: which enemy pieces give check (`checkers`) and which own pieces are pinned.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ponder.core.game import Term, record
from ponder.core.rng import below
from ponder.games.chess.attacks import NONE, ONE, B, K, N, P, Q, R
from ponder.games.chess.evaluation import SCALE, assess, swap_score
from ponder.games.chess.moves import (
    back,
    can_move,
    generate,
    passant_is_legal,
)
from ponder.games.chess.random_move import draw_move
from ponder.games.chess.tables import (
    BETWEEN,
    DIAGONAL,
    KNIGHT,
    PASSANT_KEY,
    PAWN,
    PIECE_KEY,
    RIGHT_KEY,
    STRAIGHT,
    TURN_KEY,
)
from ponder.games.chess.terms import usual_terms
from ponder.jit import U, lowest_bit

PLAYING, CHECKMATE, STALEMATE, TOO_LITTLE, FIFTY_MOVES, REPETITION = range(6)
"""What `ending` of a state says."""

LONGEST_CLOCK = 100
"""Half-moves without a capture or a pawn's move that end the game."""

STATE = record(
    pieces=("u8", (7,)),  # squares of each kind, both colours; 0 is not used
    colour=("u8", (2,)),  # squares of White, of Black
    checkers="u8",  # enemy pieces that attack the king of the side to move
    pinned="u8",  # own pieces that shield it
    rights="u8",  # rooks that may still castle
    hash="u8",  # see `key`
    board=("i1", (64,)),  # the kind of piece on each square
    side="i1",  # 0 White, 1 Black to move
    passant="i1",  # where a pawn can be taken en passant, legally; else -1
    clock="i1",  # half-moves since the last capture or move of a pawn
    ending="i1",
    number="i4",  # of the move, as FEN counts: 1, and one more after each move of Black
    history=("u8", (LONGEST_CLOCK + 1,)),  # hashes of the positions since then, by clock
)

BACK_RANK = (U(0xFF), U(0xFF << 56))
LIGHT = U(0x55AA55AA55AA55AA)
FIRST_RANK = (4, 2, 3, 5, 6, 3, 2, 4)


class ChessRules(NamedTuple):
    """The rules, with their tables."""

    table: Any
    chess960: bool
    mate: float = 1.0

    def start(self, s):
        for file in range(8):
            self.put(s, 0, FIRST_RANK[file], file)
            self.put(s, 0, P, 8 + file)
            self.put(s, 1, P, 48 + file)
            self.put(s, 1, FIRST_RANK[file], 56 + file)
        s.rights = (ONE << U(0)) | (ONE << U(7)) | (ONE << U(56)) | (ONE << U(63))
        s.passant = -1
        s.number = 1
        self.complete(s)

    def put(self, s, side, kind, square):
        """Put a piece on an empty square."""
        s.pieces[kind] |= ONE << U(square)
        s.colour[side] |= ONE << U(square)
        s.board[square] = kind

    def complete(self, s):
        """Derive the rest from pieces, colours, board, side, passant, rights and clock."""
        table = self.table
        h = NONE
        for square in range(64):
            kind = np.int64(s.board[square])
            if kind != 0:
                side = 0 if s.colour[0] & (ONE << U(square)) != NONE else 1
                h ^= table[PIECE_KEY + 448 * side + 64 * kind + square]
            if s.rights & (ONE << U(square)) != NONE:
                h ^= table[RIGHT_KEY + square]
        if s.side == 1:
            h ^= table[TURN_KEY]
        s.hash = h
        for i in range(LONGEST_CLOCK + 1):
            s.history[i] = NONE
        self.find_checks(s)
        passant = np.int64(s.passant)
        s.passant = -1
        if passant >= 0:
            self.offer_passant(s, passant)
        s.history[min(np.int64(s.clock), LONGEST_CLOCK)] = s.hash
        self.find_ending(s)

    def current_player(self, s):
        return np.int64(s.side)

    def is_terminal(self, s):
        return s.ending != PLAYING

    def returns(self, s, out):
        out[0] = 0.0
        out[1] = 0.0
        if s.ending == CHECKMATE:
            out[np.int64(s.side)] = -self.mate  # who is mated is to move
            out[1 - np.int64(s.side)] = self.mate

    def legal_actions(self, s, out):
        return generate(self.table, s, out, self.chess960, False)

    def noisy_actions(self, s, out):
        """Captures and promotions; all legal moves when in check, so that no mate is missed."""
        return generate(self.table, s, out, self.chess960, s.checkers == NONE)

    def in_check(self, s):
        return s.checkers != NONE

    def pass_turn(self, s):
        """Not in check, nor with king and pawns alone: there, having to move is often the problem
        (zugzwang)."""
        side = np.int64(s.side)
        heavy = s.colour[side] & ~s.pieces[P] & ~s.pieces[K]
        if s.checkers != NONE or heavy == NONE:
            return False
        if s.passant >= 0:
            s.hash ^= self.table[PASSANT_KEY + np.int64(s.passant)]
            s.passant = -1
        s.hash ^= self.table[TURN_KEY]
        s.side = 1 - side
        s.number += side
        s.clock = min(np.int64(s.clock) + 1, LONGEST_CLOCK)
        s.history[np.int64(s.clock)] = s.hash
        self.find_checks(s)
        self.find_ending(s)
        return True

    def random_action(self, s, out, rng):
        if s.checkers != NONE:
            return out[below(rng, generate(self.table, s, out, self.chess960, False))]
        while True:
            a = draw_move(self.table, s, rng, self.chess960)
            if a >= 0:
                return np.int32(a)

    def key(self, s):
        """Pieces, side to move, castling rights and possible en passant; neither the clocks nor
        the positions before."""
        return s.hash

    def evaluate(self, s, out):
        value = assess(self.table, s)
        out[0] = value
        out[1] = -value

    def evaluate_terms(self, s: Any, player: int) -> list[Term]:
        return usual_terms(self.table, s, player)

    def squash(self, s: Any, player: int, score: float) -> float:
        """Centipawns as an expected utility: 400 are odds of 10 : 1."""
        return math.tanh(score * SCALE)

    def order(self, s, a):
        return swap_score(s, np.int64(a))

    # ------------------------------------------------------------ playing a move

    def apply_action(self, s, a):
        self.move(s, np.int64(a))

    def move(self, s, a):
        table = self.table
        start, to, promotion = a & 63, (a >> 6) & 63, a >> 12
        side = np.int64(s.side)
        kind = np.int64(s.board[start])
        touched = (ONE << U(start)) | (ONE << U(to))
        if kind == K:
            touched |= BACK_RANK[side]
        # Never beyond the history, even where somebody goes on after a draw.
        s.clock = min(np.int64(s.clock) + 1, LONGEST_CLOCK)
        rook = self.castling_rook(s, side, kind, start, to)
        if rook >= 0:
            self.castle(s, side, start, rook)
        else:
            self.step(s, side, kind, start, to, promotion)
        lost = s.rights & touched
        while lost != NONE:
            s.hash ^= table[RIGHT_KEY + lowest_bit(lost)]
            lost &= lost - ONE
        s.rights &= ~touched
        s.hash ^= table[TURN_KEY]
        if s.passant >= 0:
            s.hash ^= table[PASSANT_KEY + np.int64(s.passant)]
            s.passant = -1
        s.side = 1 - side
        s.number += side
        self.find_checks(s)
        if kind == P and abs(to - start) == 16:
            self.offer_passant(s, (start + to) >> 1)
        s.history[np.int64(s.clock)] = s.hash
        self.find_ending(s)

    def step(self, s, side, kind, start, to, promotion):
        """Move a piece, perhaps taking another: all moves but castling."""
        taken = np.int64(s.board[to])
        if taken != 0:
            self.toggle(s, 1 - side, taken, to)
            s.clock = 0
        self.toggle(s, side, kind, start)
        s.board[start] = 0
        if kind == P:
            s.clock = 0
            if taken == 0 and (to - start) & 7 != 0:  # en passant
                behind = to + back(side, -8, 8)
                self.toggle(s, 1 - side, P, behind)
                s.board[behind] = 0
            if promotion != 0:
                kind = promotion + 1
        self.toggle(s, side, kind, to)
        s.board[to] = kind

    def toggle(self, s, side, kind, square):
        """Put a piece there or take it away, all but the board."""
        s.pieces[kind] ^= ONE << U(square)
        s.colour[side] ^= ONE << U(square)
        s.hash ^= self.table[PIECE_KEY + 448 * side + 64 * kind + square]

    def castling_rook(self, s, side, kind, start, to):
        """The square of the rook if this move castles, else -1."""
        if kind != K:
            return -1
        if self.chess960:
            return to if s.colour[side] & (ONE << U(to)) != NONE else -1
        if to - start == 2:
            return start + 3
        if to - start == -2:
            return start - 4
        return -1

    def castle(self, s, side, king, rook):
        home = king & 56
        king_to = home + (6 if rook > king else 2)
        rook_to = home + (5 if rook > king else 3)
        self.toggle(s, side, K, king)
        self.toggle(s, side, R, rook)
        self.toggle(s, side, K, king_to)
        self.toggle(s, side, R, rook_to)
        s.board[king] = 0
        s.board[rook] = 0
        s.board[king_to] = K
        s.board[rook_to] = R

    # ------------------------------------------------------------ what follows from a position

    def find_checks(self, s):
        """Set `checkers` and `pinned` for the side to move."""
        table = self.table
        pieces = s.pieces
        side = np.int64(s.side)
        own, enemy = s.colour[side], s.colour[1 - side]
        king = lowest_bit(pieces[K] & own)
        checkers = table[KNIGHT + king] & pieces[N] | table[PAWN + 64 * side + king] & pieces[P]
        checkers &= enemy
        pinned = NONE
        snipers = table[STRAIGHT + king] & (pieces[R] | pieces[Q])
        snipers |= table[DIAGONAL + king] & (pieces[B] | pieces[Q])
        snipers &= enemy
        while snipers != NONE:
            shields = table[BETWEEN + 64 * king + lowest_bit(snipers)] & (own | enemy)
            if shields == NONE:
                checkers |= snipers & ~(snipers - ONE)
            elif shields & (shields - ONE) == NONE:
                pinned |= shields & own
            snipers &= snipers - ONE
        s.checkers = checkers
        s.pinned = pinned

    def offer_passant(self, s, square):
        """Remember the square if a pawn can really be taken there: FIDE 9.2.3 asks for that."""
        side = np.int64(s.side)
        takers = self.table[PAWN + 64 * (1 - side) + square] & s.pieces[P] & s.colour[side]
        while takers != NONE:
            s.passant = square
            if passant_is_legal(self.table, s, lowest_bit(takers), side):
                s.hash ^= self.table[PASSANT_KEY + square]
                return
            s.passant = -1
            takers &= takers - ONE

    def find_ending(self, s):
        """Set `ending`. Mate comes before the draws, as FIDE and OpenSpiel have it."""
        if not can_move(self.table, s):
            s.ending = CHECKMATE if s.checkers != NONE else STALEMATE
        elif self.too_little_material(s):
            s.ending = TOO_LITTLE
        elif s.clock >= LONGEST_CLOCK:
            s.ending = FIFTY_MOVES
        elif self.is_third_time(s):
            s.ending = REPETITION
        else:
            s.ending = PLAYING

    def too_little_material(self, s):
        """No sequence of moves can mate: bare kings, one minor piece, or bishops of one colour."""
        pieces = s.pieces
        if pieces[P] | pieces[R] | pieces[Q] != NONE:
            return False
        minor = pieces[N] | pieces[B]
        if minor == NONE or minor & (minor - ONE) == NONE:
            return True
        return pieces[N] == NONE and (minor & LIGHT == NONE or minor & ~LIGHT == NONE)

    def is_third_time(self, s):
        """Did this position occur twice before, since the last capture or move of a pawn?"""
        before = 0
        i = np.int64(s.clock) - 4
        while i >= 0:
            if s.history[i] == s.hash:
                before += 1
                if before == 2:
                    return True
            i -= 2
        return False
