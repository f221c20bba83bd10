"""`ponder book build` and `ponder book show`."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import time
from pathlib import Path

import pytest

from command_line import PROGRAM, assert_one_line

ROOT = Path(__file__).parents[2]
SELF_PLAY = ("--self-play", "6", "--simulations", "30", "--plies", "4", "--seed", "1")


def test_a_book_is_built_shown_and_played_from(ponder, tmp_path):
    file = str(tmp_path / "my.book")
    done = ponder("book", "build", "connect4", file, *SELF_PLAY)
    assert done.status == 0
    assert re.match(r"wrote .*my\.book: \d+ positions, \d+ moves \(6 games played\)", done.out)
    shown = ponder("book", "show", "connect4", file)
    assert "move  count" in shown.out
    data = json.loads(ponder("book", "show", "connect4", file, "--json").out)
    assert sum(move["count"] for move in data["moves"]) == 6
    spec = f'book("{file}", engine=mcts())'
    found = json.loads(ponder("search", "connect4", "--engine", spec, "--json").out)
    assert found["stopped_by"] == "book"
    assert found["name"] == data["moves"][0]["name"]


def test_the_same_seed_writes_the_same_file(ponder, tmp_path):
    for name in ("a", "b"):
        line = ("book", "build", "tictactoe", str(tmp_path / name), *SELF_PLAY, "--search", "5")
        assert ponder(*line, "--json").status == 0
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_a_book_of_chess_games(ponder, tmp_path):
    (tmp_path / "g.pgn").write_text("1. e4 e5 1-0\n\n1. e4 c5 0-1\n\n1. d4 *\n")
    file = str(tmp_path / "chess.book")
    data = ponder("book", "build", "chess", file, "--games", str(tmp_path / "g.pgn"), "--json").out
    assert json.loads(data)["games_read"] == 3
    moves = json.loads(ponder("book", "show", "chess", file, "--json").out)["moves"]
    assert [(m["name"], m["count"], m["score"]) for m in moves] == [
        ("e2e4", 2, 0.0),
        ("d2d4", 1, None),
    ]


def test_a_position_outside_the_book_is_no_error(ponder, tmp_path):
    file = str(tmp_path / "my.book")
    ponder("book", "build", "tictactoe", file, *SELF_PLAY)
    done = ponder("book", "show", "tictactoe", file, "--moves", "a1 b1 c1 a2 c2 b2")
    assert done.status == 0
    assert "this position is not in the book" in done.out


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (("build", "nim", "x.book"), "say what the book is made from"),
        (("build", "nim", "x.book", "--self-play", "0"), "self-play must be a whole number above"),
        (("build", "nim", "x.book", "--search", "x"), "'x' is not a whole number"),
        (("build", "nim", "x.book", "--self-play", "1", "--plies", "0"), "plies must be"),
        (("build", "nim", "no/x.book", "--search", "1"), "there is no folder no"),
        (("build", "nim", "x.book", "--games", "y.pgn"), "read for chess (PGN) and go (SGF)"),
        (("build", "chess", "x.book", "--games", "y.pgn"), "cannot read y.pgn"),
        (("build", "nimm", "x.book", "--search", "1"), "unknown game"),
        (("show", "nim", "x.book"), "cannot read x.book"),
        (("burn",), "no such command"),
    ],
)
def test_a_wrong_line_is_one_line(ponder, tmp_path, monkeypatch, line, words):
    monkeypatch.chdir(tmp_path)
    done = ponder("book", *line)
    assert done.status == 2
    assert_one_line(done.err)
    assert words in done.err
    assert list(tmp_path.iterdir()) == []


def interrupted(file: Path, *arguments: str, after: float = 6) -> tuple[int, str, str]:
    process = subprocess.Popen(
        # strong() would have solved the game before the signal comes
        [*PROGRAM, "book", "build", "tictactoe", str(file), "--engine", "mcts()", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ,
    )
    time.sleep(after)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    return process.returncode, out, err


def test_ctrl_c_writes_the_finished_games_and_says_so(ponder, tmp_path):
    file = tmp_path / "part.book"
    ponder(  # compiles
        *("book", "build", "tictactoe", str(file), "--self-play", "1", "--engine", "mcts()")
    )
    file.unlink()
    for after in (5, 20, 60):  # a busy machine may need longer to finish its first game
        arguments = ("--self-play", "1000000", "--simulations", "20")
        status, out, err = interrupted(file, *arguments, after=after)
        assert status == 130
        if file.exists():
            break
    assert "holds what was finished" in err
    assert "Traceback" not in err
    games = int(re.search(r"\(([\d,]+) games played\)", out)[1].replace(",", ""))
    data = json.loads(ponder("book", "show", "tictactoe", str(file), "--json").out)
    assert sum(move["count"] for move in data["moves"]) == games > 0


def test_ctrl_c_before_anything_is_finished_leaves_no_file(tmp_path):
    file = tmp_path / "none.book"
    status, out, err = interrupted(file, "--self-play", "5", "--seconds", "60")
    assert (status, out) == (130, "")
    assert "was not written" in err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", ["build", "show"])
def test_every_option_is_on_the_page(ponder, command):
    page = (ROOT / "docs" / "opening-books.md").read_text()
    for option in re.findall(r"--[a-z-]+", ponder("book", command, "--help").out):
        assert option == "--help" or option in page, option
