"""Who waits for the compiler is told so, and how long it usually takes."""

from __future__ import annotations

import json
import time
from types import SimpleNamespace

import pytest
from numba.core import event

from ponder import cache_times
from ponder.cli import waiting
from ponder.cli.console import LiveLine
from ponder.jit.watching import COMPILES, FILES

pytestmark = pytest.mark.plain


def method_of_a_rule():
    """What is compiled here, in name only."""


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(waiting, "PATIENCE", 0.05)
    monkeypatch.setattr(waiting, "OFTEN", 0.01)


def compile_for(seconds):
    """What the compiler says while it is at work."""
    data = {"dispatcher": SimpleNamespace(py_func=method_of_a_rule)}
    with event.trigger_event(COMPILES, data=data):
        time.sleep(seconds)


def test_elsewhere_than_at_a_terminal_there_is_one_line(capsys):
    with waiting.compiling("hex", "this search"):
        for _ in range(3):
            compile_for(0.1)
    err = capsys.readouterr().err
    assert err == "ponder: compiling hex for this search (once; kept on disk)\n"


def test_many_short_waits_are_a_long_one(capsys):
    with waiting.compiling("hex", "checking"):
        for _ in range(20):
            compile_for(0.01)
    assert capsys.readouterr().err.count("\n") == 1


def test_a_moment_is_not_worth_a_word(capsys, monkeypatch):
    monkeypatch.setattr(waiting, "PATIENCE", 60.0)
    with waiting.compiling("hex", "this search"):
        compile_for(0.05)
    assert capsys.readouterr().err == ""
    assert cache_times.times_of("search hex") == cache_times.Times()


def test_the_next_one_is_told_how_long_it_usually_takes(capsys):
    cache_times.remember("search hex mcts()", compile=21.4, functions=86)
    with waiting.compiling("hex", "this search", engine="mcts()"):
        compile_for(0.1)
    assert "for this search, usually 21 s (once" in capsys.readouterr().err
    assert cache_times.times_of("search hex mcts()").compile == 21.4, "one function is no measure"


def test_the_time_and_the_files_are_remembered(tmp_path):
    with waiting.compiling("hex", "this search", engine="mcts()"):
        compile_for(0.1)
        (tmp_path / "ponder" / "start-0a.nbc").touch()
        FILES["start-0a.nbc"] = None
    known = cache_times.times_of("search hex mcts()")
    assert known.functions == 1
    assert known.compile == pytest.approx(0.1, abs=0.09)
    assert known.files == ("start-0a.nbc",)
    assert cache_times.is_compiled("search hex mcts()")
    (tmp_path / "ponder" / "start-0a.nbc").unlink()
    assert not cache_times.is_compiled("search hex mcts()")


def test_at_a_terminal_a_live_line_tells_what_and_how_far(capsys, monkeypatch):
    monkeypatch.setattr("ponder.cli.console.has_control_codes", lambda stream: True)
    monkeypatch.setenv("COLUMNS", "200")
    cache_times.remember("checking hex", compile=21.4, functions=86)
    other = LiveLine()
    with waiting.compiling("hex", "checking"):
        other.write("game 3 of 20")
        compile_for(0.2)
    err = capsys.readouterr().err
    assert "game 3 of 20  compiling: 0 s, usually 21 s, 1 of 86 functions, method_of_a_rule" in err
    assert err.endswith("\r\x1b[K"), "nothing is left of it"


def test_one_function_is_not_counted_as_many(capsys, monkeypatch):
    monkeypatch.setattr("ponder.cli.console.has_control_codes", lambda stream: True)
    monkeypatch.setenv("COLUMNS", "200")
    with waiting.compiling("hex", "checking"):
        compile_for(0.2)
    assert "1 function, method_of_a_rule" in capsys.readouterr().err


@pytest.mark.parametrize(
    "text",
    ["", "[", "[]", '{"search hex": 3}', '{"search hex": {"compile": "x", "files": ["/x"]}}'],
)
def test_a_damaged_file_of_times_is_as_none(tmp_path, text):
    (tmp_path / "ponder").mkdir(mode=0o700)
    (tmp_path / "ponder" / "times.json").write_text(text)
    assert cache_times.times_of("search hex").compile is None
    assert not cache_times.is_compiled("search hex")
    cache_times.remember("search hex", compile=2.0)
    assert cache_times.usual_compile("search hex") == 2.0


def test_only_the_last_kinds_of_work_are_remembered(tmp_path):
    for number in range(cache_times.MOST + 5):
        cache_times.remember(f"search tree({number})", compile=1.0)
    known = json.loads((tmp_path / "ponder" / "times.json").read_text())
    assert len(known) == cache_times.MOST
    assert "search tree(0)" not in known


def test_an_edit_of_the_users_file_is_noticed(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text("a = 1\n")
    before = cache_times.stamp(f"search {file}:Mine mcts()")
    file.write_text("a = 10\n")
    assert cache_times.stamp(f"search {file}:Mine mcts()") != before
