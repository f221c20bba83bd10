"""A small file of each format of this layer, and its reader: see `ponder.core.formats`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ponder.arena.match import match
from ponder.arena.openings import read_openings as openings_in
from ponder.arena.record import read_records
from ponder.core.position import Position
from ponder.files import save_file
from ponder.games.tictactoe import TicTacToe


def write_match(path: Path) -> None:
    match("tictactoe", "random()", "random()", games=4, seed=1, out=path)


def read_match(path: Path) -> Any:
    return read_records(path)


def write_openings(path: Path) -> None:
    save_file(path, b"# two of them\nb2 a1, c3\nstart\na1 b2\n")


def read_openings(path: Path) -> Any:
    return openings_in(Position(TicTacToe()), path)
