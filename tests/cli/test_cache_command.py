"""`ponder cache`: what is kept, what for, and how it is cleared."""

from __future__ import annotations

import json
import os

import pytest

from command_line import assert_one_line
from ponder.cache_folder import folder_fault
from ponder.cli.ahead import shipped, works
from ponder.cli.options import DEFAULT_ENGINE
from ponder.jit.kernel_files import LIMIT, packed

pytestmark = pytest.mark.plain


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    made = tmp_path / "ponder"
    made.mkdir(mode=0o700)
    return made


RULES, PARTS = "games.connect4.bit_rules:UsualRules", "mcts.parts:Parts"
ROLLOUT, UCB1 = "mcts.evaluate.rollout:Rollout", "mcts.select.ucb:UCB1"
LABELS = [
    ("mcts.search", [RULES, ROLLOUT, PARTS, UCB1]),
    ("mcts.carry", [RULES, ROLLOUT, UCB1]),
    ("core.compiled", ["games.go.game:Go"]),
]


def fill(folder):
    for number, (module, classes) in enumerate(LABELS):
        label = {"module": f"ponder.{module}", "kernel": "run"}
        label["classes"] = [f"ponder.{name}" for name in classes]
        (folder / f"run-{number:032x}.nbc").write_bytes(packed(label, b"x" * 500_000))
    own = {"module": "mine", "kernel": "run", "classes": ["mine:Coin", "ponder.mcts.parts:Parts"]}
    (folder / f"run-{'a' * 32}.nbc").write_bytes(packed(own, b"x" * 2_000_000))


def test_it_tells_what_the_code_is_for(ponder, folder):
    fill(folder)
    done = ponder("cache")
    assert (done.status, done.err) == (0, "")
    first, _, heading, *rows = done.out.splitlines()
    assert first == f"{folder}: 4 files, 3.5 of at most {LIMIT / 1e6:,.1f} MB"
    assert heading.split() == ["game", "code", "files", "MB", "used"]
    assert [row.split()[:-1] for row in rows] == [
        ["Coin", "mine", "1", "2.0"],
        ["connect4", "mcts:", "rollout", "ucb1", "2", "1.0"],
        ["go", "core", "1", "0.5"],
    ]


def test_json_is_one_object(ponder, folder):
    fill(folder)
    done = ponder("cache", "--json")
    data = json.loads(done.out)
    assert (data["folder"], data["files"], data["limit"]) == (str(folder), 4, LIMIT)
    assert data["bytes"] == sum(file.stat().st_size for file in folder.iterdir())
    assert [row["game"] for row in data["kept"]] == ["Coin", "connect4", "go"]
    assert sum(row["bytes"] for row in data["kept"]) == data["bytes"]


def test_it_clears_the_code_and_leaves_what_else_is_there(ponder, folder):
    fill(folder)
    (folder / "thesis.txt").write_text("mine")
    done = ponder("cache", "--clear")
    assert done.out.splitlines() == [
        "removed 4 files, 3.5 MB",
        f"{folder}: 0 files, 0.0 of at most {LIMIT / 1e6:,.1f} MB",
    ]
    assert [file.name for file in folder.iterdir()] == ["thesis.txt"]
    again = json.loads(ponder("cache", "--clear", "--json").out)
    assert again["removed"] == {"files": 0, "bytes": 0}
    assert again["kept"] == []


@pytest.mark.parametrize("wrong", [("everything",), ("--limit", "5"), ("--clear=yes",)])
def test_wrong_use_gets_one_line(ponder, folder, wrong):
    fill(folder)
    done = ponder("cache", *wrong)
    assert (done.status, done.out) == (2, "")
    assert_one_line(done.err)
    assert len(list(folder.iterdir())) == 4


@pytest.mark.parametrize(
    "wrong", [("tictactoe",), ("--fill", "--clear"), ("--fill", "tictacto"), ("--fill", "no.py:X")]
)
def test_filling_with_what_there_is_not_gets_one_line(ponder, folder, wrong, monkeypatch):
    monkeypatch.setattr("ponder.jit.COMPILED", True)
    monkeypatch.setattr(os, "nice", lambda by: pytest.fail("nothing has been begun"))
    done = ponder("cache", *wrong)
    assert (done.status, done.out) == (2, "")
    assert_one_line(done.err)


def test_in_plain_mode_there_is_nothing_to_fill_it_with(ponder, folder, monkeypatch):
    monkeypatch.setattr("ponder.jit.COMPILED", False)
    done = ponder("cache", "--fill", "tictactoe")
    assert (done.status, done.out) == (2, "")
    assert "NUMBA_DISABLE_JIT" in done.err
    assert_one_line(done.err)


def test_filling_makes_a_search_of_each_kind_and_leaves_out_what_is_there(
    ponder, folder, monkeypatch
):
    """Uncompiled here: what is searched, not what the compiler makes of it."""
    monkeypatch.setattr("ponder.jit.COMPILED", True)
    monkeypatch.setattr(os, "nice", lambda by: None)
    there = ["search nim strong()"]
    monkeypatch.setattr("ponder.cache_times.is_compiled", lambda what: what in there)
    done = ponder("cache", "--fill", "nim", "tictactoe", "--json")
    assert done.status == 0
    assert json.loads(done.out)["searches"] == {"compiled": 3, "there": 1, "left_out": 0}
    said = [line.partition(": ")[2] for line in done.err.splitlines()]
    assert [line.partition("(")[0] for line in said] == [
        "2 of 4: explore nim " + DEFAULT_ENGINE.partition("(")[0],
        "3 of 4: search tictactoe strong",
        "4 of 4: explore tictactoe " + DEFAULT_ENGINE.partition("(")[0],
    ]


def test_all_that_it_would_compile_can_be_searched():
    """All games that come with Ponder, in plain Python: a search of each kind."""
    for work in works(shipped()):
        assert work.search(work.game, work.engine) != "interrupt", work


@pytest.mark.skipif(os.name != "posix", reason="permissions as POSIX has them")
@pytest.mark.parametrize("options", [(), ("--clear",), ("--json",)])
def test_a_folder_that_others_may_write_to_is_left_alone(ponder, folder, options):
    fill(folder)
    folder.chmod(0o777)
    folder_fault.cache_clear()
    done = ponder("cache", *options)
    assert (done.status, done.out) == (2, "")
    assert_one_line(done.err)
    assert f"no compiled code is kept in {folder}: others may write to it" in done.err
    assert len(list(folder.iterdir())) == 4
