"""What tests of the command line share."""

from __future__ import annotations

import sys
from typing import NamedTuple

import pytest

from ponder.jit import COMPILED

needs_compiler = pytest.mark.skipif(not COMPILED, reason="nothing is compiled in plain mode")
PROGRAM = [sys.executable, "-c", "from ponder.cli import main; main()"]


class Outcome(NamedTuple):
    status: int
    out: str
    err: str


def assert_one_line(err: str) -> None:
    """An error for people: one line that begins with the program's name.

    Before it the program may have said that it compiles.
    """
    err = "".join(line for line in err.splitlines(True) if "(once; kept on disk)" not in line)
    assert err.startswith("ponder: "), err
    assert err.count("\n") == 1, err
    assert "Traceback" not in err
