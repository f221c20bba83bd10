"""How many threads the compiler may use: a number that it would refuse with a traceback is refused.

Importing this module looks at it: `ponder.jit` does before it imports the compiler, the command
line before it reads its arguments.
"""

from __future__ import annotations

import contextlib
import os

from ponder.errors import InputError

VARIABLE = "NUMBA_NUM_THREADS"


def refuse_no_threads() -> None:
    threads = 1
    with contextlib.suppress(ValueError):  # what is no number it leaves aside
        threads = int(os.environ.get(VARIABLE, "1"))
    if threads < 1:
        raise InputError(f"{VARIABLE} is {threads}, accepted: 1 or more")


refuse_no_threads()
