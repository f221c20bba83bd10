"""Event files for TensorBoard: numbers over time, without a dependency.

A file is a row of records (length, its checksum, data, its checksum), each the protocol buffer
`tensorflow.Event`: wall_time = 1 (double), step = 2 (varint), file_version = 3 (string),
summary = 5 { value = 1 { tag = 1 (string), simple_value = 2 (float) } }. Checksums are CRC-32C,
rotated and shifted as the format asks.
"""

from __future__ import annotations

import struct
import time
from functools import lru_cache
from pathlib import Path

from ponder.errors import InputError
from ponder.learn.onnx_file import varint


@lru_cache(maxsize=1)
def _table() -> list[int]:
    """CRC-32C (Castagnoli), byte by byte."""
    made = []
    for byte in range(256):
        for _ in range(8):
            byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)  # noqa: PLW2901
        made.append(byte)
    return made


def masked_crc(data: bytes) -> int:
    crc = 0xFFFFFFFF
    table = _table()
    for byte in data:
        crc = table[(crc ^ byte) & 0xFF] ^ crc >> 8
    crc ^= 0xFFFFFFFF
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


def record(data: bytes) -> bytes:
    length = struct.pack("<Q", len(data))
    sums = (struct.pack("<I", masked_crc(part)) for part in (length, data))
    first, second = sums
    return length + first + data + second


def _field(number: int, data: bytes) -> bytes:
    """A field of bytes, a text or a message."""
    return varint(number << 3 | 2) + varint(len(data)) + data


def event(step: int, values: dict[str, float], when: float) -> bytes:
    """The numbers of one step."""
    rows = b"".join(
        _field(1, _field(1, tag.encode()) + b"\x15" + struct.pack("<f", value))
        for tag, value in values.items()
    )
    return b"\x09" + struct.pack("<d", when) + b"\x10" + varint(step) + _field(5, rows)


class EventFile:
    """A new event file in a folder; each call of `write` adds a step."""

    def __init__(self, folder: Path) -> None:
        began = time.time()
        self.path = folder / f"events.out.tfevents.{began:.6f}.ponder"
        version = b"\x09" + struct.pack("<d", began) + _field(3, b"brain.Event:2")
        self._add(version)

    def write(self, step: int, values: dict[str, float]) -> None:
        self._add(event(step, values, time.time()))

    def _add(self, data: bytes) -> None:
        try:
            with self.path.open("ab") as file:
                file.write(record(data))
        except OSError as error:
            raise InputError(f"cannot write {self.path}: {error.strerror}") from None
