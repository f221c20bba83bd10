"""Training runs that the explorer may show: those in one folder, named when the server is started.

The folder reaches the workers through the environment; pages name runs by what `runs` has found in
it, never by a path.
"""

from __future__ import annotations

import os
from pathlib import Path

from ponder.errors import InputError, quoted

VARIABLE = "PONDER_EXPLORER_RUNS"
MOST_RUNS = 200
HERE = "."
"""The name of a folder that is itself a run."""


def show_runs(folder: Path) -> None:
    """Let the workers that are begun from now on show the runs in this folder."""
    os.environ[VARIABLE] = str(folder.resolve())


def runs_folder() -> Path | None:
    named = os.environ.get(VARIABLE)
    return Path(named) if named else None


def runs() -> dict[str, Path]:
    """The runs by name: the folder itself, and folders in it, the newest first."""
    from ponder.learn.config import CONFIG  # the server has no use for the compiler

    folder = runs_folder()
    if folder is None or not folder.is_dir():
        return {}
    found = {HERE: folder} if (folder / CONFIG).is_file() else {}
    inside = (one for one in folder.iterdir() if not one.is_symlink())
    below = [one for one in inside if (one / CONFIG).is_file()]
    below.sort(key=changed_at, reverse=True)
    found |= {one.name: one for one in below[:MOST_RUNS]}
    return found


def changed_at(folder: Path) -> float:
    """When something in a run was written last."""
    return max((one.stat().st_mtime for one in folder.iterdir() if one.is_file()), default=0.0)


def run_named(name: str) -> Path:
    known = runs()
    if name not in known:
        raise InputError(f"there is no run {quoted(name)} here (available: {', '.join(known)})")
    return known[name]
