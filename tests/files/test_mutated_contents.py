"""Files with wrong contents under a right checksum: refused in one line, or just what they say.

A few of what `benchmarks/stress/mutate_contents.py` makes in large numbers.
"""

from __future__ import annotations

import importlib
import signal
import sys
from pathlib import Path

import pytest

from ponder.core.registry import FORMATS
from ponder.errors import InputError

pytestmark = pytest.mark.plain
BENCHMARKS = Path(__file__).parents[2] / "benchmarks" / "stress"
FEW = {"steered session": 40, "checkpoint": 40, "onnx": 30, "training log": 40}
"""Where one file takes longer."""


@pytest.fixture(scope="module")
def script():
    sys.path.insert(0, str(BENCHMARKS))
    module = importlib.import_module("mutate_contents")
    before = signal.signal(signal.SIGPROF, module.too_long)
    yield module
    signal.signal(signal.SIGPROF, before)
    sys.path.remove(str(BENCHMARKS))


def test_every_format_of_the_registry_is_tried(script):
    assert set(script.CONTENTS) == set(FORMATS)


@pytest.mark.parametrize("name", FORMATS)
def test_wrong_contents_are_refused_or_just_what_the_file_says(script, name, tmp_path):
    for extra in {"onnx": ("onnx", "onnxruntime"), "checkpoint": ("torch",)}.get(name, ()):
        pytest.importorskip(extra)
    count = FEW.get(name, 100)
    found = script.trial(name, count, 2, tmp_path)
    assert found.faults == []
    assert found.refused > count / 20
    assert found.accepted > count / 20


def faults_of(script, monkeypatch, tmp_path, **changes):
    """Those of positions, where their reader is another one."""
    kind = script.CONTENTS["position"]()._replace(**changes)
    monkeypatch.setitem(script.CONTENTS, "position", lambda: kind)
    return " ".join(script.trial("position", 600, 2, tmp_path).faults)


def test_a_reader_that_takes_anything_for_the_original_is_noticed(script, monkeypatch, tmp_path):
    usual = script.CONTENTS["position"]()
    whole = usual.apart(FORMATS["position"].write_example(tmp_path).read_bytes())
    found = faults_of(script, monkeypatch, tmp_path, understood=lambda path: whole)
    assert "is understood as" in found
    assert "is not said" in found


def test_a_reader_that_raises_is_noticed(script, monkeypatch, tmp_path):
    kind = script.CONTENTS["position"]()

    def careless(path):
        try:
            return kind.understood(path)
        except InputError as error:
            raise KeyError("moves") from error

    assert "KeyError" in faults_of(script, monkeypatch, tmp_path, understood=careless)


def test_a_reader_that_runs_what_it_is_told_to_is_noticed(script, monkeypatch, tmp_path):
    from ponder.core.gate import granting

    kind = script.CONTENTS["position"]()

    def trusting(path):
        with granting([tmp_path]):
            return kind.understood(path)

    assert "a Python file was run" in faults_of(script, monkeypatch, tmp_path, understood=trusting)
