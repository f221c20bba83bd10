"""Files that were written once still load, and say the same: `golden.make` has the list."""

from __future__ import annotations

import json
import shutil

import pytest

from golden.contents import short
from golden.make import FILES, GOLDEN, NOTED, folder_of, noted_text
from ponder.core.registry import FORMATS
from ponder.errors import PonderError

pytestmark = pytest.mark.plain

SOMEBODY_ELSES = ("lab steps",)
"""The example of the format is of a shipped experiment: see `golden.contents.counting`."""
HEADS = [(name, form) for name, golden in GOLDEN.items() for form in golden.formats]
NUMBERS = {"rel": 1e-4, "abs": 1e-5}
"""Libraries for networks add up in their own order."""


def same(found, noted):
    """Are both the same, but for the last digits of numbers that are no whole ones?"""
    if isinstance(noted, float) and isinstance(found, float | int):
        return found == pytest.approx(noted, **NUMBERS)
    if isinstance(noted, list) and isinstance(found, list) and len(noted) == len(found):
        return all(map(same, found, noted))
    if isinstance(noted, dict) and isinstance(found, dict) and [*noted] == [*found]:
        return all(same(found[key], noted[key]) for key in noted)
    return type(found) is type(noted) and found == noted


def copied(name, tmp_path):
    """Reading may write: locks, the next round of a training."""
    return shutil.copytree(folder_of(name), tmp_path / "copy")


def test_every_format_of_files_has_a_golden_file():
    """A new format fails here until `golden.make` has written one."""
    assert {form for _, form in HEADS} == {*FORMATS}


def test_every_golden_folder_is_in_the_list_and_the_other_way_round():
    assert {path.name for path in FILES.iterdir()} == {folder_of(name).name for name in GOLDEN}


@pytest.mark.parametrize("name", GOLDEN)
def test_a_golden_file_says_what_it_said_when_it_was_written(name, tmp_path):
    noted = json.loads((folder_of(name) / NOTED).read_text())
    found = short(GOLDEN[name].read(copied(name, tmp_path)))
    assert same(found, noted), noted_text(found)


@pytest.mark.parametrize(("name", "form"), HEADS)
def test_a_golden_file_is_found_where_the_format_says_and_begins_so(name, form):
    path = folder_of(name) / FORMATS[form].name
    assert path.read_bytes().startswith(FORMATS[form].begins)


@pytest.mark.parametrize(("name", "form"), [h for h in HEADS if h[1] not in SOMEBODY_ELSES])
def test_the_reader_of_the_format_takes_it(name, form, tmp_path):
    path = copied(name, tmp_path) / FORMATS[form].name
    assert FORMATS[form].read_example(path) == FORMATS[form].read_example(path)


def changed(data):
    """The bytes with one near the end turned."""
    at = len(data) * 3 // 4
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


@pytest.mark.parametrize("name", ["mcts session", "tree", "network", "match", "training folder"])
def test_a_golden_file_that_was_changed_says_something_else(name, tmp_path):
    """So that the tests above can fail."""
    folder = copied(name, tmp_path)
    path = folder / FORMATS[GOLDEN[name].formats[0]].name
    path.write_bytes(changed(path.read_bytes()))
    noted = json.loads((folder_of(name) / NOTED).read_text())
    try:
        found = short(GOLDEN[name].read(folder))
    except PonderError:
        return
    assert not same(found, noted)


def test_numbers_are_compared_with_little_room_and_all_else_exactly():
    assert same([0.123456, "a", 3], [0.1234561, "a", 3])
    assert not same([0.1234], [0.1237])
    assert not same([3], [4])
    assert not same({"a": 1}, {"a": True})
    assert not same([1, 2], [1])
