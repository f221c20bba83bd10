"""The files of endgame tables: which game and rules they are of, and their arrays
(`ponder.core.array_file`)."""

from __future__ import annotations

import hashlib
import inspect
import os
import re
from pathlib import Path
from typing import Any

from ponder.core.array_file import CHECKED, START, ArrayFile
from ponder.core.parts import is_ours
from ponder.core.registry import game_text
from ponder.errors import InputError
from ponder.json_text import json_object

MAGIC = b"PONDER ENDGAME 1"
SUFFIX = ".endgame"
FILE = ArrayFile(MAGIC, "an endgame table", "build it again")


def default_folder() -> Path:
    """``endgame`` in the folder PONDER_DATA, or else in ``~/.local/share/ponder``."""
    data = os.environ.get("PONDER_DATA")
    return (Path(data) if data else Path.home() / ".local" / "share" / "ponder") / "endgame"


def identity(game: Any) -> dict[str, str]:
    """What must agree for a table to belong to a game: its text, its record, its own source."""
    found = {"game": game_text(game), "record": _digest(str(game.spec().state.descr).encode())}
    if not is_ours(type(game)):
        try:
            source = Path(inspect.getfile(type(game))).read_bytes()
        except (OSError, TypeError):
            source = b""
        found["source"] = _digest(source)
    return found


def _digest(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=8).hexdigest()


def file_name(game: Any, part: str) -> str:
    """A name for the table of `part` of a game: readable, and different for different ones."""
    words = re.sub(r"\W+", "-", Path(game_text(game)).name).strip("-")
    if re.fullmatch(r"\w+", part):
        return f"{words}-{part}{SUFFIX}"
    return f"{words}-{_digest((game_text(game) + part).encode())}{SUFFIX}"


def write(path: Path, header: dict[str, Any], arrays: dict[str, Any]) -> int:
    """Write a table; returns its size in bytes. Makes the folder where there is none."""
    return FILE.write(path, header, arrays)


def read(path: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """The header and the arrays of a table, these mapped into memory. Refuses any damage."""
    return FILE.read(path)


def check_array(path: Path, arrays: dict[str, Any], name: str, kind: Any, shape: Any) -> Any:
    """The array of that name; refuses any other than the rules of its table ask for, so that
    nobody ever looks outside it."""
    return FILE.check_array(path, arrays, name, kind, shape)


def check_counts(path: Path, header: dict[str, Any], counts: dict[str, int]) -> None:
    """Refuse a header that counts something else than there is; it need not count at all."""
    for name, count in counts.items():
        if header.get(name, count) != count:
            raise InputError(
                f"{path} is damaged ({name}: {header[name]} in its header, {count:,} in it): build "
                "it again"
            )


def game_of(path: Path) -> str:
    """The game that the header names; nothing else is looked at."""
    try:
        with path.open("rb") as file:
            start = file.read(START)
            length = int.from_bytes(start[CHECKED:START], "little")
            if not start.startswith(MAGIC) or length > path.stat().st_size:
                raise InputError(f"{path} is not an endgame table, or damaged: build it again")
            return str(json_object(file.read(length))["game"])
    except OSError as error:
        raise InputError(f"cannot read the endgame table {path}: {error.strerror}") from None
    except (ValueError, KeyError):
        raise InputError(f"{path} is damaged: build it again") from None


def check_game(path: Path, header: dict[str, Any], game: Any) -> None:
    """Refuse a table of another game, of other parameters, or of other rules under its name."""
    for key, value in identity(game).items():
        if header.get(key) != value:
            if key == "game":
                raise InputError(f"{path} is a table of {header.get(key)}, not of {value}")
            raise InputError(f"{path} was built when {game_text(game)} had other rules: rebuild it")
