"""`ponder replay` alone asks what to show."""

from __future__ import annotations

import pytest

from command_line import assert_one_line
from ponder.cli import waiting
from ponder.cli.replay import _wanted

pytestmark = pytest.mark.plain


def test_a_reader_goes_forth_and_back_and_hears_what_cannot_be(program, tmp_path):
    file = tmp_path / "ab.session"
    plain = {"NUMBA_DISABLE_JIT": "1"}
    saved = program(
        "search", "tree", "--engine", "plain_alphabeta()", "--depth", "2", "--session", str(file),
        **plain,
    )  # fmt: skip
    assert "ponder replay" in saved.err
    done = program("replay", str(file), typed="n\n\np\n7\nend\nn\nt\nfoo\n?\nq\n1\n", **plain)
    assert done.status == 0
    shown = [line for line in done.out.splitlines() if " of 11" in line]
    assert [line.split("> ")[-1] for line in shown] == [
        f"node {n} of 11" for n in (1, 2, 3, 2, 7, 11)
    ]
    assert "there are nodes from 1 to 11, not 12" in done.out
    assert "plain_alphabeta on tree" in done.out
    assert "'foo' is not one of n, p, a number" in done.out
    assert "this list" in done.out
    assert program("replay", str(file), **plain).status == 0, "the input ends"
    for numbers, said in (("50-60", "from 1 to 11, not 50"), ("11-6", "the smaller first")):
        done = program("replay", str(file), "--range", numbers, **plain)
        assert done.status == 2
        assert said in done.err


def test_a_search_may_come_through_a_pipe(program, tmp_path):
    file = tmp_path / "ab.session"
    line = ("search", "tree", "--engine", "plain_alphabeta()", "--session", str(file))
    program(*line, "--depth", "2", NUMBA_DISABLE_JIT="1")
    text = file.read_text()
    done = program("replay", "/dev/stdin", "--simulation", "3", typed=text, NUMBA_DISABLE_JIT="1")
    assert done.status == 0, done.err
    assert "node 3 of 11" in done.out


def test_what_is_no_saved_search_gets_one_line(program, tmp_path):
    file = tmp_path / "not.session"
    file.write_text("{}\n")
    for path in (file, tmp_path / "nowhere.session"):
        done = program("replay", str(path), NUMBA_DISABLE_JIT="1")
        assert done.status == 2
        assert_one_line(done.err)


def test_what_a_saved_search_needs_compiled_is_remembered_by_what_the_file_says(
    ponder, tmp_path, monkeypatch
):
    file, noted = tmp_path / "ab.session", []
    ponder(
        "search", "tree", "--engine", "plain_alphabeta()", "--session", str(file), "--depth", "2"
    )
    monkeypatch.setattr(waiting.cache_times, "note", lambda what, *more: noted.append(what))
    assert ponder("replay", str(file), "--simulation", "3").status == 0
    wanted = _wanted(str(file), "").what
    assert wanted in noted, "so the next time it is known to be compiled"
    assert "alphabeta" in wanted
