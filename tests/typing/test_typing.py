"""What type checkers find in users' programs, and what they leave in peace.

`twelve_errors.py` has a mark on every line with an error. `FOUND` says which of them are found
today: the list is to grow until it has all twelve.
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import ponder

pytestmark = pytest.mark.plain

HERE = Path(__file__).parent
MARK = re.compile(r"  # (error|mypy): (.*)")
FOUND = {
    "mypy": {
        "a misspelt option of MCTS",
        "a misspelt name of a result",
        "a limit that alpha-beta has not",
        "a misspelt limit of run",
        "a text as a number of a rule",
    },
    "pyright": {
        "a misspelt option of MCTS",
        "a misspelt name of a result",
        "a limit that alpha-beta has not",
        "a misspelt limit of run",
        "a text as a number of a rule",
    },
}


def marks(name):
    """What stands beside the lines with errors, by line."""
    lines = enumerate((HERE / name).read_text().splitlines(), 1)
    return {n: found[2] for n, line in lines if (found := MARK.search(line))}


@pytest.fixture(scope="module")
def programs(tmp_path_factory):
    """A folder with the programs and the package as an installed one: its own files are not what is
    checked."""
    folder = tmp_path_factory.mktemp("typing")
    (folder / "site").mkdir()
    (folder / "site" / "ponder").symlink_to(Path(ponder.__file__).parent)
    for program in HERE.glob("*.py"):
        if not program.name.startswith("test_"):
            (folder / program.name).write_text(program.read_text())
    (folder / "mypy.ini").write_text("[mypy]\n[mypy-ponder.*]\nfollow_imports = silent\n")
    settings = {"extraPaths": ["site"], "exclude": ["site"], "reportUnusedExpression": False}
    (folder / "pyrightconfig.json").write_text(json.dumps(settings))
    return folder


@pytest.fixture(scope="module")
def by_mypy(programs):
    """What mypy --strict says of each program, by line."""
    names = sorted(path.name for path in programs.glob("*.py"))
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", *names],
        cwd=programs,
        env={"MYPYPATH": str(programs / "site"), "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode in (0, 1), done.stderr
    said = {name: {} for name in names}
    for line in done.stdout.splitlines():
        if ": error:" in line:
            name, number, text = line.split(":", 2)
            said[name].setdefault(int(number), text)
    return said


@pytest.fixture(scope="module")
def by_pyright(programs):
    """The same by pyright."""
    if importlib.util.find_spec("pyright") is None:
        pytest.skip("pyright is not installed: pip install 'pyright[nodejs]'")
    done = subprocess.run(
        [sys.executable, "-m", "pyright", "--outputjson", "--pythonpath", sys.executable],
        cwd=programs,
        env={**os.environ, "PYRIGHT_PYTHON_IGNORE_WARNINGS": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode in (0, 1), done.stderr or done.stdout
    said = {path.name: {} for path in programs.glob("*.py")}
    for one in json.loads(done.stdout)["generalDiagnostics"]:
        if one["severity"] == "error":
            line = one["range"]["start"]["line"] + 1
            said[Path(one["file"]).name].setdefault(line, one["message"])
    return said


@pytest.fixture(params=["mypy", "pyright"])
def checker(request):
    return request.param, request.getfixturevalue(f"by_{request.param}")


def test_there_are_twelve_errors_each_of_its_own_kind():
    assert len(marks("twelve_errors.py")) == 12 == len({*marks("twelve_errors.py").values()})
    assert all(kinds <= {*marks("twelve_errors.py").values()} for kinds in FOUND.values())


def test_the_errors_found_are_those_listed(checker):
    """One more is found? Add it to `FOUND`. One fewer is a step back."""
    name, said = checker
    marked = marks("twelve_errors.py")
    assert {marked.get(line, text) for line, text in said["twelve_errors.py"].items()} == FOUND[
        name
    ]


def test_of_correct_programs_nothing_is_said(checker):
    assert checker[1]["correct.py"] == {}


def test_mypy_finds_misspelt_names_and_nothing_else(by_mypy):
    said, marked = by_mypy["misspelt_names.py"], marks("misspelt_names.py")
    assert {*said} == {*marked}, said
    assert all(marked[line] in text for line, text in said.items()), said
