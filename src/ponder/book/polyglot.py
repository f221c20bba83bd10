"""Polyglot opening books of chess (``.bin``), read only.

A file is a list of entries of 16 bytes, big-endian, sorted by key: the key of the position (8
bytes), the move (2), its weight (2) and a field for learning (4), which is not used here. A move
has the file and rank of its target in bits 0-2 and 3-5, those of its origin in bits 6-8 and 9-11,
and the promotion (1 knight, 2 bishop, 3 rook, 4 queen) above; castling is written as the king
taking its own rook.

The keys are made of 781 published random numbers that Ponder does not carry. They come from the
library python-chess (``pip install chess``; GPL), which is looked for only when such a book is
opened.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from ponder.book.book import BookMove
from ponder.core.position import Position
from ponder.core.protocols import Game
from ponder.core.registry import game_text
from ponder.errors import InputError
from ponder.files import read_file
from ponder.games.chess.attacks import K
from ponder.games.chess.game import Chess
from ponder.games.chess.notation import split

ENTRY = np.dtype([("key", ">u8"), ("move", ">u2"), ("weight", ">u2"), ("learn", ">u4")])
PROMOTIONS = " nbrq"
A, G, H = 0, 6, 7


class PolyglotBook:
    """A book with the same lookup as `ponder.book.book.Book`; weights are its counts."""

    def __init__(self, game: Game, entries: Any) -> None:
        self.game, self.entries = game, entries
        self.keys = entries["key"].astype(np.uint64)

    @property
    def positions(self) -> int:
        return int(np.unique(self.keys).size)

    @property
    def moves(self) -> int:
        return len(self.entries)

    def lookup(self, position: Position) -> tuple[BookMove, ...]:
        """The moves that the book has here, the heaviest first. All of them are legal."""
        if position.is_terminal:
            return ()
        key = np.uint64(polyglot_key(position))
        first, last = (int(np.searchsorted(self.keys, key, side)) for side in ("left", "right"))
        legal = {polyglot_code(position, a): a for a in position.facts.actions}
        found = [
            BookMove(
                action=legal[int(entry["move"])],
                name=position.action_name(legal[int(entry["move"])]),
                count=int(entry["weight"]),
                score=None,
                value=None,
            )
            for entry in self.entries[first:last]
            if int(entry["move"]) in legal
        ]
        return tuple(sorted(found, key=lambda move: (-move.count, move.action)))

    @staticmethod
    def load(path: str | Path, game: Game) -> PolyglotBook:
        if not isinstance(game, Chess):
            raise InputError(f"{path}: Polyglot books are for chess, not for {game_text(game)}")
        data = read_file(path)
        if not data or len(data) % ENTRY.itemsize:
            raise InputError(
                f"{path} is not a whole Polyglot book: {len(data)} bytes, not a multiple of 16"
            )
        book = PolyglotBook(game, np.frombuffer(data, ENTRY))
        if np.any(book.keys[1:] < book.keys[:-1]):
            raise InputError(f"{path} is not a Polyglot book: its keys are not in order")
        python_chess()
        return book


def python_chess() -> Any:
    """The library that knows the numbers of the keys."""
    try:
        import chess.polyglot
    except ImportError:
        raise InputError(
            "Polyglot books need the keys of python-chess: pip install chess (GPL, not a part "
            "of Ponder)"
        ) from None
    return chess


def polyglot_key(position: Position) -> int:
    """The key of a chess position, as Polyglot numbers it."""
    chess = python_chess()
    board = chess.Board(position.text(), chess960=position.rules.game.chess960)
    return int(chess.polyglot.zobrist_hash(board))


def polyglot_code(position: Position, action: int) -> int:
    """A legal move as Polyglot writes it."""
    start, to, _ = split(action)
    s: Any = position.raw_state[0]
    castles = s.board[start] == K and abs(to % 8 - start % 8) == 2
    if castles and not position.rules.game.chess960:
        to = start - start % 8 + (H if to % 8 == G else A)
    letter = position.action_name(action)[4:]
    return to | start << 6 | (PROMOTIONS.index(letter) << 12 if letter else 0)
