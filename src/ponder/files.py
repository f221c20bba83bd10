"""Files of any kind: written whole or not at all, kept from a second writer, read with one line
for whatever is wrong."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import secrets
import stat
import sys
import time
import zlib
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from ponder.errors import InputError, quoted
from ponder.json_text import json_object

UNFINISHED = ".ponder-unfinished"
"""How the names of files end that are being written."""
LEFT_BEHIND = 60.0
"""Seconds after which an unfinished file that nobody holds was left by a process that died."""


def save_file(path: str | Path, data: bytes) -> None:
    """Write the whole file or nothing; InputError says in one line why it is impossible."""
    try:
        write_atomically(Path(path), data)
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror}") from None


def require_writable(path: str | Path) -> None:
    """InputError, before any work is done, where `save_file` could not write."""
    if not Path(path).absolute().parent.is_dir():
        raise InputError(f"cannot write {path}: there is no folder {Path(path).parent}")
    try:
        _standing(Path(os.path.realpath(path)))
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror}") from None


def write_atomically(path: Path, data: bytes, *, flush: bool = True) -> None:
    """The same, raising OSError: readers see the file as it was or as it is now, never half of it.

    The data are on the disk before they replace anything (without `flush` the system decides when:
    for what can be made again). A symbolic link stays, and what it points to is written; the file
    keeps its permissions. What is no ordinary file is refused: a device must not be replaced.
    """
    target = Path(os.path.realpath(path))
    before = _standing(target)
    sweep(target.parent)
    temporary = target.with_name(f".{target.name[:80]}.{secrets.token_hex(6)}{UNFINISHED}")
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY, 0o666)
    try:
        with os.fdopen(handle, "wb") as file:
            lock(handle)  # as long as it is held, nobody takes this file for a stray one
            file.write(data)
            file.flush()
            if before is not None:
                _keep_permissions(temporary, before)
            if flush:
                os.fsync(handle)
            if not _CLOSE_FIRST:
                os.replace(temporary, target)
        if _CLOSE_FIRST:
            os.replace(temporary, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise
    if flush:
        _flush_folder(target.parent)


_BINARY = getattr(os, "O_BINARY", 0)
_CLOSE_FIRST = sys.platform == "win32"  # there an open file can be neither moved nor removed


def _standing(target: Path) -> os.stat_result | None:
    """What stands where a file is to be written; OSError if it must not be replaced."""
    try:
        found = os.stat(target)
    except FileNotFoundError:
        return None
    if stat.S_ISDIR(found.st_mode):
        raise IsADirectoryError(errno.EISDIR, "it is a folder; name a file")
    if not stat.S_ISREG(found.st_mode):
        raise OSError(errno.EINVAL, "it is a device or a pipe, not an ordinary file")
    if not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    return found


def _keep_permissions(path: Path, before: os.stat_result) -> None:
    if hasattr(os, "chown"):
        with contextlib.suppress(OSError):  # only an administrator gives files away
            os.chown(path, before.st_uid, before.st_gid)
    os.chmod(path, stat.S_IMODE(before.st_mode))


def _flush_folder(folder: Path) -> None:
    """Make the new name itself last. Not every system can open a folder."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


@lru_cache(maxsize=256)
def sweep(folder: Path) -> None:
    """Remove what processes that died while writing have left in the folder; once per process."""
    with contextlib.suppress(OSError):
        for stray in folder.glob(f".*{UNFINISHED}"):
            with contextlib.suppress(OSError):
                if time.time() - stray.stat().st_mtime > LEFT_BEHIND and abandoned(stray):
                    stray.unlink()


def abandoned(path: Path) -> bool:
    """Does no living process write this file?"""
    handle = os.open(path, os.O_RDWR)
    try:
        return lock(handle)
    finally:
        os.close(handle)


if sys.platform == "win32":
    import msvcrt

    def lock(handle: int) -> bool:
        """Take an open file for this process alone, until it is closed; False: another has it."""
        here = os.lseek(handle, 0, os.SEEK_CUR)
        os.lseek(handle, 1 << 40, os.SEEK_SET)  # a place that is never read: a lock forbids it
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        finally:
            os.lseek(handle, here, os.SEEK_SET)
        return True

else:
    import fcntl

    def lock(handle: int) -> bool:
        """Take an open file for this process alone, until it is closed; False: another has it."""
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:  # a file system without locks
            return True
        return True


# ------------------------------------------------------------------ reading


def read_file(path: str | Path) -> bytes:
    """The whole file; InputError says in one line why it cannot be read.

    A pipe is read to its end; of devices some have none.
    """
    try:
        with Path(path).open("rb") as file:
            mode = os.fstat(file.fileno()).st_mode
            if stat.S_ISCHR(mode) or stat.S_ISBLK(mode):
                raise InputError(f"cannot read {path}: it is a device, not a file")
            return file.read()
    except InputError:
        raise
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from None
    except ValueError:  # a zero byte in the name
        raise InputError(f"cannot read {str(path)!r}: it is not the name of a file") from None


_within: tuple[Path, ...] | None = None
"""The folders whose files a part may name; None: any file."""


def confine(folders: Iterable[Path]) -> None:
    """From here on this process, which answers strangers, reads of the files that parts of a game
    or an engine name (networks, books, tables) only those in these folders."""
    global _within
    _within = tuple(folder.resolve() for folder in folders)


def is_confined() -> bool:
    """Does this process answer strangers?"""
    return _within is not None


@contextlib.contextmanager
def reading_from(folder: str | Path) -> Iterator[None]:
    """In this block also those in a folder that the process has made itself."""
    global _within
    before = _within
    _within = before if before is None else (*before, Path(folder).resolve())
    try:
        yield
    finally:
        _within = before


def named_file(name: str | Path) -> Path:
    """The file or folder that a part of a game or an engine names.

    Where it may not be named the answer is the same whether it exists or not.
    """
    if _within is None:
        if "\0" in str(name):
            raise InputError(f"{quoted(str(name))} is not the name of a file")
        return _looked_at(Path(name))
    with contextlib.suppress(OSError, ValueError, RuntimeError):
        path = Path(name).resolve()
        if any(folder == path or folder in path.parents for folder in _within):
            return _looked_at(path)
    raise InputError(
        f"no file {quoted(str(name))} here: a page may name what comes with Ponder, and what lies "
        "in folders that the explorer was started with (ponder explore --folder DIR)"
    )


def _looked_at(path: Path) -> Path:
    """The same path; InputError where not even that can be said, whether something is there."""
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        pass  # who needs it says what it is looked for
    except OSError as error:
        raise InputError(f"cannot read {quoted(str(path))}: {error.strerror}") from None
    return path


CHECKSUM = b', "checksum": '


def line_of(data: dict[str, Any]) -> bytes:
    """A line of a file: the object, its last entry the CRC-32 of the line without that entry."""
    text = json.dumps(data).encode()
    return text[:-1] + CHECKSUM + b"%d}\n" % zlib.crc32(text)


def object_of(line: bytes) -> dict[str, Any]:
    """The object in such a line; ValueError if the line is not as it was written."""
    text, _, checksum = line.rpartition(CHECKSUM)
    if checksum != b"%d}" % zlib.crc32(text + b"}"):
        raise ValueError("the checksum is wrong")
    return json_object(text + b"}")


class WrongChecksum(ValueError):
    """The checksum is not that of the rest."""


def page_of(data: dict[str, Any]) -> bytes:
    """A JSON file for people to read: the object, its last entry the CRC-32 of all others."""
    return (json.dumps({**data, "checksum": _crc(data)}, indent=1) + "\n").encode()


def object_on(text: bytes) -> dict[str, Any]:
    """The object in such a file. One of before had no checksum; ValueError if it is another one.

    How the file is laid out does not matter: it may have been through an editor.
    """
    data = json_object(text)
    if "checksum" in data and data.pop("checksum") != _crc(data):
        raise WrongChecksum(
            "its checksum does not agree; whoever has changed it on purpose leaves the checksum out"
        )
    return data


def _crc(data: dict[str, Any]) -> int:
    return zlib.crc32(json.dumps(data).encode())
