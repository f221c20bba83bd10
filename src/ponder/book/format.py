"""The file of a book: one header, the game's text, one row of 24 bytes a move.

    0   8 bytes   PONDERBK
    8   u4        version of the format (1)
    12  u4        length of the game's text
    16  u8        number of rows
    24  u8        fingerprint: how the rules name the start of the game
    32  16 bytes  BLAKE2b of everything else
    48            the game with all its parameters (UTF-8), zeros up to a multiple of 8
    ...           rows, sorted by key and move: see `ROW`

All numbers are little-endian. Reading checks everything: a damaged file never becomes a book.
"""

from __future__ import annotations

import struct
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ponder.core.formats import wrong_format
from ponder.errors import InputError
from ponder.files import read_file, save_file

MAGIC = b"PONDERBK"
VERSION = 1
ROW = np.dtype(
    [
        ("key", "<u8"),
        ("move", "<i4"),
        ("count", "<u4"),  # how often it was played
        ("score", "<f4"),  # mean utility for the mover in games of known result; NaN: none
        ("value", "<f4"),  # what a search found, for the mover; NaN: not searched
    ]
)
_HEAD = struct.Struct("<8sIIQQ")
_DIGEST = 16
_START = _HEAD.size + _DIGEST


class BookFile(NamedTuple):
    """What a file holds."""

    game: str
    fingerprint: int
    rows: Any


def write_book(path: Path, book: BookFile) -> None:
    """Write the whole file or nothing."""
    text = book.game.encode()
    rows = np.ascontiguousarray(book.rows, ROW)
    head = _HEAD.pack(MAGIC, VERSION, len(text), len(rows), book.fingerprint)
    body = text + bytes(-len(text) % 8) + rows.tobytes()
    save_file(path, head + _digest(head, body) + body)


def read_book(path: Path) -> BookFile:
    """The book in the file; InputError says in one line why it cannot be used."""
    data = read_file(path)
    if not data.startswith(MAGIC):
        raise wrong_format(path, "a book", data)
    if len(data) >= 12 and (version := int.from_bytes(data[8:12], "little")) != VERSION:
        raise InputError(f"{path} is a book of format {version}; this Ponder reads {VERSION}")
    if len(data) < _START:
        raise InputError(f"{path} is cut short: {len(data)} bytes, less than the header of a book")
    _, _, length, count, fingerprint = _HEAD.unpack_from(data)
    first = _START + length + -length % 8
    wanted = first + count * ROW.itemsize
    if len(data) != wanted:
        fault = "cut short" if len(data) < wanted else "damaged"
        raise InputError(f"{path} is {fault}: {len(data)} bytes where its header says {wanted}")
    if data[_HEAD.size : _START] != _digest(data[: _HEAD.size], memoryview(data)[_START:]):
        raise InputError(f"{path} is damaged: its checksum is wrong")
    rows = np.frombuffer(data, ROW, count, first)
    game = data[_START : _START + length].decode(errors="replace")
    if not game.isprintable() or "\ufffd" in game:
        raise InputError(f"{path} is damaged: its game is not a line of text")
    return BookFile(game, fingerprint, rows)


def _digest(head: bytes, body: bytes | memoryview) -> bytes:
    sum_ = blake2b(head, digest_size=_DIGEST)
    sum_.update(body)
    return sum_.digest()
