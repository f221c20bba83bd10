"""Writing files so that nothing is ever half-written."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path

from ponder.errors import InputError


def write_atomically(path: Path, data: bytes) -> None:
    """Write the whole file or nothing: readers never see half of it."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(temporary, 0o666 & ~mask)  # as an ordinary new file would have it
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise


def save_file(path: str | Path, data: bytes) -> None:
    """The same, for a file that somebody named; InputError says in one line why it cannot be."""
    try:
        write_atomically(Path(path), data)
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror}") from None
