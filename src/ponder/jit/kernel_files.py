"""The files of compiled code: what stands in them, how many may be kept, which are removed.

A file is a checksum, a line that says what the code is for, and the code. Ponder removes files
with names that it gives itself, and nothing else.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import time
from pathlib import Path
from typing import Any, NamedTuple

from ponder import cache_times
from ponder.files import UNFINISHED, abandoned
from ponder.json_text import json_object

LIMIT = 1_000_000_000
"""Most bytes of compiled code that are kept: beyond that what was not used for longest goes."""
ROOM = 0.9
"""How much of the limit is left filled, so that room is not made for each file anew."""
STEP = LIMIT // 100
"""Bytes that a process writes before it looks again at how many there are: at first, and then."""
FRESH = 3600.0
"""Seconds within which a second use of a file is not noted."""

_NAME = re.compile(r"[\w.]*-[0-9a-f]{32}\.nbc")
_LONGEST_LABEL = 1 << 16
_unlooked: dict[Path, int] = {}


class KernelFile(NamedTuple):
    """A file of compiled code."""

    path: Path
    bytes: int
    used: float
    """When, in seconds since 1970; to within an hour."""

    def label(self) -> dict[str, Any]:
        """What the code is: `module` and `kernel`, and `classes` of the arguments as module:name.

        Empty if that is unknown.
        """
        with contextlib.suppress(OSError, ValueError), self.path.open("rb") as file:
            line = file.read(_LONGEST_LABEL)[32:].partition(b"\n")[0]
            return json_object(line)
        return {}


def packed(label: dict[str, Any], code: bytes) -> bytes:
    """What a file holds."""
    payload = json.dumps(label).encode() + b"\n" + code
    return hashlib.sha256(payload).digest() + payload


def read_code(path: Path) -> bytes | None:
    """The code in the file, which counts as used; None: there is none, or it is damaged."""
    try:
        with path.open("rb") as file:
            data = file.read()
            used = os.fstat(file.fileno()).st_mtime
    except OSError:
        return None
    checksum, payload = data[:32], data[32:]
    if hashlib.sha256(payload).digest() != checksum:
        return None  # truncated or damaged: it is compiled again and overwritten
    # The time of the last change, not of the last access: many systems do not note that.
    if abs(time.time() - used) > FRESH:
        with contextlib.suppress(OSError):
            os.utime(path)
    return payload.partition(b"\n")[2]


def kernel_files(folder: Path) -> list[KernelFile]:
    """All that are in the folder, the one used last first."""
    found = []
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            with contextlib.suppress(OSError):
                if _NAME.fullmatch(entry.name) and entry.is_file(follow_symlinks=False):
                    about = entry.stat(follow_symlinks=False)
                    found.append(KernelFile(Path(entry.path), about.st_size, about.st_mtime))
    return sorted(found, key=lambda file: -file.used)


def note_written(folder: Path, size: int) -> None:
    """So many bytes more are in the folder: look now and then whether there are too many."""
    unlooked = _unlooked.get(folder, STEP) + size
    _unlooked[folder] = 0 if unlooked >= STEP else unlooked
    if unlooked >= STEP:
        make_room(folder)


def make_room(folder: Path, limit: int = LIMIT) -> None:
    """Remove what was not used for longest, where there is more than `limit` bytes."""
    files = kernel_files(folder)
    total = sum(file.bytes for file in files)
    if total <= limit:
        return
    while files and total > limit * ROOM:
        oldest = files.pop()
        total -= oldest.bytes
        _remove(oldest.path)


def clear(folder: Path) -> tuple[int, int]:
    """Remove the compiled code and what is remembered of it: how many files of code, and bytes.

    What processes are writing just now stays.
    """
    removed = [file for file in kernel_files(folder) if _remove(file.path)]
    times = folder / cache_times.FILE
    if times.is_file() and not times.is_symlink():
        _remove(times)
    for stray in folder.glob(f".*.nbc*{UNFINISHED}"):
        with contextlib.suppress(OSError):
            if abandoned(stray):
                stray.unlink()
    return len(removed), sum(file.bytes for file in removed)


def _remove(path: Path) -> bool:
    """Another process may be quicker, or (on Windows) have it open."""
    try:
        path.unlink()
    except OSError:
        return False
    return True
