"""What type checkers find in users' programs, and what they leave in peace.

`twelve_errors.py` has a mark on every line with an error.
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
from ponder.core.registry import PARTS, load

pytestmark = pytest.mark.plain

HERE = Path(__file__).parent
MARK = re.compile(r"  # (error|mypy): (.*)")
KINDS = ("select", "expand", "evaluate", "backup", "decide")


def marks(name):
    """What stands beside the lines with errors, by line."""
    return marked_in((HERE / name).read_text())


def marked_in(text):
    lines = enumerate(text.splitlines(), 1)
    return {n: found[2] for n, line in lines if (found := MARK.search(line))}


def every_part():
    """A program that puts every shipped rule into every place of MCTS: where it does not fit, its
    line has a mark."""
    needed = {"file": "'connect4'", "table": "'tables'", "call": "values_of"}
    lines = ["import ponder", "from ponder import MCTS, Position", ""]
    lines += ["def values_of(positions: list[Position]) -> list[tuple[float, float]]:"]
    lines += ["    return [(0.0, 0.0) for _ in positions]", ""]
    for kind in KINDS:
        for target in PARTS[kind].values():
            cls = load(target)
            given = [f"{name}={text}" for name, text in needed.items() if name in cls._fields]
            made = f"ponder.{kind}.{cls.__name__}({', '.join(given)})"
            for place in KINDS:
                mark = "" if place == kind else "  # mypy: [arg-type]"
                lines.append(f"MCTS({place}={made}){mark}")
    return "\n".join(lines) + "\n"


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
    (folder / "every_part.py").write_text(every_part())
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


def test_the_errors_are_found_and_nothing_else(checker):
    marked = marks("twelve_errors.py")
    found = {marked.get(line, text) for line, text in checker[1]["twelve_errors.py"].items()}
    assert found == {*marked.values()}


def test_of_correct_programs_nothing_is_said(checker):
    assert checker[1]["correct.py"] == {}


def test_mypy_finds_misspelt_names_and_nothing_else(by_mypy):
    said, marked = by_mypy["misspelt_names.py"], marks("misspelt_names.py")
    assert {*said} == {*marked}, said
    assert all(marked[line] in text for line, text in said.items()), said


def test_every_rule_fits_in_its_own_place_and_in_no_other(checker):
    said, marked = checker[1]["every_part.py"], marked_in(every_part())
    assert len(marked) == 4 * sum(len(PARTS[kind]) for kind in KINDS)
    assert {*said} == {*marked}, {line: said.get(line) for line in {*said} ^ {*marked}}
