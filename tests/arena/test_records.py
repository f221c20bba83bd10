"""Games on disk: whole lines whatever happens, and matches that go on."""

from __future__ import annotations

import json
import os

import pytest

from ponder import InputError
from ponder.arena import match
from ponder.arena.record import game_from_json, game_to_json, read_records
from ponder.files import line_of, object_of

SPECS = ("connect4", "mcts(simulations=20)", "random()")


def without_seconds(file):
    rows = [json.loads(line) for line in file.read_text().splitlines()]
    for row in rows:
        row.pop("seconds", None)
        row.pop("checksum")
    return rows


def test_every_game_is_a_line_that_reads_back(tmp_path):
    file = tmp_path / "games.jsonl"
    result = match(*SPECS, games=6, seed=1, out=file)
    header, games, whole = read_records(file)
    assert header["game"] == "connect4()"
    assert header["engines"] == ["mcts(simulations=20)", "random()"]
    assert header["seed"] == 1
    assert games == result.records
    assert whole == file.stat().st_size
    for played in games:
        assert game_from_json(json.loads(json.dumps(game_to_json(played)))) == played


def test_an_existing_file_is_never_overwritten(tmp_path):
    file = tmp_path / "games.jsonl"
    match(*SPECS, games=2, seed=1, out=file)
    before = file.read_bytes()
    with pytest.raises(InputError, match="exists: continue it"):
        match(*SPECS, games=2, seed=1, out=file)
    assert file.read_bytes() == before


@pytest.mark.parametrize("torn", ["", '{"round": 2, "game": 0, "mov'])
def test_a_match_goes_on_where_it_stopped_even_after_a_torn_line(tmp_path, torn):
    whole, part = tmp_path / "whole.jsonl", tmp_path / "part.jsonl"
    expected = match(*SPECS, games=8, openings=2, seed=1, out=whole)
    lines = whole.read_text().splitlines(True)
    part.write_text("".join([lines[0], lines[1], lines[3]]) + torn)  # out of order, with a gap
    result = match(*SPECS, games=8, openings=2, out=part, resume=True)
    assert result.rating == expected.rating
    assert [p.moves for p in result.records] == [p.moves for p in expected.records]
    assert without_seconds(part)[0] == without_seconds(whole)[0]
    by_number = sorted(without_seconds(part)[1:], key=lambda row: (row["round"], row["game"]))
    assert by_number == without_seconds(whole)[1:]


def test_a_finished_match_can_be_made_longer(tmp_path):
    file = tmp_path / "games.jsonl"
    first = match(*SPECS, games=4, seed=1, out=file)
    longer = match(*SPECS, games=10, out=file, resume=True)
    assert longer.games == 10
    assert longer.records[:4] == first.records
    assert longer.openings == first.openings


def test_going_on_with_a_finished_match_plays_nothing(tmp_path):
    file = tmp_path / "games.jsonl"
    first = match(*SPECS, games=4, seed=1, out=file)
    before = file.read_bytes()
    again = match(*SPECS, games=4, seed=1, out=file, resume=True)
    assert again.records == first.records
    assert file.read_bytes() == before


@pytest.mark.parametrize(
    ("specs", "changes", "complaint"),
    [
        (("connect4", "random()", "random()"), {}, "its engines mcts"),
        (("tictactoe", *SPECS[1:]), {}, "its game connect4"),
        (SPECS, {"seed": 2}, "its seed 1, not 2"),
        (SPECS, {"openings": 3}, "its openings random"),
    ],
)
def test_another_match_does_not_go_into_the_same_file(tmp_path, specs, changes, complaint):
    file = tmp_path / "games.jsonl"
    match(*SPECS, games=2, seed=1, out=file)
    with pytest.raises(InputError, match=complaint):
        match(*specs, games=4, out=file, resume=True, **changes)


def test_changed_openings_are_noticed(tmp_path):
    file, openings = tmp_path / "games.jsonl", tmp_path / "openings.txt"
    openings.write_text("4 4\n1 2\n")
    match(*SPECS, games=2, seed=1, out=file, openings=openings)
    openings.write_text("1 2\n4 4\n")
    with pytest.raises(InputError, match="other openings: round 0 began with 4 4"):
        match(*SPECS, games=4, seed=1, out=file, resume=True, openings=openings)


@pytest.mark.parametrize(
    "bad", ["[]", "hello", '{"round": 1}', '{"round": 1, "moves": 3}', "", "\0\0\0\0"]
)
def test_a_damaged_line_is_named_and_can_be_deleted(tmp_path, bad):
    file = tmp_path / "games.jsonl"
    expected = match(*SPECS, games=4, seed=1, out=file)
    lines = file.read_text().splitlines()
    text = "\n".join([*lines[:2], bad, *lines[3:]]) + "\n"
    file.write_text(text)
    with pytest.raises(InputError, match=r"line 3 of .*games.jsonl is damaged: delete it"):
        match(*SPECS, games=4, out=file, resume=True)
    assert file.read_text() == text
    file.write_text("\n".join([*lines[:2], *lines[3:]]) + "\n")
    again = match(*SPECS, games=4, out=file, resume=True)
    assert [p.moves for p in again.records] == [p.moves for p in expected.records]


def test_an_empty_file_is_said_to_be_empty(tmp_path):
    file = tmp_path / "games.jsonl"
    file.touch()
    with pytest.raises(InputError, match="is empty: delete it, and a match can begin there"):
        match(*SPECS, games=2, out=file, resume=True)


@pytest.mark.parametrize(
    "text", ["hello\n", "[]\n", "{}\n", '{"ponder_match": 99}\n', '{"ponder_match": 1}\n', "{"]
)
def test_a_file_that_is_no_match_is_refused_and_left_alone(tmp_path, text):
    file = tmp_path / "games.jsonl"
    file.write_text(text)
    with pytest.raises(InputError, match=r"not a file of match records|another version"):
        match(*SPECS, games=2, out=file, resume=True)
    assert file.read_text() == text


# ------------------------------------------------------------------ checksums and locks


def test_a_line_carries_its_own_checksum():
    data = {"round": 3, "moves": ["4", "é"]}
    line = line_of(data)
    assert object_of(line.rstrip(b"\n")) == data
    assert set(json.loads(line)) == {"round", "moves", "checksum"}
    for i in range(len(line) - 1):
        changed = bytearray(line.rstrip(b"\n"))
        changed[i] ^= 1
        with pytest.raises(ValueError, match="checksum is wrong"):
            object_of(bytes(changed))


def test_a_changed_result_is_noticed(tmp_path):
    file = tmp_path / "games.jsonl"
    match(*SPECS, games=4, seed=1, out=file)
    lines = file.read_text().splitlines(True)
    lines[2] = lines[2].replace('"round": 0', '"round": 5')
    file.write_text("".join(lines))
    with pytest.raises(InputError, match=r"line 3 of .* is damaged"):
        read_records(file)


def test_a_changed_first_line_is_noticed(tmp_path):
    file = tmp_path / "games.jsonl"
    match(*SPECS, games=2, seed=1, out=file)
    file.write_text(file.read_text().replace('"seed": 1', '"seed": 2', 1))
    with pytest.raises(InputError, match=r"the first line of .* is damaged"):
        match(*SPECS, games=2, out=file, resume=True)


def test_a_game_is_never_in_a_file_twice(tmp_path):
    file = tmp_path / "games.jsonl"
    match(*SPECS, games=4, seed=1, out=file)
    lines = file.read_text().splitlines(True)
    file.write_text("".join([*lines, lines[2]]))
    with pytest.raises(InputError, match=r"line 6 of .* has game 1 of round 0 a second time"):
        match(*SPECS, games=6, out=file, resume=True)


@pytest.mark.parametrize(
    "end", [b"\0" * 40, b"\0" * 40 + b"\n", b'{"round": 9}\n', b'{"round": 9}\n{"rou']
)
def test_whatever_a_crash_left_at_the_end_is_dropped_and_no_game_is_lost(tmp_path, end):
    file = tmp_path / "games.jsonl"
    expected = match(*SPECS, games=6, openings=2, seed=1, out=file)
    lines = file.read_bytes().splitlines(True)
    file.write_bytes(b"".join(lines[:4]) + end)
    again = match(*SPECS, games=6, openings=2, out=file, resume=True)
    assert [p.moves for p in again.records] == [p.moves for p in expected.records]
    _, games, whole = read_records(file)
    assert len(games) == 6
    assert whole == file.stat().st_size


def test_a_match_cut_off_at_any_byte_of_its_last_game_is_resumed(tmp_path):
    file = tmp_path / "games.jsonl"
    match("tictactoe", "random()", "random()", games=3, seed=1, out=file)
    whole = file.read_bytes()
    begin = whole[:-1].rfind(b"\n") + 1
    for cut in range(begin, len(whole), 7):
        file.write_bytes(whole[:cut])
        match("tictactoe", "random()", "random()", games=3, out=file, resume=True)
        assert len(read_records(file)[1]) == 3


def test_a_file_has_one_writer_at_a_time(tmp_path):
    file = tmp_path / "games.jsonl"
    match(*SPECS, games=2, seed=1, out=file)
    refused = []

    def try_too(progress):
        before = file.read_bytes()
        with pytest.raises(InputError, match="is being written by another match") as caught:
            match(*SPECS, games=4, out=file, resume=True)
        assert file.read_bytes() == before
        refused.append(caught)

    match(*SPECS, games=4, out=file, resume=True, progress=try_too)
    assert len(refused) == 2
    assert match(*SPECS, games=6, out=file, resume=True).games == 6, "afterwards it is free"


def test_a_refused_match_lets_the_file_go(tmp_path):
    file = tmp_path / "games.jsonl"
    match(*SPECS, games=2, seed=1, out=file)
    with pytest.raises(InputError, match="its seed"):
        match(*SPECS, games=4, seed=7, out=file, resume=True)
    assert match(*SPECS, games=4, out=file, resume=True).games == 4


def test_devices_and_pipes_are_no_files_of_records(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for place in (tmp_path / "pipe", "/dev/null"):
        with pytest.raises(InputError, match="a device or a pipe"):
            match(*SPECS, games=2, out=place, resume=True)


@pytest.mark.parametrize(
    "change",
    [
        {"round": -1},
        {"round": [1]},
        {"seats": [0, 7]},
        {"moves": [1, 2]},
        {"returns": [1.0]},
        {"ended": "somehow"},
        {"forfeited_by": 2},
        {"movers": []},
    ],
)
def test_what_is_no_game_is_refused_though_its_checksum_is_right(tmp_path, change):
    file = tmp_path / "games.jsonl"
    match(*SPECS, games=4, seed=1, out=file)
    lines = file.read_bytes().splitlines()
    lines[2] = line_of({**object_of(lines[2]), **change}).rstrip(b"\n")
    file.write_bytes(b"\n".join(lines) + b"\n")
    with pytest.raises(InputError, match=r"line 3 of .* is damaged"):
        read_records(file)
