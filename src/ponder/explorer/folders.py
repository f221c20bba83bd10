"""Folders whose networks, books and tables a page may name: given when the server is started.

They reach the workers, and the processes that these begin, through the environment.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from ponder.explorer.training_runs import runs_folder
from ponder.files import confine

VARIABLE = "PONDER_EXPLORER_FOLDERS"


def give(folders: Iterable[Path]) -> None:
    """Let the workers that are begun from now on read the files in these folders."""
    os.environ[VARIABLE] = os.pathsep.join(str(folder.resolve()) for folder in folders)


def confine_to_given(granted: Iterable[Path]) -> None:
    """Let this process read no others; `granted`: Python files, and folders, that it may run."""
    from ponder.endgame.storage import default_folder  # the server has no use for tables

    given = [Path(name) for name in os.environ.get(VARIABLE, "").split(os.pathsep) if name]
    runs = runs_folder()
    folders = [one for one in granted if one.is_dir()]
    confine([*given, *folders, *([] if runs is None else [runs]), default_folder()])
