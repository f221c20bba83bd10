"""Processes that Ponder starts: none of them imports a file because it lies in the current folder.

``python -m`` and ``python -c`` look for modules in the current folder first, so that a file called
json.py or socket.py there would be run in place of Python's own.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

SAFE = "PYTHONSAFEPATH"
NO_JIT = "NUMBA_DISABLE_JIT"
"""Set to 1, nothing is compiled in a process; read when Numba is imported."""
HOME = Path(__file__).parents[2]
"""The folder that Ponder is imported from: after everything else, for who has not installed it."""
BEGIN = (
    "import sys, runpy; sys.path.append(sys.argv.pop(1)); "
    "runpy.run_module(sys.argv.pop(1), run_name='__main__', alter_sys=True)"
)


def module_command(module: str, *arguments: str) -> list[str]:
    """The command that runs a module of ours in another process."""
    return [sys.executable, "-P", "-c", BEGIN, str(HOME), module, *arguments]


def end_with_input() -> None:
    """This process ends when its standard input does: with the process that has begun it."""
    handle = sys.stdin.fileno()

    def wait() -> None:
        while os.read(handle, 1 << 16):  # not through a buffer, whose lock would outlive the run
            pass
        os._exit(0)

    threading.Thread(target=wait, daemon=True).start()


@contextmanager
def safe_path() -> Iterator[None]:
    """Of the processes that others begin in this block (multiprocessing, Ray) the same is true."""
    before = os.environ.get(SAFE)
    os.environ[SAFE] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ[SAFE]
        else:
            os.environ[SAFE] = before
