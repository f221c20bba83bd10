"""`read_games`: the games in record files, as positions whose history is the game.

from ponder import position, read_games

for game in read_games("games.pgn", position("chess")):
    print(game.final.ply, game.returns, game.final.history_names[:6])
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from ponder.arena.record import read_records
from ponder.book.records import games_of, record_files
from ponder.core.position import Position
from ponder.core.record_formats import files_of
from ponder.core.registry import game_text
from ponder.errors import IllegalAction, InputError, quoted

MATCH = ".jsonl"


class RecordedGame(NamedTuple):
    """A game that was played."""

    final: Position
    """The position after its last move; `history` and `undo` lead through the game."""
    returns: tuple[float, ...] | None
    """One utility for each player, as the record has it; None where the result is not known."""


def read_games(path: str | Path, start: Position) -> Iterator[RecordedGame]:
    """The games of the game of `start`, one by one, from a file or from all files of a folder.

    PGN files of chess, SGF files of Go, and of every game the records of a match (``.jsonl``). A
    record of another game, an illegal move and a damaged file are an InputError that says where.
    """
    if not isinstance(start, Position):
        raise InputError(
            f"read_games takes a position of the game, such as position('chess'), not "
            f"{quoted(start)}"
        )
    path = Path(path)
    files = sorted(path.glob(f"*{MATCH}")) if path.is_dir() else [path]
    if files and all(file.suffix == MATCH for file in files):
        for file in files:
            yield from _of_match(file, start)
        return
    known = files_of(start.game)
    for file in record_files(path, known.suffix):
        for final, utilities in games_of(known, start.game, file):
            yield RecordedGame(final, utilities)


def _of_match(file: Path, start: Position) -> Iterator[RecordedGame]:
    header, played, _ = read_records(file)
    if header["game"] != game_text(start.game):
        raise InputError(f"{file} is a match of {header['game']}, not of {game_text(start.game)}")
    for one in played:
        here = Position(start.game)
        try:
            for name in (*one.task.opening.moves, *one.moves):  # names may contain blanks
                here = here.play(name)
        except IllegalAction as error:
            raise InputError(f"{file}: {one.name}: {error}") from None
        yield RecordedGame(here, one.returns)
