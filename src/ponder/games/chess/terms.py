"""The two evaluations of chess taken apart: see `ponder.core.terms`.

Of the usual one (`ponder.games.chess.evaluation`) most features have two weights, for the middle
game and for the endgame. As weights are constants, there are two terms of each: the difference
between White and Black times the share of the middle game, and times that of the endgame.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ponder.core.game import Term
from ponder.games.chess.attacks import NONE, ONE, B, K, N, P, Q, R
from ponder.games.chess.evaluation import (
    AROUND,
    CENTRE,
    MATERIAL,
    MOBILITY,
    PHASE,
    ahead,
    pawn_captures,
    piece_attacks,
    to_the_edge,
)
from ponder.games.chess.moves import NOT_A, NOT_H
from ponder.games.chess.tables import KING
from ponder.jit import kernel, lowest_bit, popcount

KINDS = {P: "pawns", N: "knights", B: "bishops", R: "rooks", Q: "queens"}
WEIGHTS: dict[str, tuple[float, float]] = {
    **{name: (MATERIAL[0][kind], MATERIAL[1][kind]) for kind, name in KINDS.items()},
    "pair of bishops": (25, 45),
    **{
        f"squares for {KINDS[kind]}": (MOBILITY[0][kind], MOBILITY[1][kind])
        for kind in (N, B, R, Q)
    },
    "attacks next to the king": (8, 2),
    "knights and bishops in the centre": (5, 5),
    "pawns around the centre": (8, 0),
    "pawns in the centre": (12, 0),
    "ranks gained by pawns": (2, 4),
    "passed pawns": (5, 10),
    "passed pawns, ranks squared": (3, 6),
    "doubled pawns": (-10, -15),
    "pawns next to the king": (12, 0),
    "king's steps from the edge": (-15, 12),
}
"""Centipawns in the middle game and in the endgame, of the features in the order of `count`."""
NAMES = tuple(WEIGHTS)
PAIR, SQUARES, ATTACKS, LIGHT, AROUND_CENTRE = 5, 6, 10, 11, 12
IN_CENTRE, RANKS, PASSED, PASSED_RANKS, DOUBLED, SHELTER, EDGE = 13, 14, 15, 16, 17, 18, 19
TURN = 10.0


@kernel
def count(table, s, side, out):
    """Write the features of one side; returns its part of the 24 of the middle game."""
    own, enemy = s.colour[side], s.colour[1 - side]
    own_pawns, enemy_pawns = s.pieces[P] & own, s.pieces[P] & enemy
    zone = table[KING + lowest_bit(s.pieces[K] & enemy)]
    room = ~own & ~pawn_captures(enemy_pawns, 1 - side)
    phase = 0
    for i in range(out.size):
        out[i] = 0.0
    left = own & ~own_pawns & ~s.pieces[K]
    while left != NONE:
        square = lowest_bit(left)
        left &= left - ONE
        kind = np.int64(s.board[square])
        reached = piece_attacks(table, square, kind, own | enemy)
        out[kind - 1] += 1
        out[SQUARES + kind - N] += popcount(reached & room)
        out[ATTACKS] += popcount(reached & zone)
        phase += PHASE[kind]
    if out[B - 1] >= 2:
        out[PAIR] = 1
    light = (s.pieces[N] | s.pieces[B]) & own
    out[LIGHT] = 2 * popcount(light & AROUND) + popcount(light & CENTRE)
    guarded = ahead(enemy_pawns, 1 - side)
    guarded |= ((guarded & NOT_A) >> ONE) | ((guarded & NOT_H) << ONE)
    left = own_pawns
    while left != NONE:
        square = lowest_bit(left)
        passed = left & ~(left - ONE) & ~guarded != NONE
        left &= left - ONE
        gained = (square >> 3 if side == 0 else 7 - (square >> 3)) - 1
        out[P - 1] += 1
        out[RANKS] += gained
        if passed:
            out[PASSED] += 1
            out[PASSED_RANKS] += gained * gained
    out[AROUND_CENTRE] = popcount(own_pawns & AROUND)
    out[IN_CENTRE] = popcount(own_pawns & CENTRE)
    out[DOUBLED] = popcount(own_pawns & ahead(own_pawns, side))
    king = lowest_bit(s.pieces[K] & own)
    out[SHELTER] = popcount(table[KING + king] & own_pawns)
    out[EDGE] = to_the_edge(king)
    return phase


def usual_terms(table: Any, s: Any, player: int) -> list[Term]:
    """The terms of `ponder.games.chess.evaluation.assess`, in centipawns."""
    own, other = np.zeros(len(NAMES)), np.zeros(len(NAMES))
    middle = min(count(table, s, player, own) + count(table, s, 1 - player, other), 24) / 24
    endgame = own - other
    # the evaluation halves centipawns of knights and bishops to whole ones in the endgame
    endgame[LIGHT] = (5 * own[LIGHT] // 2 - 5 * other[LIGHT] // 2) / 5
    terms = []
    for i, (name, (weight, late)) in enumerate(WEIGHTS.items()):
        terms.append(Term(f"{name}, middle game", float(own[i] - other[i]) * middle, weight))
        if late:
            terms.append(Term(f"{name}, endgame", float(endgame[i]) * (1 - middle), late))
    terms.append(Term("the move", 1 if s.side == player else -1, TURN))
    return terms
