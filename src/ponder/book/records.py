"""Book from game records, in the formats of `ponder.core.record_formats`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ponder.book.builder import BookBuilder
from ponder.book.collecting import Collected, Collecting, Tell, tell_nobody
from ponder.core.interrupt import interruptible
from ponder.core.record_formats import PlayedGame, RecordFiles, files_of
from ponder.errors import InputError
from ponder.files import read_file


def add_records(
    builder: BookBuilder, paths: list[Path], *, plies: int, tell: Tell = tell_nobody
) -> Collected:
    """Count the first `plies` plies of the games in the files (of a folder: all that fit).

    Ctrl-C keeps the games read so far.
    """
    try:
        known = files_of(builder.game)
    except InputError as error:
        raise InputError(f"{error}: build the book from self-play or by search") from None
    files = [file for path in paths for file in record_files(path, known.suffix)]
    done = 0
    with interruptible() as pressed:
        for file in files:
            for final, utilities in games_of(known, builder.game, file, plies):
                builder.add_game(final, utilities, plies)
                done += 1
                tell(Collecting(done, None, "games"))
                if pressed.is_set():
                    return Collected(done, True)
        return Collected(done, pressed.is_set())


def games_of(
    known: RecordFiles, game: Any, file: Path, plies: int | None = None
) -> Iterator[PlayedGame]:
    """The openings of a file's games, or all of them; errors say in which file."""
    try:
        yield from known.each(read_file(file), game, plies)
    except InputError as error:
        raise InputError(f"{file}: {error}") from None


def record_files(path: Path, suffix: str) -> list[Path]:
    """The file, or the files of the folder that end so."""
    if not path.is_dir():
        return [path]
    found = sorted(file for file in path.iterdir() if file.suffix.lower() == suffix)
    if not found:
        raise InputError(f"no {suffix} file in {path}")
    return found
