"""The steps of an experiment in a file, and its reader: see `ponder.core.formats`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ponder.lab.running import Lab


def write_steps(path: Path) -> None:
    lab = Lab("gem", version="quick", resume=path)
    lab.done = {"one": [0.25, 3], "two": {"wins": 12}}
    lab.save_steps()


def read_steps(path: Path) -> Any:
    return Lab("gem", version="quick", resume=path).done
