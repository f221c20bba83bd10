"""The folder in which compiled code is kept, and what is remembered of it.

Known before the compiler is imported: whether it is wanted at all is decided by what stands here.
"""

from __future__ import annotations

import errno
import os
import stat
import tempfile
import warnings
from functools import lru_cache
from pathlib import Path

from ponder.errors import InputError


def cache_directory() -> Path | None:
    """Where compiled code is kept. None, after one warning: nothing is kept.

    Code from there is run: a folder that belongs to somebody else, or that others may write to, is
    not used.
    """
    folder = cache_place()
    fault = folder_fault(folder)
    if fault is None:
        return folder
    warn_once(
        f"cannot keep compiled code in {folder} ({fault}); the search works, but compiles again "
        "next time. Set XDG_CACHE_HOME to a writable folder of your own."
    )
    return None


def cache_place() -> Path:
    """``$NUMBA_CACHE_DIR/ponder``, else ``$XDG_CACHE_HOME/ponder``, else ``~/.cache/ponder``; where
    there is no home, a folder of the user's own among the temporary files.

    InputError: the folder that is named would be another one in each folder where a program is
    started, ``./ponder`` of somebody else among them.
    """
    variable = "NUMBA_CACHE_DIR" if os.environ.get("NUMBA_CACHE_DIR") else "XDG_CACHE_HOME"
    named = os.environ.get(variable)
    if named:
        folder = Path(named) / "ponder"
        if not folder.is_absolute():
            raise InputError(
                f"{variable}={named} is not an absolute path: compiled code would be run from the "
                f"current folder; write the whole path, or unset {variable}"
            )
    else:
        home = Path(os.path.expanduser("~"))
        # "/" is what is left of an empty HOME, and nobody's home
        real = home.is_absolute() and home != home.parent
        if real and os.access(home, os.W_OK | os.X_OK):
            folder = home / ".cache" / "ponder"
        else:
            user = os.getuid() if hasattr(os, "getuid") else "user"
            folder = Path(tempfile.gettempdir()) / f"ponder-cache-{user}"
    return folder


@lru_cache(maxsize=16)
def folder_fault(folder: Path) -> str | None:
    """Why the folder, which is made for this user alone if there is none, cannot be trusted."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        about, link = folder.stat(), folder.lstat()  # the same, unless it is a symbolic link
    except OSError as error:
        return error.strerror or str(error)
    if hasattr(os, "getuid"):
        if (about.st_uid, link.st_uid) != (os.getuid(), os.getuid()):
            return "it belongs to somebody else"
        if about.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
            return f"others may write to it: chmod go-w {folder}"
    # A folder that can only be read serves what is in it.
    return None if os.access(folder, os.R_OK | os.X_OK) else os.strerror(errno.EACCES)


_warned: set[str] = set()


def warn_once(message: str) -> None:
    kind = message[:40]
    if kind not in _warned:
        _warned.add(kind)
        warnings.warn(message, RuntimeWarning, stacklevel=2)
