"""The lecture's evaluation of chess, against python-chess counting by the formula."""

from __future__ import annotations

import math
import random

import chess
import pytest

from plain_rules import compare_plain_with_compiled
from ponder import InputError, game, position
from ponder.core.registry import game_text, whole_text
from ponder.core.terms import explain

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
    with pytest.raises(InputError, match="is own or lecture or lecture_complete, not 'mine'"):
        game("chess(evaluation=mine)")


# ------------------------------------------------------------------ with every term


def material(board):
    return sum(
        worth * (len(board.pieces(kind, chess.WHITE)) - len(board.pieces(kind, chess.BLACK)))
        for kind, worth in WORTH.items()
    )


def safety(board, colour):
    """Own pawns beside the king, less the squares beside it that the other side attacks."""
    beside = board.attacks(board.king(colour))
    attacked = sum(board.is_attacked_by(not colour, square) for square in beside)
    return len(beside & board.pieces(chess.PAWN, colour)) - attacked


def control(board, colour):
    return sum(len(board.attackers(colour, s)) for s in (chess.D4, chess.E4, chess.D5, chess.E5))


def parts(board):
    """Each term for White, without its weight."""
    return {
        "material": material(board),
        "mobility": (pawns(board) - material(board)) / 0.1,
        "king": len(board.pieces(chess.KING, True)) - len(board.pieces(chess.KING, False)),
        "safety": safety(board, chess.WHITE) - safety(board, chess.BLACK),
        "centre": control(board, chess.WHITE) - control(board, chess.BLACK),
    }


WEIGHTS = {"material": 1.0, "mobility": 0.1, "king": 1e100, "safety": 0.1, "centre": 0.05}
OTHER = {"material": 0.5, "mobility": 0.02, "king": 0.0, "safety": 0.3, "centre": 0.2}


@pytest.mark.plain
@pytest.mark.parametrize(
    "weights", [WEIGHTS, OTHER, *({**WEIGHTS, name: 0.0} for name in WEIGHTS)], ids=str
)
def test_every_term_counts_with_its_weight(weights):
    options = ", ".join(f"{name}={weight}" for name, weight in weights.items())
    text = f"chess(evaluation=lecture_complete, {options})"
    draw, looked_at = random.Random(5), 0
    for _ in range(2):
        board, s = chess.Board(), position(text)
        while not s.is_terminal and board.ply() < 60:
            if not board.is_check():
                values = parts(board)
                assert values["king"] == 0  # in every position: why its weight never matters
                score = sum(weights[name] * value for name, value in values.items())
                wanted = math.tanh(score * 100 * math.log(10) / 800)
                before = s.raw_state.tobytes()
                assert s.rules.evaluate(s.raw_state) == pytest.approx((wanted, -wanted))
                assert s.raw_state.tobytes() == before
                found = explain(s, 0)
                assert found.score == pytest.approx(score)
                assert explain(s, 1).score == pytest.approx(-score)
                looked_at += 1
            move = draw.choice(list(board.legal_moves))
            board.push(move)
            s = s.play(move.uci())
    assert looked_at > 80


def test_with_king_safety_and_centre_at_nought_it_is_the_first_one():
    draw = random.Random(6)
    here = position("chess(evaluation=lecture)")
    same = position("chess(evaluation=lecture_complete, king=0, safety=0, centre=0)")
    for _ in range(60):
        assert same.rules.evaluate(same.raw_state) == here.rules.evaluate(here.raw_state)
        action = draw.choice(here.legal_actions)
        here, same = here.play(action), same.play(action)


@pytest.mark.plain
def test_the_weight_of_the_king_changes_nothing():
    draw = random.Random(7)
    here = position("chess(evaluation=lecture_complete)")
    without = position("chess(evaluation=lecture_complete, king=0)")
    for _ in range(80):
        first, second = (p.rules.evaluate(p.raw_state) for p in (here, without))
        assert first == second
        action = draw.choice(here.legal_actions)
        here, without = here.play(action), without.play(action)


def test_plain_rules_equal_compiled_rules():
    assert compare_plain_with_compiled(position("chess(evaluation=lecture_complete)"), 1) > 30


@pytest.mark.plain
def test_texts_and_files_from_before_the_weights_stay_valid():
    assert game_text(game("chess(evaluation=lecture)")) == "chess(evaluation='lecture')"
    assert whole_text(game("chess")) == "chess(chess960=False, evaluation='own')"
    text = game_text(game("chess(evaluation=lecture_complete, king=0, centre=0)"))
    assert game_text(game(text)) == text


@pytest.mark.plain
@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("chess(king=0)", "king is a weight of evaluation=lecture_complete, not of own"),
        ("chess(evaluation=lecture, centre=1)", "centre is a weight of .* not of lecture"),
        ("chess(evaluation=lecture_complete, king=1e101)", "king must be from -1e100 to 1e100"),
        ("chess(evaluation=lecture_complete, king=q)", "king"),
    ],
)
def test_weights_out_of_place_are_refused(text, says):
    with pytest.raises(InputError, match=says):
        game(text)
