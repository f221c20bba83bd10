"""An engine with a book in front of it, and books in Polyglot's format."""

from __future__ import annotations

import struct
import sys

import chess
import chess.polyglot
import pytest

from ponder import InputError, Limit, engine, position
from ponder.book.builder import BookBuilder
from ponder.core.registry import parse_engine, part_text

INNER = "mcts(simulations=50)"


@pytest.fixture
def file(tmp_path):
    start = position("connect4")
    builder = BookBuilder(start.game)
    for moves, result in (("4 4 4", 1.0), ("4 4 3", 1.0), ("4 3 2", -1.0), ("3 4 5", 1.0)):
        builder.add_game(start.play_all(moves), (result, -result), plies=3)
    path = tmp_path / "openings.book"
    builder.book().save(path)
    return path


def with_book(file, **options) -> object:
    given = "".join(f", {name}={value!r}" for name, value in options.items())
    return engine(f'book("{file}", engine={INNER}{given})')


def test_a_known_position_is_answered_from_the_book(file):
    start = position("connect4")
    result = with_book(file).search(start, seed=1)
    assert (result.stopped_by, result.best_move.name, result.simulations) == ("book", "4", None)
    assert [(row.name, row.visits) for row in result.moves] == [("4", 3), ("3", 1)]
    assert result.value == pytest.approx(1 / 3)
    assert result.values == pytest.approx((1 / 3, -1 / 3))
    assert [move.name for move in result.pv[:2]] == ["4", "4"]
    assert "stopped by book" in str(result)
    assert result.to_json()["stopped_by"] == "book"


def test_an_unknown_position_is_left_to_the_engine(file):
    here = position("connect4").play_all("1 1")
    result = with_book(file).search(here, seed=3)
    alone = engine(INNER).search(here, seed=3)
    assert result.simulations == 50
    assert (result.action, result.values, result.moves) == (
        alone.action,
        alone.values,
        alone.moves,
    )
    assert result.engine == part_text(with_book(file))


def test_limits_reach_the_engine(file):
    here = position("connect4").play_all("1 1")
    assert with_book(file).search(here, simulations=20, seed=1).simulations == 20
    with pytest.raises(InputError, match="mcts is limited by"):
        with_book(file).search(here, Limit(depth=3))


def test_the_book_is_left_where_the_position_is_rare_or_the_plies_are_over(file):
    start = position("connect4")
    after = start.play("3")
    assert with_book(file, minimum=4).search(start, seed=1).stopped_by == "book"
    assert with_book(file, minimum=4).search(after, seed=1).stopped_by == "simulations"
    assert with_book(file, plies=1).search(start, seed=1).stopped_by == "book"
    assert with_book(file, plies=1).search(after, seed=1).stopped_by == "simulations"
    assert with_book(file).search(after, seed=1).stopped_by == "book"


def test_the_ways_of_choosing(file):
    start = position("connect4")
    assert with_book(file, choose="best").search(start, seed=1).best_move.name == "3"
    drawn = {
        with_book(file, choose="weight").search(start, seed=k).best_move.name for k in range(20)
    }
    assert drawn == {"3", "4"}


def test_a_changed_file_is_read_again(file):
    start = position("connect4")
    searcher = with_book(file)
    assert searcher.search(start, seed=1).best_move.name == "4"
    builder = BookBuilder(start.game)
    builder.add_game(start.play_all("1 2 3 4 5"), (1.0, -1.0), plies=5)
    builder.book().save(file)
    assert searcher.search(start, seed=1).best_move.name == "1"


def test_the_text_of_the_engine_parses_back_to_itself(file):
    searcher = with_book(file, minimum=3, choose="weight")
    assert parse_engine(part_text(searcher)) == searcher
    within = f'book("a", engine=book("b", engine={INNER}))'
    assert parse_engine(part_text(engine(within))) == engine(within)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("book()", "book needs file, engine"),
        ('book("x")', "book needs engine"),
        ('book("x", engine=3)', "must be an engine such as mcts"),
        ('book("x", engine=nonsense())', "unknown engine 'nonsense'"),
        ('book("x", engine=ucb1())', "ucb1 is no engine but a part of one"),
        ('book("x", engine=mcts(), choose="worst")', "one of most, weight, best"),
        ('book("x", engine=mcts(), plies=-1)', "must not be negative"),
        ("book(3, engine=mcts())", "file of BookEngine must be a text"),
    ],
)
def test_a_wrong_text_is_refused(text, message):
    with pytest.raises(InputError, match=message):
        engine(text)


def test_a_book_of_another_game_or_no_book_is_refused(file, tmp_path):
    with pytest.raises(InputError, match=r"is a book of connect4\(columns=7"):
        with_book(file).search(position("tictactoe"))
    with pytest.raises(InputError, match="cannot read"):
        with_book(tmp_path / "absent").search(position("connect4"))


# ------------------------------------------------------------------ Polyglot

POSITIONS = [
    chess.STARTING_FEN,
    "r3k2r/pppq1ppp/2n5/3pp3/3PP3/2N5/PPPQ1PPP/R3K2R w KQkq - 0 1",
    "r3k2r/pppq1ppp/2n5/3pp3/3PP3/2N5/PPPQ1PPP/R3K2R b KQkq - 0 1",
    "rnbqkbnr/ppp1pppp/8/8/3pP3/5N2/PPPP1PPP/RNBQKB1R b KQkq e3 0 3",
    "8/P6k/8/8/8/8/p6K/8 w - - 0 1",
]


def polyglot_bits(board: chess.Board, move: chess.Move) -> int:
    to = move.to_square
    if board.is_castling(move):
        to = chess.square(7 if chess.square_file(to) == 6 else 0, chess.square_rank(to))
    promotion = {None: 0, chess.KNIGHT: 1, chess.BISHOP: 2, chess.ROOK: 3, chess.QUEEN: 4}
    return to | move.from_square << 6 | promotion[move.promotion] << 12


@pytest.fixture
def polyglot(tmp_path):
    """All moves of the positions, with weights, and one move that is not legal."""
    entries = []
    for fen in POSITIONS:
        board = chess.Board(fen)
        key = chess.polyglot.zobrist_hash(board)
        for weight, move in enumerate(board.legal_moves, 1):
            entries.append((key, polyglot_bits(board, move), weight, 0))
        entries.append((key, 0b111_000_000_001, 999, 0))
    path = tmp_path / "all.bin"
    path.write_bytes(b"".join(struct.pack(">QHHI", *entry) for entry in sorted(entries)))
    return path


@pytest.mark.parametrize("fen", POSITIONS)
def test_a_polyglot_book_gives_the_moves_that_python_chess_finds(polyglot, fen):
    from ponder.book.engine import open_book

    here = position("chess", fen)
    found = {move.name: move.count for move in open_book(polyglot, here.game).lookup(here)}
    board = chess.Board(fen)
    with chess.polyglot.open_reader(polyglot) as reader:
        wanted = {e.move.uci(): e.weight for e in reader.find_all(board) if e.weight != 999}
    assert found == wanted
    assert len(found) == board.legal_moves.count()


def test_an_engine_plays_from_a_polyglot_book(polyglot):
    result = engine(f'book("{polyglot}", engine=random())').search(position("chess"), seed=1)
    assert (result.stopped_by, result.moves[0].visits) == ("book", 20)
    later = position("chess").play("e2e4")
    left = engine(f'book("{polyglot}", engine=random())').search(later, seed=1)
    assert left.stopped_by == "nodes"


def test_a_polyglot_book_that_is_not_whole_or_not_for_chess_is_refused(polyglot):
    data = polyglot.read_bytes()
    searcher = engine(f'book("{polyglot}", engine=random())')
    with pytest.raises(InputError, match="are for chess, not for nim"):
        searcher.search(position("nim"))
    polyglot.write_bytes(data[:-1])
    with pytest.raises(InputError, match="not a multiple of 16"):
        searcher.search(position("chess"))
    polyglot.write_bytes(data[16 * 30 :] + data[: 16 * 30])
    with pytest.raises(InputError, match="keys are not in order"):
        searcher.search(position("chess"))


def test_without_python_chess_the_line_says_what_to_install(polyglot, monkeypatch):
    monkeypatch.setitem(sys.modules, "chess.polyglot", None)
    with pytest.raises(InputError, match="pip install chess"):
        engine(f'book("{polyglot}", engine=random())').search(position("chess"))
