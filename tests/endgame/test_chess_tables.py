"""Chess classes: known longest mates and counts; every sample re-derived with python-chess."""

from __future__ import annotations

import random

import chess
import numpy as np
import pytest

from ponder import InputError, position
from ponder.endgame.chess import build_class
from ponder.endgame.material import (
    BLACK,
    UNKNOWN,
    Class,
    code_of,
    in_order,
    make_library,
    needed_by,
    number_of,
    parse_class,
    position_of,
)
from ponder.endgame.tables import build, open_tables

SAMPLE = 2000
# plies of the longest win with White to move (mate in n: 2 n - 1), White's wins and draws with
# White and with Black to move, images by symmetry counted once
KNOWN = {
    "KQK": (2 * 10 - 1, 18081, 0, 25160, 2896),
    "KRK": (2 * 16 - 1, 21959, 0, 25260, 2796),
    "KPK": (2 * 28 - 1, 62480, 19184, 48802, 35210),
}


@pytest.fixture(scope="module")
def tables():
    """KQK, KRK and KPK."""
    built = {}
    counts = {}
    for cls in in_order([parse_class("KPK")]):
        built[cls], counts[cls.name] = build_class(cls, built)
    return built, counts


@pytest.mark.parametrize("name", KNOWN)
def test_longest_mates_and_counts_are_the_known_ones(tables, name):
    counts = tables[1][name]
    longest, *numbers = KNOWN[name]
    assert counts["White to move: longest White win"] == longest
    assert [
        counts[f"{side} to move: {result}"]
        for side in ("White", "Black")
        for result in ("White wins", "draws")
    ] == numbers
    assert counts["White to move: Black wins"] == counts["Black to move: Black wins"] == 0


def board_of(cls: Class, number: int) -> chess.Board:
    """The position as python-chess has it."""
    side, wk, bk, *squares = (int(x) for x in position_of(cls.shape, number))
    board = chess.Board(None)
    board.turn = side == 0
    board.set_piece_at(wk, chess.Piece(chess.KING, chess.WHITE))
    board.set_piece_at(bk, chess.Piece(chess.KING, chess.BLACK))
    for man, square in zip(cls.men, squares, strict=True):
        if man:
            kind, white = (man, True) if man <= BLACK else (man - BLACK, False)
            board.set_piece_at(square, chess.Piece(kind, white))
    return board


def code_by_squares(library, board: chess.Board) -> int:
    men = []
    for square, piece in board.piece_map().items():
        if piece.piece_type != chess.KING:
            men.append((piece.piece_type + (0 if piece.color else BLACK), square))
    random.shuffle(men)  # the order must not matter
    (first, a), (second, b) = [*men, (0, 0), (0, 0)][:2]
    wk, bk = board.king(chess.WHITE), board.king(chess.BLACK)
    return int(code_of(library, int(not board.turn), wk, bk, first, a, second, b))


def derived(library, board: chess.Board) -> int:
    """The code that follows from those of the successors."""
    mine = 1 if board.turn else -1
    codes = []
    for move in board.legal_moves:
        board.push(move)
        codes.append(mine * code_by_squares(library, board))
        board.pop()
    if not codes:
        return -mine if board.is_check() else 0
    wins = [code for code in codes if code > 0]
    if wins:
        return mine * (min(wins) + 1)
    if 0 in codes:
        return 0
    return mine * (min(codes) - 1)


@pytest.mark.parametrize("name", KNOWN)
def test_each_sampled_value_follows_from_the_successors_that_python_chess_finds(tables, name):
    cls = parse_class(name)
    codes = tables[0][cls]
    library = make_library(tables[0])
    rng = random.Random(name)
    numbers = rng.sample(np.flatnonzero(codes != UNKNOWN).tolist(), SAMPLE)
    for number in numbers:
        board = board_of(cls, number)
        assert derived(library, board) == codes[number], board.fen()


@pytest.mark.parametrize("name", KNOWN)
def test_numbers_without_a_position_are_just_the_illegal_ones_and_images(tables, name):
    cls = parse_class(name)
    codes = tables[0][cls]
    for number in random.Random(4).sample(range(cls.size), 3000):
        side, *squares = (int(x) for x in position_of(cls.shape, number))
        same = int(number_of(cls.shape, side, *squares)) == number
        distinct = len(set(squares[:3])) == 3
        board = board_of(cls, number)
        pawns_stand = not board.pawns & (chess.BB_RANK_1 | chess.BB_RANK_8)
        board_is_legal = distinct and pawns_stand and not board.was_into_check()
        assert (codes[number] != UNKNOWN) == (same and board_is_legal), board.fen()


def test_positions_turned_mirrored_and_with_colours_exchanged_have_the_same_code(tables):
    library = make_library(tables[0])
    rng = random.Random(8)
    for name in KNOWN:
        cls = parse_class(name)
        legal = np.flatnonzero(tables[0][cls] != UNKNOWN).tolist()
        for number in rng.sample(legal, 200):
            board = board_of(cls, number)
            images = [board, board.transform(chess.flip_horizontal)]
            if name != "KPK":
                images += [b.transform(chess.flip_vertical) for b in images]
                images += [b.transform(chess.flip_diagonal) for b in images]
            for image in images:
                code = code_by_squares(library, image)
                assert code == tables[0][cls][number]
                assert code_by_squares(library, image.mirror()) == -code


def test_classes_need_those_that_captures_and_promotions_lead_to():
    names = {cls.name for cls in needed_by(parse_class("KPKR"))}
    assert names == {"KRK", "KPK", "KQK", "KQKR", "KRKR", "KRKB", "KRKN"}
    assert [c.name for c in in_order([parse_class("KRKQ")])] == ["KRK", "KQK", "KQKR"]
    assert parse_class("kkq") == parse_class("KQK")


@pytest.mark.parametrize("name", ["KPKP", "KBK", "KK", "QK", "KQRBK", "KXK"])
def test_classes_that_cannot_be_built_are_refused(name):
    with pytest.raises(InputError):
        parse_class(name)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    where = tmp_path_factory.mktemp("tables")
    build(position("chess"), classes="KPK", folder=where)
    return where


def test_positions_are_looked_up_by_their_records(folder, tables):
    opened = open_tables("chess", folder)
    library = make_library(tables[0])
    rng = random.Random(3)
    for name in KNOWN:
        cls = parse_class(name)
        legal = np.flatnonzero(tables[0][cls] != UNKNOWN).tolist()
        for number in rng.sample(legal, 100):
            board = board_of(cls, number)
            code = code_by_squares(library, board) * (1 if board.turn else -1)
            here = position("chess", board.fen())
            if here.is_terminal:
                continue
            found = opened.probe(here)
            assert found.value == np.sign(code)
            assert found.distance == max(abs(code) - 1, 0)


def test_the_best_move_wins_as_fast_as_the_table_says(folder):
    opened = open_tables("chess", folder)
    here = position("chess", "4k3/8/4K3/4P3/8/8/8/8 w - - 0 1")
    found = opened.probe(here)
    assert found.value == 1  # the king on the sixth rank before his pawn
    for left in range(int(found.distance), 0, -1):
        assert opened.probe(here).distance == left
        here = here.play(opened.moves(here)[0].action)
    assert here.is_terminal
    assert abs(here.returns[0]) == 1


def test_castling_rights_a_late_clock_and_more_men_are_left_to_the_search(folder):
    opened = open_tables("chess", folder)
    known = "8/8/8/8/8/2k5/8/R3K3 w - - {} 1"
    assert opened.probe(position("chess", known.format(0))).value == 1
    distance = opened.probe(position("chess", known.format(0))).distance
    assert opened.probe(position("chess", known.format(100 - distance))).value == 1
    assert opened.probe(position("chess", known.format(101 - distance))) is None
    assert opened.probe(position("chess", "8/8/8/8/8/2k5/8/R3K3 w Q - 0 1")) is None
    assert opened.probe(position("chess")) is None


def test_one_file_is_opened_with_the_classes_it_leads_to(folder):
    opened = open_tables("chess", folder / "chess-KPK.endgame")
    rows = opened.moves(position("chess", "8/P7/8/8/8/8/6k1/4K3 w - - 0 1"))
    assert rows[0].name == "a7a8q"
    assert {row.name: row.value for row in rows}["a7a8n"] == 0
    assert None not in [row.value for row in rows]
