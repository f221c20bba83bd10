"""Files of books: what was written is read, and whatever is not whole or not ours is refused."""

from __future__ import annotations

import pytest

from ponder import InputError, game, position
from ponder.book.book import Book
from ponder.book.builder import BookBuilder
from ponder.book.format import read_book, write_book

GAME = "nim"


@pytest.fixture
def file(tmp_path):
    """A small book."""
    builder = BookBuilder(game(GAME))
    start = position(GAME)
    builder.add_game(start.play_all("4:3 3:1 3:1 2:1"), (-1.0, 1.0), plies=3)
    builder.add_game(start.play_all("1:1 2:1"), None, plies=3)
    builder.add_value(start, start.parse_action("2:2"), 0.25, 7)
    path = tmp_path / "small.book"
    builder.book().save(path)
    return path


def refusal(path, of=GAME) -> str:
    with pytest.raises(InputError) as caught:
        Book.load(path, game(of))
    message = str(caught.value)
    assert "\n" not in message
    return message


def test_a_book_is_read_as_it_was_written(file):
    book = Book.load(file, game(GAME))
    found = {move.name: move for move in book.lookup(position(GAME))}
    assert {name: (m.count, m.score, m.value) for name, m in found.items()} == {
        "4:3": (1, -1.0, None),
        "1:1": (1, None, None),
        "2:2": (7, None, 0.25),
    }
    assert (book.positions, book.moves) == (4, 6)


def test_the_same_book_has_the_same_bytes(file, tmp_path):
    Book.load(file, game(GAME)).save(tmp_path / "again.book")
    assert (tmp_path / "again.book").read_bytes() == file.read_bytes()


def test_a_file_cut_short_anywhere_is_refused(file):
    data = file.read_bytes()
    for length in range(len(data)):
        file.write_bytes(data[:length])
        assert "cut short" in refusal(file) or length < 12
    file.write_bytes(data + b"\0")
    assert "damaged" in refusal(file)


def test_a_change_of_any_byte_is_noticed(file):
    data = file.read_bytes()
    for at in range(len(data)):
        file.write_bytes(data[:at] + bytes([data[at] ^ 0x10]) + data[at + 1 :])
        refusal(file)


def test_another_format_is_named(file):
    data = file.read_bytes()
    file.write_bytes(data[:8] + b"\x02" + data[9:])
    assert refusal(file).endswith("is a book of format 2; this Ponder reads 1")


def test_a_game_that_is_not_a_line_of_text_is_not_repeated(file):
    found = read_book(file)
    for name in ("tictac\ntoe()", "tictac\ufffdtoe()"):
        write_book(file, found._replace(game=name))
        assert refusal(file).endswith("is damaged: its game is not a line of text")


def test_something_else_is_not_a_book(tmp_path):
    (tmp_path / "x.book").write_text("1. e4 e5")
    assert "is not a book" in refusal(tmp_path / "x.book")
    assert "cannot read" in refusal(tmp_path / "absent.book")


def test_a_book_of_another_game_or_other_parameters_is_refused(file, tmp_path):
    assert refusal(file, "tictactoe").endswith(
        "is a book of nim(heaps=(1, 3, 5, 7), misere=False), not of tictactoe()"
    )
    assert "not of nim(heaps=(3, 5), misere=False)" in refusal(file, "nim(heaps=(3, 5))")
    small = "connect4(columns=4, rows=4)"
    BookBuilder(game(small)).book().save(tmp_path / "four.book")
    assert Book.load(tmp_path / "four.book", game(small)).positions == 0
    assert "is a book of connect4(columns=4, rows=4, run=4" in refusal(
        tmp_path / "four.book", "connect4"
    )


def test_a_book_made_by_other_rules_of_the_same_name_is_refused(file, monkeypatch):
    monkeypatch.setattr("ponder.book.book.fingerprint", lambda game: 1)
    assert "fits other rules of nim(heaps=(1, 3, 5, 7), misere=False): build it again" in refusal(
        file
    )


def test_a_book_that_cannot_be_written_is_said_so(tmp_path):
    with pytest.raises(InputError, match=r"cannot write .*absent"):
        BookBuilder(game(GAME)).book().save(tmp_path / "absent" / "x.book")
