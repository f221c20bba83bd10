"""The lecture's evaluation of chess, against python-chess counting by the formula."""

from __future__ import annotations

import math
import random

import chess
import pytest

from ponder import InputError, game, position

WORTH = {chess.PAWN: 1, chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9}


def pawns(board):
    """9 (Q - Q') + 5 (R - R') + 3 (B - B' + N - N') + (P - P') + 0.1 (moves - moves')."""
    material = sum(
        worth * (len(board.pieces(kind, chess.WHITE)) - len(board.pieces(kind, chess.BLACK)))
        for kind, worth in WORTH.items()
    )
    other = board.copy(stack=False)
    other.turn, other.ep_square = not board.turn, None
    mobility = board.legal_moves.count() - other.legal_moves.count()
    return material + 0.1 * (mobility if board.turn == chess.WHITE else -mobility)


def test_material_and_a_tenth_of_the_moves_are_counted():
    draw, looked_at = random.Random(4), 0
    for _ in range(12):
        board = chess.Board()
        s = position("chess(evaluation=lecture)")
        while not s.is_terminal and board.ply() < 80:
            if not board.is_check():
                wanted = math.tanh(pawns(board) * 100 * math.log(10) / 800)
                before = s.raw_state.tobytes()
                assert s.rules.evaluate(s.raw_state) == pytest.approx((wanted, -wanted))
                assert s.raw_state.tobytes() == before
                looked_at += 1
            move = draw.choice(list(board.legal_moves))
            board.push(move)
            s = s.play(move.uci())
    assert looked_at > 500


def test_any_other_evaluation_is_refused():
    with pytest.raises(InputError, match="evaluation of chess is own or lecture, not 'mine'"):
        game("chess(evaluation=mine)")
