"""Openings: random ones differ and repeat with the seed; files are read line by line."""

from __future__ import annotations

import random

import pytest

from ponder import InputError, position
from ponder.arena.openings import Opening, openings_for, random_openings

START = position("connect4")


def test_random_openings_are_different_and_of_the_wanted_length():
    found = random_openings(START, 3, 40, random.Random(1))
    assert len({p.text() for p in found}) == 40
    assert {len(p.history) for p in found} == {3}
    assert not any(p.is_terminal for p in found)


def test_the_seed_decides_the_openings():
    first, second, other = (openings_for(START, 4, 10, seed)[0] for seed in (1, 1, 2))
    assert first == second
    assert first != other


def test_there_are_no_more_openings_than_positions():
    found, _ = openings_for(START, 1, 50, 0)
    assert sorted(found) == [Opening((str(column),)) for column in range(1, 8)]


@pytest.mark.parametrize(("rounds", "plies"), [(1, 0), (5, 1), (7, 1), (8, 2), (40, 2), (60, 3)])
def test_as_few_random_plies_as_give_every_round_its_own(rounds, plies):
    found, which = openings_for(START, None, rounds, 0)
    assert len(set(found)) == rounds
    assert which == f"random({plies})"


def test_where_dice_are_rolled_the_start_is_opening_enough():
    assert openings_for(position("pig"), None, 30, 0) == ([Opening(())], "random(0)")
    assert openings_for(position("twenty48"), None, 30, 0)[0] == [Opening(())]


def test_dice_in_a_random_opening_follow_the_rules():
    found, _ = openings_for(position("pig"), 4, 10, 0)
    assert len({opening.position(position("pig")).text() for opening in found}) == 10


def test_a_file_has_an_opening_a_line(tmp_path):
    file = tmp_path / "openings.txt"
    file.write_text("# two and the start\n4 4 3\n\n1, 7   # by the edges\nstart\n")
    found, which = openings_for(START, str(file), 5, 0)
    assert found == [Opening(("4", "4", "3")), Opening(("1", "7")), Opening(())]
    assert which == str(file)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("4 4\n4 9\n", "line 2: move 2: '9' is not legal here"),
        ("4 1 4 1 4 1 4\n", "line 1: the game is over after these moves"),
        ("# nothing\n", "has no openings"),
    ],
)
def test_a_wrong_line_of_a_file_is_named(tmp_path, text, complaint):
    file = tmp_path / "openings.txt"
    file.write_text(text)
    with pytest.raises(InputError, match=complaint):
        openings_for(START, file, 2, 0)


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        (-1, "0 or more plies"),
        (60, "every game is over after 60 random plies"),
        ("nowhere.txt", "cannot read nowhere.txt"),
    ],
)
def test_openings_that_cannot_be_had_are_refused(given, complaint):
    with pytest.raises(InputError, match=complaint):
        openings_for(START, given, 2, 0)
