"""`ponder endgame build` and `ponder endgame probe`."""

from __future__ import annotations

import json


def test_a_table_is_built_and_asked(ponder, tmp_path):
    done = ponder("endgame", "build", "tictactoe", "--out", str(tmp_path))
    assert done.status == 0
    assert "positions: 5,478" in done.out
    done = ponder("endgame", "probe", "tictactoe", "--tables", str(tmp_path), "--moves", "a1 b1")
    assert done.status == 0
    assert done.out.startswith("value +1, distance 5")
    assert len(done.out.splitlines()) == 8


def test_chess_classes_come_with_the_smaller_ones(ponder, tmp_path):
    done = ponder("endgame", "build", "chess", "--class", "KPK", "--out", str(tmp_path), "--json")
    assert done.status == 0
    tables = json.loads(done.out)["tables"]
    assert {table["class"] for table in tables} == {"KQK", "KRK", "KPK"}
    fen = "8/P7/8/8/8/8/6k1/4K3 w - - 0 1"
    done = ponder(
        "endgame", "probe", "chess", "--tables", str(tmp_path), "--position", fen, "--json"
    )
    data = json.loads(done.out)
    assert (data["value"], data["moves"][0]) == (1, {"name": "a7a8q", "value": 1, "distance": 8})
    done = ponder("endgame", "probe", "chess", "--tables", str(tmp_path))
    assert done.out.startswith("not in the tables")


def test_mistakes_are_one_line_and_status_2(ponder, tmp_path):
    for words, hint in (
        (("build", "chess"), "by classes"),
        (("build", "chess", "--class", "KXK"), "is not a class"),
        (("build", "tictactoe", "--class", "KQK"), "only chess and backgammon"),
        (("build", "tictactoe", "--pieces", "2"), "for checkers alone"),
        (("build", "checkers", "--pieces", "9"), "pieces must be"),
        (("build", "connect4", "--memory", "3"), "more than 3 MB"),
        (("build", "connect4", "--memory", "-1"), "above 0"),
    ):
        done = ponder("endgame", *words, "--out", str(tmp_path))
        assert done.status == 2, words
        assert hint in done.err
        assert done.err.rstrip("\n").splitlines()[-1].startswith("ponder: ")
    done = ponder("endgame", "probe", "tictactoe", "--tables", str(tmp_path))
    assert done.status == 2
    assert "no endgame table of tictactoe" in done.err


def test_without_a_command_the_help_is_shown(ponder):
    done = ponder("endgame")
    assert done.status == 0
    assert "build" in done.out
    assert "probe" in done.out
