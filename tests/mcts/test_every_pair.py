"""Any part with any other: see every_pair.py."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from ponder.jit import COMPILED


@pytest.mark.skipif(not COMPILED, reason="the same again")
@pytest.mark.parametrize("which", [[], ["plain"]])
def test_every_two_parts_search_soundly_together_or_are_refused_in_a_line(which):
    script = Path(__file__).parent / "every_pair.py"
    done = subprocess.run(
        [sys.executable, str(script), *which],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    *unsound, counts = done.stdout.splitlines()
    assert unsound == []
    sound, refused = map(int, re.findall(r"\d+", counts)[:2])
    assert sound > 2 * refused > 0, counts
