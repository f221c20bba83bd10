"""A small book of each format, and its reader: see `ponder.core.formats`."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

from ponder.book.book import Book
from ponder.book.builder import BookBuilder
from ponder.book.format import read_book as read_book_file
from ponder.book.polyglot import PolyglotBook, polyglot_code, polyglot_key
from ponder.core.position import Position
from ponder.files import save_file
from ponder.games.chess.game import Chess
from ponder.games.tictactoe import TicTacToe


def write_book(path: Path) -> None:
    start = Position(TicTacToe())
    builder = BookBuilder(start.game)
    builder.add_game(start.play_all("b2 a1 c1 a3 a2"), (0.0, 0.0), plies=4)
    builder.book().save(path)


def read_book(path: Path) -> Any:
    start = Position(TicTacToe())
    found = Book.load(path, start.game).lookup(start)
    return found, read_book_file(path).rows.tobytes()


def write_polyglot(path: Path) -> None:
    start = Position(Chess())
    key = polyglot_key(start)
    codes = [polyglot_code(start, action) for action in start.facts.actions[:4]]
    save_file(path, b"".join(struct.pack(">QHHI", key, code, 3, 0) for code in codes))


def read_polyglot(path: Path) -> Any:
    start = Position(Chess())
    book = PolyglotBook.load(path, start.game)
    return book.lookup(start), book.entries.tobytes()
