"""The reader of JSON from outside: size, depth and numbers have limits, each with its words."""

from __future__ import annotations

import json
import random
import re
import time
from pathlib import Path

import pytest

import ponder
from ponder.json_text import MOST_DIGITS, MOST_LEVELS, json_object, levels, read_json

pytestmark = pytest.mark.plain


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[" * 100_000, "nested more than 100 levels deep"),
        ('{"a":' * 100_000, "nested more than 100 levels deep"),
        ("[" * (MOST_LEVELS + 1) + "]" * (MOST_LEVELS + 1), "nested more than 100 levels deep"),
        ("9" * (MOST_DIGITS + 1), "a number of 301 digits, accepted: 300"),
        ("9" * 100_000, "a number of 100,000 digits"),
        ('{"a": 1e999}', "a number is too large"),
        ('{"a": NaN}', "NaN is not JSON"),
        ('{"a": -Infinity}', "-Infinity is not JSON"),
        (b"\xff\xfe\xfd", "codec can't decode"),
        ("\ud800", "it contains an unpaired surrogate"),
        ("", "Expecting value"),
        ("{", "Expecting property name"),
    ],
)
def test_what_is_refused_is_a_value_error_that_says_why(text, why):
    with pytest.raises(ValueError, match=re.escape(why)):
        read_json(text)


def test_a_text_that_is_too_long_is_refused_before_it_is_read():
    with pytest.raises(ValueError, match="1,002 bytes, accepted: 1,000"):
        read_json('"' + "x" * 1000 + '"', most_bytes=1000)


@pytest.mark.parametrize("text", ["[]", "3", "null"])
def test_what_is_no_object_is_refused_as_one(text):
    with pytest.raises(ValueError, match="not an object"):
        json_object(text)


def test_what_is_within_the_limits_is_read_as_the_standard_library_does():
    rng = random.Random(1)

    def value(depth):
        kind = rng.randrange(6 if depth else 4)
        if kind == 4:
            return [value(depth - 1) for _ in range(rng.randrange(4))]
        if kind == 5:
            return {rng.choice('ab"\\[{'): value(depth - 1) for _ in range(rng.randrange(4))}
        return (rng.randrange(-(10**20), 10**20), rng.random(), 'x"]\\[{', None)[kind]

    for _ in range(300):
        made = value(6)
        assert read_json(json.dumps(made)) == made
    deepest = "[" * MOST_LEVELS + "]" * MOST_LEVELS
    assert read_json(deepest) == json.loads(deepest)
    assert read_json("9" * MOST_DIGITS) == 10**MOST_DIGITS - 1


def test_brackets_in_texts_are_no_levels():
    assert levels(json.dumps(["[" * 500, '"\\' + "{" * 500]).encode()) == 1


@pytest.mark.parametrize("end", ["", '"', "\\", "\n"])
def test_a_text_of_a_megabyte_takes_no_time_whatever_stands_in_it(end):
    text = "[" * 200 + '"' + '\\"' * 500_000 + end
    began = time.process_time()
    with pytest.raises(ValueError, match="nested more than 100 levels deep"):
        read_json(text)
    assert time.process_time() - began < 2.0, "it would be half an hour if each quote were tried"


def test_nothing_else_reads_json():
    """But for what Ponder itself has said to itself, or people have typed."""
    package = Path(ponder.__file__).parent
    own = {
        "explorer/experiment.py",  # the task that its parent gives
        "explorer/lab_run.py",  # the news of its child
        "explorer/page_connection.py",  # what its workers answer
        "explorer/worker.py",  # messages that the server has read
        "cli/continued.py",  # what the process that it follows has handed over
        "cli/train.py",  # an option
        "games/tree_notation.py",  # a tree as people write it, with the place of a mistake
        "lab/measured.py",  # a file of the package
        "lab/running.py",  # what a step has just given
        "learn/cluster.py",  # the settings that the head node sends
        "learn/file.py",  # what has just been written
    }
    found = {
        str(file.relative_to(package))
        for file in package.rglob("*.py")
        if re.search(r"json\.loads?\(", file.read_text())
    }
    assert found <= own | {"json_text.py"}
