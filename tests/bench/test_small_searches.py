"""`benchmarks/speed/small_searches.py` in a short form."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.plain

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "speed" / "small_searches.py"


def printed(*arguments):
    done = subprocess.run(
        [sys.executable, str(SCRIPT), *arguments],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()


def test_searches_a_second_are_printed_for_this_checkout():
    heading, *rows = printed("-", "1", "connect4, 10 ")
    assert heading.split() == ["search", "per", "second"]
    (row,) = rows
    assert re.fullmatch(r"mcts\(\) connect4, 10 simulations +[1-9][\d,]*", row)
