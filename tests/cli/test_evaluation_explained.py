"""`ponder explain`."""

from __future__ import annotations

import json

import chess

from command_line import assert_one_line

FEN = "r1b1kbnr/pppp1ppp/2n5/4p3/2B1P2q/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4"
MOVES = "b5b4 a1a2 b4b3 a2a3 b3b2 c1c2"
WORTH = {"queens": 9, "rooks": 5, "bishops": 3, "knights": 3, "pawns": 1}
KINDS = {name: getattr(chess, name[:-1].upper()) for name in WORTH}


def test_the_lectures_terms_are_what_python_chess_counts(program):
    board = chess.Board(FEN)
    done = program("explain", "chess(evaluation=lecture)", "--position", FEN, "--json")
    found = json.loads(done.out)
    values = {term["name"]: term["value"] for term in found["terms"]}
    weights = {term["name"]: term["weight"] for term in found["terms"]}
    for name, kind in KINDS.items():
        expected = len(board.pieces(kind, chess.WHITE)) - len(board.pieces(kind, chess.BLACK))
        assert values[name] == expected
        assert weights[name] == WORTH[name]
    theirs = board.copy()
    theirs.turn = chess.BLACK
    assert values["legal moves"] == board.legal_moves.count() - theirs.legal_moves.count()
    assert weights["legal moves"] == 0.1


def test_the_table_shows_shares_that_add_up(program):
    """After 1. e4 e5 2. Bc4: White has more room, Black the move."""
    done = program("explain", "chess", "--moves", "e2e4 e7e5 f1c4")
    lines = done.out.splitlines()
    first = next(i for i, line in enumerate(lines) if line.startswith("feature"))
    last = next(i for i, line in enumerate(lines) if line.startswith("sum"))
    shares = [float(line.split()[-1]) for line in lines[first + 1 : last]]
    assert len(shares) > 3
    assert sum(shares) == float(lines[last].split()[-1])


def test_a_known_result_is_said_to_be_known(program):
    """A pawn on the last row but one steps home."""
    done = program("explain", "breakthrough(columns=4, rows=5)", "--moves", MOVES)
    assert done.status == 0, done.err
    assert "The result is known" in done.out


def test_a_game_without_terms_and_a_player_who_is_not_there_get_one_line(program):
    for words, says in (
        (("tictactoe",), "does not say what an evaluation is made of"),
        (("pig", "--player", "3"), "players are 0 to 1"),
        (("pig", "--player", "x"), "not a whole number"),
    ):
        done = program("explain", *words)
        assert done.status == 2
        assert_one_line(done.err)
        assert says in done.err
