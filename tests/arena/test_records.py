"""Games on disk: whole lines whatever happens, and matches that go on."""

from __future__ import annotations

import json

import pytest

from ponder import InputError
from ponder.arena import match
from ponder.arena.record import game_from_json, game_to_json, read_records

SPECS = ("connect4", "mcts(simulations=20)", "random()")


def without_seconds(file):
    rows = [json.loads(line) for line in file.read_text().splitlines()]
    for row in rows:
        row.pop("seconds", None)
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
    with pytest.raises(InputError, match="exists: go on with it"):
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


@pytest.mark.parametrize("bad", ["[]", "hello", '{"round": 1}', '{"round": 1, "moves": 3}'])
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
