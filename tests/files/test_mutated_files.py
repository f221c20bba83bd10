"""Changed files of every format are refused in one line, or as good as the original.

A few of what `benchmarks/stress/mutate_files.py` does in large numbers.
"""

from __future__ import annotations

import importlib.util
import signal
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "stress" / "mutate_files.py"
FORMATS = (
    "tree",
    "tree with a new checksum",
    "session",
    "match",
    "book",
    "endgame",
    "position",
    "sgf",
    "pgn",
    "fen",
)
IN_PLAIN_MODE = (
    "openings",
    "game tree",
    "polyglot",
    "network",
    "games",
    "training log",
    "lab steps",
    "book with a new checksum",
    "endgame with a new checksum",
    "network with a new checksum",
)


@pytest.fixture(scope="module")
def script():
    spec = importlib.util.spec_from_file_location("mutate_files", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    before = signal.signal(signal.SIGPROF, module.too_long)
    yield module
    signal.signal(signal.SIGPROF, before)


def test_these_are_all_formats(script):
    assert tuple(script.FORMATS) == FORMATS + IN_PLAIN_MODE


@pytest.mark.parametrize(
    "name", [*FORMATS, *(pytest.param(name, marks=pytest.mark.plain) for name in IN_PLAIN_MODE)]
)
def test_a_changed_file_is_refused_or_as_good_as_the_original(script, name, tmp_path):
    found = script.trial(name, 60, 2, tmp_path)
    assert found.faults == []
    assert found.refused > 30


def test_the_trial_can_fail(script, tmp_path, monkeypatch):
    """A reader that believes everything, one that raises, and one that changes the object."""

    def careless(folder):
        return script.Format(b"42", lambda path: "" if int(path.read_bytes()) == 42 else "another")

    monkeypatch.setitem(script.FORMATS, "careless", careless)
    faults = " ".join(script.trial("careless", 50, 1, tmp_path).faults)
    assert "ValueError" in faults
    assert "another" in faults
