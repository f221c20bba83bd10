"""Files of arrays: a header in JSON, arrays, and a checksum over both. No code is ever read.

    16 bytes   what kind of file, and the version of its form
    32 bytes   BLAKE2b checksum of all that follows
     8 bytes   length of the header
    header     JSON; "arrays" says where each array lies, and of what type and shape it is
    arrays     each from a multiple of 64 bytes on, so that they can be mapped into memory

A file is written whole or not at all, and read only if every byte is as it was written.
"""

from __future__ import annotations

import hashlib
import json
import math
import mmap
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ponder.errors import InputError
from ponder.files import save_file
from ponder.json_text import json_object

MAGIC_LENGTH = 16
CHECKED = MAGIC_LENGTH + 32
"""Where the checksum has ended, and what it covers begins."""
START = CHECKED + 8
ALIGNMENT = 64


class ArrayFile(NamedTuple):
    """A kind of file: its first 16 bytes, what people call it, and what to do about damage."""

    magic: bytes
    kind: str
    advice: str

    def write(self, path: Path, header: dict[str, Any], arrays: dict[str, Any]) -> int:
        """Write a file; returns its size in bytes. Makes the folder where there is none."""
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
        save_file(path, self.magic + checksum + body)
        return CHECKED + len(body)

    def read(self, path: Path) -> tuple[dict[str, Any], dict[str, Any]]:
        """The header and the arrays, these mapped into memory. Refuses any damage."""
        try:
            with path.open("rb") as file:
                data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or "the file is empty"
            raise InputError(f"cannot read {self.the} {path}: {reason}") from None
        if data[:MAGIC_LENGTH] != self.magic:
            raise InputError(f"{path} is not {self.kind}, or one of another version")
        view = memoryview(data)
        if hashlib.blake2b(view[CHECKED:], digest_size=32).digest() != data[MAGIC_LENGTH:CHECKED]:
            raise InputError(f"{path} is damaged (its checksum does not agree): {self.advice}")
        end = START + int.from_bytes(data[CHECKED:START], "little")
        try:
            header = json_object(data[START:end])
            arrays = arrays_in(view, end, header["arrays"])
        except (ValueError, KeyError, TypeError, AttributeError):
            raise InputError(
                f"{path} is damaged (its header makes no sense): {self.advice}"
            ) from None
        return header, arrays

    def check_array(
        self, path: Path, arrays: dict[str, Any], name: str, kind: Any, shape: Any
    ) -> Any:
        """The array of that name; InputError unless it is of just this type and shape, so that
        nobody ever looks outside it."""
        found = arrays.get(name)
        if found is None:
            raise InputError(f"{path} lacks the array {name}: {self.advice}")
        if found.dtype != kind or found.shape != tuple(shape):
            raise InputError(
                f"{path} has an array {name} of shape {found.shape} and type {found.dtype}; "
                f"expected {tuple(shape)} and {np.dtype(kind)}: {self.advice}"
            )
        return found

    @property
    def the(self) -> str:
        return "the " + self.kind.split(" ", 1)[1]


TYPES = frozenset(np.dtype(name).str for name in "?bBhHiIqQefd")
"""Of numbers alone, as NumPy writes them."""


def arrays_in(view: memoryview, begin: int, layout: dict[str, Any]) -> dict[str, Any]:
    """The arrays that a header tells of, each where `ArrayFile.write` puts it; ValueError and the
    like if they lie otherwise, or do not fill the file."""
    arrays, at = {}, 0
    for name, where in layout.items():
        shape = tuple(where["shape"])
        if where["type"] not in TYPES or where["at"] != at:
            raise ValueError("an array is of no known type, or lies elsewhere")
        if not all(type(n) is int and n >= 0 for n in shape):
            raise ValueError("the shape of an array is none")
        kind, count = np.dtype(where["type"]), math.prod(shape)
        if begin + at + count * kind.itemsize > len(view):
            raise ValueError("an array is cut short")
        arrays[name] = np.frombuffer(view, kind, count, begin + at).reshape(shape)
        at += -(-arrays[name].nbytes // ALIGNMENT) * ALIGNMENT
    if begin % ALIGNMENT or begin + at != len(view):
        raise ValueError("the arrays do not fill the file")
    return arrays
