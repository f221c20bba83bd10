"""Book from game records: PGN files of chess, SGF files of Go."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ponder.book.builder import BookBuilder
from ponder.book.collecting import Collected, Collecting, Tell, tell_nobody
from ponder.core.interrupt import interruptible
from ponder.core.parts import identical
from ponder.core.position import Position
from ponder.core.registry import game_text
from ponder.errors import IllegalAction, InputError
from ponder.files import read_file
from ponder.games.chess.game import Chess
from ponder.games.go.game import Go

Record = tuple[Position, tuple[float, ...] | None]
"""The end of a game, and its result if that is known."""

RESULTS = {"1-0": (1.0, -1.0), "0-1": (-1.0, 1.0), "1/2-1/2": (0.0, 0.0)}


def add_records(
    builder: BookBuilder, paths: list[Path], *, plies: int, tell: Tell = tell_nobody
) -> Collected:
    """Count the first `plies` plies of the games in the files (of a folder: all that fit).

    Ctrl-C keeps the games read so far.
    """
    read, files = record_files(builder.game, *paths)
    done = 0
    with interruptible() as pressed:
        for file in files:
            for final, utilities in read(builder.game, file, plies):
                builder.add_game(final, utilities, plies)
                done += 1
                tell(Collecting(done, None, "games"))
                if pressed.is_set():
                    return Collected(done, True)
        return Collected(done, pressed.is_set())


def record_files(game: Any, *paths: Path) -> tuple[Any, list[Path]]:
    """The function that reads this game's records, and the files that it can read at the paths."""
    read, suffix = reader_for(game)
    return read, [file for path in paths for file in _files(path, suffix)]


def reader_for(game: Any) -> tuple[Any, str]:
    """The function that reads this game's records, and how their files end."""
    if isinstance(game, Chess):
        return read_pgn_file, ".pgn"
    if isinstance(game, Go):
        return read_sgf_file, ".sgf"
    raise InputError(
        f"game records are read for chess (PGN) and go (SGF), not for {game_text(game)}: "
        "build the book from self-play or by search"
    )


def _files(path: Path, suffix: str) -> list[Path]:
    if not path.is_dir():
        return [path]
    found = sorted(file for file in path.iterdir() if file.suffix.lower() == suffix)
    if not found:
        raise InputError(f"no {suffix} file in {path}")
    return found


def read_pgn_file(game: Any, file: Path, plies: int | None) -> Iterator[Record]:
    """The openings of the games in a PGN file; whole games, unless `plies` says how long."""
    from ponder.games.chess.pgn import each_game

    # Old files are in Latin-1, which every byte can be read as; moves are ASCII in both.
    data = read_file(file)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    games = each_game(text, plies)
    number = 0
    while True:
        try:
            record = next(games, None)
        except InputError as error:
            raise InputError(f"{file}: {error}") from None
        if record is None:
            return
        number += 1
        if not identical(record.final.game, game):
            raise InputError(
                f"{file}: game {number} is one of {game_text(record.final.game)}, "
                f"not of {game_text(game)}"
            )
        yield record.final, RESULTS.get(record.result)


def read_sgf_file(game: Any, file: Path, plies: int | None) -> Iterator[Record]:
    """The opening of an SGF file's game, or all of it, played again by the rules of the book."""
    from sgfmill import sgf

    from ponder.games.go.sgf import read_sgf

    data = read_file(file)
    try:
        record = read_sgf(data, simple_ko=game.simple_ko, suicide=game.suicide)
    except InputError as error:
        raise InputError(f"{file}: {error}") from None
    size = record.rules.game.size
    if (size, size) != (game.size, game.columns or game.size):
        raise InputError(f"{file} is a game on {size} lines, not of {game_text(game)}")
    start = record
    while start.last_action is not None:
        start = start.undo()
    here = Position.parse(game, start.text())
    for name in record.history_names[:plies]:
        if here.is_terminal:  # the book's game ends earlier
            break
        try:
            here = here.play(name)
        except IllegalAction:
            raise InputError(f"{file}: {name} is not legal by {game_text(game)}") from None
    yield here, _sgf_result(sgf.Sgf_game.from_bytes(data))


def _sgf_result(record: Any) -> tuple[float, ...] | None:
    winner = record.get_winner()
    if winner is not None:
        return (1.0, -1.0) if winner == "b" else (-1.0, 1.0)
    root = record.get_root()
    said = root.get("RE").strip().lower() if root.has_property("RE") else ""
    return (0.0, 0.0) if said in ("0", "draw", "jigo") else None
