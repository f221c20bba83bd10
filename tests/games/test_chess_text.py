"""FEN, UCI, algebraic notation, PGN and drawings of chess, against python-chess."""

from __future__ import annotations

import io
import random
import xml.etree.ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ponder import IllegalAction, InputError, position
from ponder.core.position import Position
from ponder.games.chess.fen import chess960_fen
from ponder.games.chess.notation import parse_san, san
from ponder.games.chess.pgn import parse_pgn, pgn_text

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
FISCHER = "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1"


def random_position(rng: random.Random, longest: int = 120, game: str = "chess") -> Position:
    p = position(game)
    for _ in range(rng.randrange(longest)):
        if p.is_terminal:
            return p.undo()
        p = p.play(rng.choice(p.legal_actions))
    return p


# ------------------------------------------------------------------ FEN


def test_the_start_is_printed_as_everybody_prints_it():
    assert position("chess").text() == START


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 10**9))
def test_every_printed_position_parses_back_to_an_equal_one(seed):
    p = random_position(random.Random(seed), 80)
    again = position("chess", p.text())
    assert again.text() == p.text()
    assert again == p
    assert again.legal_actions == p.legal_actions


def test_four_fields_are_enough():
    assert position("chess", START[:-4]).text() == START


def test_an_en_passant_square_without_a_taker_is_dropped():
    p = position("chess", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1")
    assert p.text() == "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
    assert p == position("chess").play("e4")


BARE = "4k3/8/8/8/8/8/8/4K3"


@pytest.mark.parametrize(
    ("fen", "complaint"),
    [
        ("x", "this has 1"),
        (f"{BARE} w - - 0", "this has 5"),
        (f"{BARE} w - - 0 1 2", "this has 7"),
        ("4k3/8/8/8/8/8/4K3 w - - 0 1", "8 ranks"),
        ("4k3/8/8/8/8/8/8/4K2 w - - 0 1", "describes 7 squares"),
        ("4k3/8/8/8/8/8/8/4K3p w - - 0 1", "describes 9 squares"),
        ("4k3/8/8/8/8/8/8/4K21 w - - 0 1", "two numbers side by side"),
        ("4k3/8/8/8/8/8/8/4K2x w - - 0 1", "unknown piece 'x'"),
        ("4k3/8/8/8/9/8/8/4K3 w - - 0 1", "unknown piece '9'"),
        ("4k3/8/8/8/8/8/8/8 w - - 0 1", "White must have one king, not none"),
        ("4k2k/8/8/8/8/8/8/4K3 w - - 0 1", "Black must have one king, not 2"),
        ("4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1", "White has 9 pawns"),
        ("4k3/8/8/8/8/8/PPPPPPPP/2QQK3 w - - 0 1", "too many pieces"),
        ("4k3/8/8/8/8/8/8/P3K3 w - - 0 1", "first or the last rank"),
        ("p3k3/8/8/8/8/8/8/4K3 w - - 0 1", "first or the last rank"),
        ("4k3/8/8/8/8/8/8/3KR3 w - - 0 1", "Black is in check, but it is White's turn"),
        ("8/8/8/8/8/3k4/4K3/8 w - - 0 1", "side by side"),
        ("4k3/8/8/8/8/3n4/8/q3K2r w - - 0 1", "more than two"),
        (f"{BARE} x - - 0 1", "w or b"),
        (f"{BARE} w X - 0 1", "castling rights are"),
        (f"{BARE} w K - 0 1", "castling right 'K' is impossible"),
        ("r3k3/8/8/8/8/8/8/4K3 w k - 0 1", "castling right 'k' is impossible"),
        ("4k3/8/8/8/8/8/8/4K2R w KK - 0 1", "twice"),
        ("4k3/8/8/8/8/8/8/4K2R w H - 0 1", "castling rights are"),
        (f"{BARE} w - e3 0 1", "rank 6"),
        (f"{BARE} b - e6 0 1", "rank 3"),
        (f"{BARE} w - e6 0 1", "no pawn has just passed"),
        (f"{BARE} w - ee 0 1", "en passant square is"),
        ("4k3/8/4n3/4p3/8/8/8/4K3 w - e6 0 1", "way was not free"),
        (f"{BARE} w - - x 1", "whole number"),
        (f"{BARE} w - - -1 1", "whole number"),
        (f"{BARE} w - - 101 1", "0 to 100"),
        (f"{BARE} w - - 0 1.5", "number of the move"),
    ],
)
def test_every_fault_of_a_fen_is_named(fen, complaint):
    with pytest.raises(InputError, match=complaint) as caught:
        position("chess", fen)
    assert "\n" not in str(caught.value)


FIELDS = st.tuples(
    st.text("pnbrqkPNBRQK12345678/x", max_size=40) | st.just(START.split()[0]),
    st.sampled_from(["w", "b", "W", ""]),
    st.text("KQkqAHah-", max_size=5),
    st.sampled_from(["-", "e3", "e6", "a6", "i9", "é6"]),
    st.text("0123456789-²", max_size=4),
    st.text("0123456789-", max_size=12),
).map(" ".join)
NEAR = st.tuples(
    st.integers(0, len(START)), st.integers(0, 3), st.text("rnbqkpPK12/ w-", max_size=3)
)


@settings(max_examples=600, deadline=None)
@given(
    st.text(max_size=60) | FIELDS | NEAR.map(lambda n: START[: n[0]] + n[2] + START[n[0] + n[1] :]),
    st.sampled_from(["chess", "chess(chess960=True)"]),
)
def test_random_text_is_a_position_or_an_input_error(text, game):
    try:
        p = position(game, text)
    except InputError as error:
        complaint = str(error)
    else:
        complaint = ""
        assert position(game, p.text()) == p
    assert "\n" not in complaint


def test_all_starts_of_chess960_are_those_of_python_chess():
    chess = pytest.importorskip("chess")
    for number in range(960):
        assert chess960_fen(number) == chess.Board.from_chess960_pos(number).fen()
    assert chess960_fen(518) == START
    with pytest.raises(InputError, match="0 to 959"):
        chess960_fen(960)


# ------------------------------------------------------------------ names of moves


def test_algebraic_notation_agrees_with_python_chess_and_parses_back():
    chess = pytest.importorskip("chess")
    rng = random.Random(1)
    names = 0
    for _ in range(150):
        p = random_position(rng)
        board = chess.Board(p.text())
        for action in p.legal_actions:
            move = chess.Move.from_uci(p.action_name(action))
            name = san(p, action)
            assert name == board.san(move)
            assert parse_san(p, name) == action
            assert p.parse_action(board.lan(move)) == action
            names += 1
    assert names > 3000


@pytest.mark.parametrize("side", ["w", "b"])
def test_castling_of_chess960_is_named_as_in_python_chess(side):
    chess = pytest.importorskip("chess")
    fen = FISCHER.replace(" w ", f" {side} ")
    p, board = position("chess(chess960=True)", fen), chess.Board(fen, chess960=True)
    ours = {p.action_name(a): san(p, a) for a in p.legal_actions}
    assert ours == {board.uci(m): board.san(m) for m in board.legal_moves}
    assert {"O-O", "O-O-O"} < set(ours.values())


@pytest.mark.parametrize(
    "text", ["Nf3", "g1f3", "Ng1f3", "Ngf3", "N1f3", "Nf3!?", " Nf3 ", "Ng1-f3"]
)
def test_moves_are_read_in_many_spellings(text):
    p = position("chess")
    assert p.action_name(p.parse_action(text)) == "g1f3"


@pytest.mark.parametrize("text", ["e8Q", "e8=Q", "e8(Q)", "e7e8q", "e7-e8=Q", "e8=Q+"])
def test_promotions_are_read_in_many_spellings(text):
    p = position("chess", "8/4P3/8/8/8/k7/8/4K3 w - - 0 1")
    assert p.action_name(p.parse_action(text)) == "e7e8q"


@pytest.mark.parametrize("text", ["O-O", "0-0", "e1g1", "o-o"])
def test_castling_is_read_in_many_spellings(text):
    p = position("chess", "4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    assert p.action_name(p.parse_action(text)) == "e1g1"


def test_wrong_and_ambiguous_moves_are_refused_with_a_reason():
    p = position("chess", "4k3/8/8/8/8/8/8/RR2K3 w - - 0 1")
    with pytest.raises(IllegalAction, match="'Ke3' is not legal here; legal: "):
        p.play("Ke3")
    p = position("chess", "4k3/8/8/8/8/R7/8/R3K3 w - - 0 1")
    with pytest.raises(IllegalAction, match="ambiguous here: R1a2 or R3a2"):
        parse_san(p, "Ra2")
    with pytest.raises(IllegalAction, match="not legal"):
        p.play("Ra2")
    with pytest.raises(IllegalAction, match="not legal"):
        parse_san(p, "nonsense")


# ------------------------------------------------------------------ PGN

GAME = r"""
[Event "Test \"quoted\""]
[White "Ann"]
[Black "Ben"]
[Result "1-0"]

1. e4! {a comment with (brackets) and 1. d4} e5 $1 2.Bc4 (2. Nf3 Nc6 (2... d6 3. d4) 3. Bb5)
2... Nc6 ; the rest of the line 3. a4
% an escaped line
3. Qh5 Nf6?? 4. Qxf7# 1-0

[White "Cid"]

*
"""


def test_pgn_is_read_with_tags_comments_variations_and_results():
    first, second = parse_pgn(GAME)
    assert first.tags["Event"] == 'Test "quoted"'
    assert first.tags["White"] == "Ann"
    assert " ".join(first.final.history_names) == "e2e4 e7e5 f1c4 b8c6 d1h5 g8f6 h5f7"
    assert first.result == "1-0"
    assert first.final.returns == (1, -1)
    assert second.tags == {"White": "Cid"}
    assert second.result == "*"
    assert second.final.history == ()


def test_games_go_on_after_a_draw_that_nobody_claimed():
    shuffle = "Nf3 Nf6 Ng1 Ng8 " * 3
    (game,) = parse_pgn(shuffle + "e4 e5 *")
    assert len(game.final.history) == 14


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("1. e4 e5 2. Ke3 *", r"game 1 of the PGN: 2\. Ke3 is not legal there"),
        ("1. e4 * 1. d4 e6 2. Nd2 Nc6 3. Nf3 Na5 4. Nb3 Nc4 5. Nd2 Nb6 6. Nf3 *", "game 2"),
        ("1. e4 (1. d4 *", r"'\(' without '\)'"),
        ("1. e4 ) *", r"'\)' without '\('"),
        ('[FEN "nothing"] 1. e4 *', "its FEN: a FEN has 6 fields"),
        ("1. e4 <oops> *", "cannot be read at '<oops>"),
        ('[Variant "Atomic"] 1. e4 *', "variant 'Atomic' has other rules"),
    ],
)
def test_faults_of_a_pgn_are_named(text, complaint):
    with pytest.raises(InputError, match=complaint) as caught:
        parse_pgn(text)
    assert "\n" not in str(caught.value)


@settings(max_examples=300, deadline=None)
@given(st.text('abcdefgh12345678NBRQKOx=+#(){}[];.*- \n"1/e4', max_size=60) | st.text(max_size=40))
def test_random_text_is_games_or_an_input_error(text):
    complaint = ""
    try:
        parse_pgn(text)
    except InputError as error:
        complaint = str(error)
    assert "\n" not in complaint


def test_written_games_are_read_by_python_chess_and_back():
    chess_pgn = pytest.importorskip("chess.pgn")
    rng = random.Random(2)
    for n in range(25):
        start = position("chess") if n % 2 else random_position(rng, 60)
        p = position("chess", start.text())
        for _ in range(rng.randrange(80)):
            if p.is_terminal:
                break
            p = p.play(rng.choice(p.legal_actions))
        tags = {"White": "Ann", "Event": 'a "b" \\c', "Round": str(n)}
        text = pgn_text(p, tags)
        assert max(map(len, text.splitlines())) <= 100
        theirs = chess_pgn.read_game(io.StringIO(text))
        assert not theirs.errors
        assert [m.uci() for m in theirs.mainline_moves()] == list(p.history_names)
        assert theirs.headers["White"] == "Ann"
        assert theirs.end().board().fen() == p.text()
        (again,) = parse_pgn(text)
        assert again.final == p
        assert again.final.history == p.history
        assert again.tags["Event"] == tags["Event"]
        assert again.result == theirs.headers["Result"]
        (theirs_read,) = parse_pgn(str(theirs))
        assert theirs_read.final.history == p.history


def test_games_of_chess960_are_written_and_read():
    p = position("chess(chess960=True)", FISCHER).play_all("O-O O-O-O e4")
    assert p.text() == "2kr2r1/pppppppp/8/8/4P3/8/PPPP1PPP/1R3RK1 b - - 0 2"
    text = pgn_text(p, result="1/2-1/2")
    assert '[Variant "Chess960"]' in text
    (again,) = parse_pgn(text)
    assert again.final == p
    assert again.result == "1/2-1/2"


def test_a_wrong_result_is_refused():
    with pytest.raises(InputError, match="one of 1-0 0-1"):
        pgn_text(position("chess"), result="2-0")


# ------------------------------------------------------------------ boards


def test_board_text_has_coordinates():
    lines = str(position("chess").play("e4")).splitlines()
    assert lines[0] == "8 r n b q k b n r"
    assert lines[4] == "4 . . . . P . . ."
    assert lines[-1] == "  a b c d e f g h"


def test_the_drawing_shows_pieces_the_last_move_and_destinations():
    p = position("chess").play("e4")
    root = ET.fromstring(p.svg())
    texts = [e.text for e in root.iter("{http://www.w3.org/2000/svg}text")]
    assert sum(t[0] in "\u265f\u265e\u265d\u265c\u265b\u265a" for t in texts if t) == 32
    rings = [e for e in root.iter("{http://www.w3.org/2000/svg}rect") if e.get("fill") == "none"]
    assert len(rings) == 2
    dots = list(root.iter("{http://www.w3.org/2000/svg}circle"))
    assert len(dots) == len({name[2:4] for name in p.legal_names})
