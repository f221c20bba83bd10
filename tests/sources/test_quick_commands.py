"""The commands of the map that take below a second run, in plain mode, all in one process."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from ponder.sources.statements import read_map

pytestmark = pytest.mark.plain
DRIVER = """
import contextlib, io, json, shlex, sys
from ponder.cli import run
for command in json.load(sys.stdin):
    printed, errors = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(errors):
        status = run(shlex.split(command)[1:])
    print(json.dumps([command, status, printed.getvalue(), errors.getvalue()]))
"""


def test_every_quick_command_of_the_map_runs_and_shows_what_it_is_named_for(tmp_path):
    typed = [
        command
        for s in read_map().statements
        if not s.slow
        for command in s.commands
        if not command.startswith("ponder lab")
    ]
    typed = list(dict.fromkeys(typed))
    assert len(typed) > 80
    done = subprocess.run(
        [sys.executable, "-c", DRIVER],
        input=json.dumps(typed),
        cwd=tmp_path,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert [command for command, *_ in found] == typed
    failed = [(command, errors) for command, status, _, errors in found if status != 0]
    assert not failed
    printed = {command: text for command, _, text, _ in found}
    assert all(printed.values())
    lacking = [
        (s.number, shown)
        for s in read_map().statements
        for shown in s.shows
        if shown not in "".join(printed[command] for command in s.commands)
    ]
    assert not lacking
