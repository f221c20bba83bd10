"""The files of endgame tables: a header that says of what, arrays, and a checksum over both.

    16 bytes   PONDER ENDGAME 1
    32 bytes   BLAKE2b checksum of all that follows
     8 bytes   length of the header
    header     JSON: game, kind, class, counts, and where each array lies
    arrays     each from a multiple of 64 bytes on, so that they can be mapped into memory

A file is written whole or not at all, and read only if every byte is as it was written.
"""

from __future__ import annotations

import hashlib
import inspect
import json
import math
import mmap
import os
import re
from pathlib import Path
from typing import Any

import numpy as np

from ponder.core.registry import game_text
from ponder.errors import InputError
from ponder.files import json_object, save_file

MAGIC = b"PONDER ENDGAME 1"
CHECKED = len(MAGIC) + 32
"""Where the checksum has ended, and what it covers begins."""
START = CHECKED + 8
SUFFIX = ".endgame"
ALIGNMENT = 64


def default_folder() -> Path:
    """``endgame`` in the folder PONDER_DATA, or else in ``~/.local/share/ponder``."""
    data = os.environ.get("PONDER_DATA")
    return (Path(data) if data else Path.home() / ".local" / "share" / "ponder") / "endgame"


def identity(game: Any) -> dict[str, str]:
    """What must agree for a table to belong to a game: its text, its record, its own source."""
    found = {"game": game_text(game), "record": _digest(str(game.spec().state.descr).encode())}
    if not type(game).__module__.startswith("ponder."):
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
    layout: dict[str, Any] = {}
    at = 0
    for name, array in arrays.items():
        layout[name] = {"type": array.dtype.str, "shape": array.shape, "at": at}
        at += -(-array.nbytes // ALIGNMENT) * ALIGNMENT
    text = json.dumps(header | {"arrays": layout}).encode()
    text += b" " * (-(START + len(text)) % ALIGNMENT)
    pieces = [len(text).to_bytes(8, "little"), text]
    for array in arrays.values():
        data = np.ascontiguousarray(array).tobytes()
        pieces.append(data + bytes(-len(data) % ALIGNMENT))
    body = b"".join(pieces)
    checksum = hashlib.blake2b(body, digest_size=32).digest()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror}") from None
    save_file(path, MAGIC + checksum + body)
    return CHECKED + len(body)


def read(path: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """The header and the arrays of a table, these mapped into memory. Refuses any damage."""
    try:
        with path.open("rb") as file:
            data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "the file is empty"
        raise InputError(f"cannot read the endgame table {path}: {reason}") from None
    if data[: len(MAGIC)] != MAGIC:
        raise InputError(f"{path} is not an endgame table, or one of another version")
    view = memoryview(data)
    if hashlib.blake2b(view[CHECKED:], digest_size=32).digest() != data[len(MAGIC) : CHECKED]:
        raise InputError(f"{path} is damaged (its checksum does not agree): build it again")
    end = START + int.from_bytes(data[CHECKED:START], "little")
    try:
        header = json_object(data[START:end])
        arrays = {}
        for name, where in header["arrays"].items():
            kind, shape = np.dtype(where["type"]), tuple(where["shape"])
            count = math.prod(shape)
            arrays[name] = np.frombuffer(view, kind, count, end + where["at"]).reshape(shape)
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError):
        raise InputError(f"{path} is damaged (its header makes no sense): build it again") from None
    return header, arrays


def check_array(path: Path, arrays: dict[str, Any], name: str, kind: Any, shape: Any) -> Any:
    """The array of that name; refuses any other than the rules of its table ask for, so that
    nobody ever looks outside it."""
    found = arrays.get(name)
    if found is None or found.dtype != kind or found.shape != shape:
        raise InputError(f"{path} is damaged (its {name} have the wrong size): build it again")
    return found


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
