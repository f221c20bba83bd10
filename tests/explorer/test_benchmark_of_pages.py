"""`benchmarks/speed/explorer.py` runs: the part that takes least time."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "speed" / "explorer.py"


def test_steps_and_rewinds_are_measured_in_a_browser(monkeypatch, capsys):
    spec = importlib.util.spec_from_file_location("benchmark_explorer", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setattr(sys, "path", list(sys.path))  # the script adds to it
    monkeypatch.setattr(sys, "argv", [str(SCRIPT), "steps"])
    spec.loader.exec_module(module)
    module.main()
    said = capsys.readouterr().out
    assert "steps" in said
    assert "rewinds" in said
