"""`ponder match` from the command line: output, wrong input, Ctrl-C."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time

import pytest

from command_line import PROGRAM, assert_one_line
from ponder.files import lock

GAME = ("match", "tictactoe")
SPECS = ("mcts(simulations=50)", "random()")


def test_json_is_one_object_with_the_result_of_the_first_engine(ponder):
    done = ponder(*GAME, *SPECS, "--games", "8", "--seed", "1", "--json")
    assert (done.status, done.err) == (0, "")
    data = json.loads(done.out)
    assert data["games"] == 8 == data["wins"] + data["draws"] + data["losses"]
    assert data["score"] == (data["wins"] + data["draws"] / 2) / 8
    assert data["elo_low"] < data["elo"]
    assert data["elo_high"] is None or data["elo_high"] > data["elo"]
    assert data["seed"] == 1
    assert sum(data["pairs"]) == 4
    assert [engine["spec"] for engine in data["engines"]] == list(SPECS)
    assert data["engines"][0]["simulations_per_move"] == 50
    assert sum(seat["wins"] for seat in data["seats"]) == data["wins"]
    turned = json.loads(ponder(*GAME, *SPECS[::-1], "--games", "8", "--seed", "1", "--json").out)
    assert turned["elo"] < 0 < data["elo"]


def test_the_table_shows_seats_score_elo_and_effort(ponder):
    done = ponder(*GAME, *SPECS, "--games", "4", "--seed", "1", "--openings", "1")
    assert done.status == 0
    assert done.out.startswith("tictactoe(), 4 games, openings random(1), seed 1\n")
    for word in ("seat 0", "seat 1", "all", "score", "elo", "95 % interval", "50 simulations"):
        assert word in done.out
    assert "\x1b" not in done.out


def test_the_seed_is_told_and_repeats_the_match(ponder):
    first = json.loads(ponder(*GAME, "random()", "random()", "--json").out)
    again = json.loads(
        ponder(*GAME, "random()", "random()", "--json", "--seed", str(first["seed"])).out
    )
    same = ("games", "wins", "draws", "losses", "score", "elo", "seats")
    assert [first[key] for key in same] == [again[key] for key in same]
    assert first["games"] == 20


def test_one_game_is_a_match(ponder):
    data = json.loads(ponder(*GAME, *SPECS, "--games", "1", "--seed", "1", "--json").out)
    assert data["games"] == 1
    assert data["seats"][1] == {"name": "seat 1", "wins": 0, "draws": 0, "losses": 0}


def test_openings_come_from_a_file_and_games_go_to_one(ponder, tmp_path):
    openings, out = tmp_path / "openings.txt", tmp_path / "games.jsonl"
    openings.write_text("a1 b2\nc3 a1\n")
    line = (*GAME, *SPECS, "--openings", str(openings), "--out", str(out), "--seed", "1")
    assert ponder(*line, "--games", "4").status == 0
    rows = [json.loads(row) for row in out.read_text().splitlines()]
    assert [row["opening"] for row in rows[1:]] == 2 * [["a1", "b2"]] + 2 * [["c3", "a1"]]
    second = ponder(*line, "--games", "4")
    assert second.status == 2
    assert_one_line(second.err)
    assert "exists: continue it (--resume), or name another file" in second.err
    longer = json.loads(ponder(*line, "--games", "6", "--resume", "--json").out)
    assert longer["games"] == 6
    assert len(out.read_text().splitlines()) == 7


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("conect4 mcts() random()", "did you mean connect4?"),
        ("tictactoe mtcs() random()", "did you mean mcts?"),
        ("tictactoe mcts() rndom()", "did you mean random?"),
        ("tictactoe mcts()", "missing argument"),
        ("tictactoe mcts(simulations=0) random()", "simulations must be a whole number above 0"),
        ("tictactoe random() random() --games 0", "games must be a whole number above 0, not 0"),
        ("tictactoe random() random() --games many", "'many' is not a whole number"),
        ("tictactoe random() random() --jobs 0", "jobs must be a whole number above 0"),
        ("tictactoe random() random() --seconds 0", "seconds must be a number above 0"),
        ("tictactoe random() random() --seed x", "'x' is not a whole number"),
        ("tictactoe mcts() random() --depth 3", "mcts() has no limit of depth; it is limited by"),
        ("tictactoe random() random() --openings nowhere", "cannot read nowhere"),
        ("tictactoe random() random() --openings -1", "0 or more plies, not -1"),
        ("tictactoe random() random() --openings 9", "every game is over after 9 random plies"),
        ("tictactoe random() random() --resume", "resume needs the file"),
        ("tictactoe random() random() --out nowhere/x", "there is no folder nowhere"),
        ("tictactoe random() random() --out /", "it is a folder"),
        ("pig alphabeta() random() --games 2", "alphabeta cannot handle chance"),
        ("gem openspiel_mcts() random()", "OpenSpiel"),
    ],
)
def test_wrong_input_is_one_line_and_status_2(ponder, line, complaint):
    done = ponder("match", *line.split())
    assert done.status == 2, done
    assert done.out == ""
    assert_one_line(done.err)
    assert complaint in done.err


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_keeps_whole_records_and_tells_what_was_played(tmp_path, jobs):
    out = tmp_path / "games.jsonl"
    line = ("match", "tictactoe", "mcts(simulations=2000)", "random()", "--games", "100000")
    process = subprocess.Popen(
        [*PROGRAM, *line, "--openings", "1", "--jobs", jobs, "--out", str(out), "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "TERM": "dumb"},
    )
    deadline = time.monotonic() + 100
    while not out.exists() or out.read_text().count("\n") < 4:
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    result, err = process.communicate(timeout=60)
    assert process.returncode == 130
    data = json.loads(result)
    assert data["interrupted"] is True
    text = out.read_text()
    assert text.endswith("\n")
    rows = [json.loads(row) for row in text.splitlines()]
    assert len(rows) - 1 == data["games"] >= 3
    told = [row for row in err.splitlines() if "compiling" not in row]
    assert told == [
        f"ponder: interrupted after {data['games']} games; --out {out} --resume continues it"
    ]
    assert not [row for row in err.splitlines() if "Traceback" in row]


def test_a_second_match_on_the_same_file_gets_one_line(ponder, tmp_path):
    file = tmp_path / "games.jsonl"
    more = ("--seed", "1", "--out", str(file))
    assert ponder(*GAME, *SPECS, "--games", "2", *more).status == 0
    before = file.read_bytes()
    with file.open("rb+") as held:
        assert lock(held.fileno())
        done = ponder(*GAME, *SPECS, "--games", "4", *more, "--resume")
    assert done.status == 2
    assert_one_line(done.err)
    assert "is being written by another match: let it end first" in done.err
    assert file.read_bytes() == before
