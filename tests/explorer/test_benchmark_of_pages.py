"""`benchmarks/speed/explorer.py` runs: the part that takes least time."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "speed" / "explorer.py"


def test_steps_and_rewinds_are_measured_in_a_browser():
    """In a process of its own: the tests around it have a browser in theirs."""
    done = subprocess.run(
        [sys.executable, str(SCRIPT), "steps"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "steps" in done.stdout
    assert "rewinds" in done.stdout
