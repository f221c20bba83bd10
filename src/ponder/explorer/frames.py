"""What goes through pipes and sockets as bytes.

An update is one binary frame: a header as JSON, then the columns of the tree's nodes, each an
array of its own, so that a page reads them without copying.

    4 bytes     length n of the header, little-endian
    n bytes     the header, filled up with blanks so that 4 + n is divisible by 8;
                "columns": [[name, type, byte where it begins after the header], ...], "rows": count
    columns     as numpy writes them (little-endian), each at a multiple of 8

Between server and worker every frame has its length before it, and a letter: J for JSON, A for an
answer, which is JSON too, U for an update. W (what is to be compiled) and H (what is handed over)
are for the server alone: see `ponder.explorer.changeover`.
"""

from __future__ import annotations

import json
import struct
from typing import Any, BinaryIO

JSON, ANSWER, UPDATE = b"J", b"A", b"U"
WANTED, HANDED = b"W", b"H"
PLAIN_FIRST = "--plain-first"
"""The argument of a worker in plain mode whose searches a compiled one can take over."""

COLUMNS = (
    ("value", "f8"),
    ("prior", "f4"),
    ("low", "f8"),
    ("high", "f8"),
    ("node", "i4"),
    ("parent", "i4"),
    ("depth", "i4"),
    ("action", "i4"),
    ("visits", "i4"),
    ("children", "i4"),
    ("untried", "i4"),
    ("player", "i1"),
    ("cut", "u1"),
)
"""Of `ponder.mcts.view.SNAPSHOT_FIELDS`, with the types that a page has arrays for."""

LENGTH = struct.Struct("<I")


def update(header: dict[str, Any], rows: Any) -> bytes:
    """One update; `rows` is what `session.nodes()` gave, or None."""
    columns, pieces, at = [], [], 0
    for name, kind in COLUMNS if rows is not None else ():
        data = rows[name].astype(f"<{kind}").tobytes()
        columns.append([name, kind, at])
        pieces.append(data + bytes(-len(data) % 8))
        at += len(pieces[-1])
    count = 0 if rows is None else len(rows)
    head = json.dumps({**header, "columns": columns, "rows": count}, allow_nan=False).encode()
    head += b" " * (-(LENGTH.size + len(head)) % 8)
    return b"".join([LENGTH.pack(len(head)), head, *pieces])


def write_frame(stream: BinaryIO, letter: bytes, data: bytes) -> None:
    """One frame into a pipe, at once."""
    stream.write(LENGTH.pack(len(data) + 1) + letter + data)
    stream.flush()


def read_frame(stream: BinaryIO) -> tuple[bytes, bytes] | None:
    """The next frame of a pipe: its letter and its data; None where the pipe has ended."""
    length = stream.read(LENGTH.size)
    if len(length) < LENGTH.size:
        return None
    data = stream.read(LENGTH.unpack(length)[0])
    return data[:1], data[1:]
