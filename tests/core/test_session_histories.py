"""Rewinding, forking, saving and switching lead to the search that a fresh run gives."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path


def test_random_histories_in_plain_mode_agree_with_a_fresh_run():
    script = Path(__file__).with_name("session_histories.py")
    found = subprocess.run(
        [sys.executable, str(script), "24", "0"],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.returncode == 0, found.stderr[-2000:]
    assert "24 sequences (12 mcts, 8 classical, 4 solve), 192 moments: all equal" in found.stdout
    for what in ("run", "step", "change", "rewind", "fork", "load"):
        assert f"{what} " in found.stdout
