"""The wide signature: what it covers, that it depends on the code alone, and what it is.

    NUMBA_DISABLE_JIT=1 python -m ponder.bench.wide_signature > tests/bench/wide_signature.txt

renews the lines, where a change of results was meant.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ponder.bench.wide_signature import (
    CHESS_SWITCHES,
    GROUPS,
    SWITCHES,
    GroupSignature,
    hash_of,
    whole_number,
    wide_signature,
)
from ponder.search.alphabeta import AlphaBeta
from ponder.search.solving import METHODS

pytestmark = pytest.mark.plain

NOTED = Path(__file__).with_name("wide_signature.txt")


def noted():
    """The lines of every group, as they were written down."""
    found = {}
    for block in NOTED.read_text().split("# ")[1:]:
        head, *lines = block.rstrip("\n").split("\n")
        name, _, number = head.rpartition(" ")
        found[name] = GroupSignature(name, tuple(lines))
        assert found[name].number == number, f"{name}: the file was edited by hand"
    return found


@pytest.mark.parametrize("name", GROUPS)
def test_the_results_of_a_group_are_those_that_are_noted(name):
    (found,) = wide_signature([name])
    assert found.lines == noted()[name].lines


def test_all_groups_are_noted_and_nothing_else():
    assert list(noted()) == list(GROUPS)


def test_the_number_of_all_follows_from_those_of_the_groups():
    groups = list(noted().values())
    other = groups[0]._replace(lines=(*groups[0].lines, ""))
    assert whole_number([other, *groups[1:]]) != whole_number(groups)
    assert groups[0].number == hash_of("\n".join(groups[0].lines))


def effort(line):
    """What follows the engine: nodes, depth, value, line, moves."""
    return line.partition(": ")[2]


def test_every_switch_of_alpha_beta_changes_something():
    """So that a switch which does nothing any more moves the number."""
    lines = {line.partition(" depth")[0]: effort(line) for line in noted()["alphabeta"].lines[:16]}
    usual, no_hints = lines["alphabeta()"], lines["alphabeta(hints=False)"]
    for one in SWITCHES:
        before = no_hints if one.startswith("hints=False,") else usual
        assert lines[f"alphabeta({one})"] != before, one
    usual, *others = map(effort, noted()["alphabeta chess"].lines)
    assert usual not in others
    named = {word.partition("=")[0] for one in SWITCHES for word in one.split(", ")}
    named |= {one.partition("=")[0] for one in CHESS_SWITCHES}
    switches = {name for name, value in AlphaBeta()._asdict().items() if isinstance(value, bool)}
    assert named == switches | {"beam"}


def test_every_method_of_solving_is_covered():
    text = "\n".join(noted()["solving"].lines)
    assert all(f" by {method} solved" in text for method in METHODS)


def test_it_does_not_depend_on_the_order_of_sets_or_on_the_process():
    names = ("several players", "sessions", "plain game", "self-play")
    code = (
        "from ponder.bench.wide_signature import wide_signature\n"
        f"print(*[group.number for group in wide_signature({names!r})])"
    )
    for seed in ("1", "77"):
        done = subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed, "NUMBA_DISABLE_JIT": "1"},
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout.split() == [noted()[name].number for name in names]
