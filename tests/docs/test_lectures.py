"""docs/lectures.md: every command runs, and prints what the page shows.

One process in plain mode runs them all: the trees are small, and nothing waits for the compiler.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

from test_tutorial import blocks, commands

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "lectures.md").read_text()
DRIVER = """
import contextlib, io, json, shlex, sys
from ponder.cli import run
found = []
for command in json.load(sys.stdin):
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        status = run(shlex.split(command)[1:])
    found.append((status, printed.getvalue()))
print(json.dumps(found))
"""


def pattern(shown: list[str]) -> str:
    """A line "..." stands for any lines, and "..." in a line for anything."""
    lines = [
        r"(?:.*\n)*?" if line == "..." else ".*".join(map(re.escape, line.split("..."))) + r" *\n"
        for line in shown
    ]
    return "".join(lines) + r"\s*"


def test_every_command_prints_what_the_page_shows(tmp_path):
    typed = [
        one for kind, text in blocks("lectures.md") if kind == "console" for one in commands(text)
    ]
    assert len(typed) > 15
    done = subprocess.run(
        [sys.executable, "-c", DRIVER],
        input=json.dumps([command for command, _ in typed]),
        cwd=tmp_path,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    for (command, shown), (status, printed) in zip(typed, json.loads(done.stdout), strict=True):
        assert status == 0, command
        assert re.fullmatch(pattern(shown), printed), (command, printed)


def test_every_link_and_picture_of_the_page_is_there():
    targets = re.findall(r"\]\(([^)#]+)[^)]*\)", PAGE)
    assert len(targets) > 20
    assert not [target for target in targets if not (ROOT / "docs" / target).exists()]
    for name in re.findall(r"`([a-z_/]+\.py)`", PAGE):
        assert (ROOT / "src" / "ponder" / name).exists(), name
