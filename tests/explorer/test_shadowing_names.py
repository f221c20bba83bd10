"""A folder in which Python files have the names of modules: no process of ours runs one of them."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import pytest
from browser import Explorer
from tabs import tab

import ponder
from ponder.core.processes import module_command

pytestmark = pytest.mark.plain
SOURCE = Path(ponder.__file__).parent
OTHERS = (
    *("numpy", "numba", "llvmlite", "typer", "click", "rich", "starlette", "uvicorn", "anyio"),
    *("websockets", "torch", "ray", "sgfmill", "scipy", "matplotlib", "onnxruntime", "ponder"),
)
GAME = """
from ponder.games.nim import Nim
from neighbour_of_mine import HEAPS

class Mine(Nim):
    def __new__(cls, heaps=HEAPS, misere=False):
        return Nim.__new__(cls, heaps, misere)
"""
PROGRAM = """
from ponder.cli import main

if __name__ == "__main__":
    main()
"""


@pytest.fixture
def folder(tmp_path):
    """A folder with a game in two files, and a file for the name of every module there is. (A name
    that nobody has may be a neighbour of the game.)"""
    made = tmp_path / "here"
    made.mkdir()
    marks = tmp_path / "marks"
    marks.mkdir()
    # of Python's own also those that only other systems have: nt, winreg
    for name in {*sys.stdlib_module_names, *filter(find_spec, OTHERS)}:
        mark = marks / name
        (made / f"{name}.py").write_text(f"open({str(mark)!r}, 'w').close()\nraise ImportError\n")
    (made / "mine.py").write_text(GAME)
    (made / "neighbour_of_mine.py").write_text("HEAPS = (1, 2)\n")
    elsewhere = tmp_path / "bin"
    elsewhere.mkdir()
    (elsewhere / "ponder").write_text(PROGRAM)
    return made


def command(folder: Path, *words: str) -> dict:
    """How the program is started there, as installed: its own folder is another one."""
    return {
        "args": [sys.executable, str(folder.parent / "bin" / "ponder"), *words],
        "cwd": folder,
        "env": {
            **{name: value for name, value in os.environ.items() if name != "PYTHONPATH"},
            "NUMBA_DISABLE_JIT": "1",
            "XDG_CACHE_HOME": str(folder.parent),
        },
        "text": True,
    }


def run(folder: Path, *words: str) -> str:
    done = subprocess.run(**command(folder, *words), capture_output=True, check=False)
    assert done.returncode in (0, 3), done.stderr  # 3: what few trees show of an experiment
    assert ran(folder) == []
    return done.stdout


def ran(folder: Path) -> list[str]:
    """The files of the folder that were run."""
    return sorted(one.name for one in (folder.parent / "marks").iterdir())


def test_the_folder_would_be_noticed(folder):
    line = [sys.executable, "-c", "import json"]
    assert subprocess.run(line, cwd=folder, capture_output=True, check=False).returncode == 1
    assert ran(folder) == ["json"]


def test_a_match_in_several_processes_of_a_game_in_two_files(folder):
    line = ("match", "mine.py:Mine", "random()", "random()", "--games", "4", "--seed", "1")
    found = json.loads(run(folder, *line, "--jobs", "2", "--json"))
    assert found["games"] == 4


@contextmanager
def explorer(folder: Path, *words: str) -> Iterator[Explorer]:
    """A running explorer, for `tab`."""
    line = command(folder, "explore", "--no-browser", "--port", "0", *words)
    server = subprocess.Popen(**line, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        assert server.stdout is not None
        yield Explorer(server, server.stdout.readline().split()[-1])
    finally:
        server.terminate()
        server.communicate()


def test_the_explorer_its_workers_and_their_experiments(folder):
    with explorer(folder, "mine.py:Mine") as running, tab(running) as page:
        board = page.ask("board", game=f"{folder}/mine.py:Mine")
        assert "heaps=(1, 2)" in board["game"], board
        small = {"experiment": "scale", "version": "quick", "sizes": {"trees": 2}}
        assert page.ask("lab_run", **small)["running"]
        for _ in range(300):
            if (plan := page.ask("plan", **small)).get("kept_steps"):
                break
            time.sleep(0.2)
        assert plan["kept_steps"], plan
    assert ran(folder) == []


def modules_that_are_begun() -> set[str]:
    """Those named in calls of `module_command`, in the whole source."""
    found = set()
    for file in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "module_command":
                found.add(ast.literal_eval(node.args[0]))
    return found


@pytest.mark.parametrize("module", sorted(modules_that_are_begun()))
def test_each_module_that_is_begun_takes_its_own_path(folder, module):
    """With nothing to do: what it imports is where a name of the folder could come between."""
    line = command(folder) | {"args": module_command(module, "search", "mine.py:Mine", "--seed")}
    subprocess.run(**line, stdin=subprocess.DEVNULL, capture_output=True, timeout=120, check=False)
    assert ran(folder) == []


@pytest.mark.parametrize(
    "line",
    [
        ("search", "mine.py:Mine", "--simulations", "3"),
        ("show", "mine.py:Mine", "--simulations", "3"),
        ("lab", "scale", "--quick", "--size", "trees=2"),
    ],
)
def test_a_command_that_may_begin_others(folder, line):
    run(folder, *line, "--seed", "1")


TRAINING = """
import sys
from pathlib import Path
from ponder import position
from ponder.learn.config import training
from ponder.learn.training import TrainingRun

if __name__ == "__main__":
    for name in ("", "local"):
        config = training(simulations=4, first_positions=20, batch=16, least_window=100)
        run = TrainingRun(position("mine.py:Mine"), Path(f"run {name}"), config, None, name)
        run.run(rounds=1, rate=False)
        run.close()
        print(run.totals.rounds)
"""


def test_training_on_a_cluster_of_a_game_in_two_files(folder):
    pytest.importorskip("ray")
    pytest.importorskip("torch")
    (folder.parent / "bin" / "ponder").write_text(TRAINING)
    assert run(folder).split() == ["1", "1"]


def test_the_module_run_by_hand_takes_its_own_path(folder):
    """Only what Python itself imports before the first line of ours is out of reach."""
    line = command(folder, "games", "--json")
    line["args"][1:2] = ["-m", "ponder"]
    (folder / "ponder.py").unlink()
    early = "import sys, runpy, __future__; print(*sys.modules)"
    listed = subprocess.run(
        [sys.executable, "-c", early], capture_output=True, text=True, check=True
    )
    for name in listed.stdout.split():
        (folder / f"{name}.py").unlink(missing_ok=True)
    assert len(list(folder.iterdir())) > 100
    done = subprocess.run(**line, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    assert ran(folder) == []


def test_no_other_code_starts_a_process():
    """A new one is begun by `ponder.core.processes`, or named here with the reason."""
    found = {}
    for file in SOURCE.rglob("*.py"):
        tree = ast.parse(file.read_text())
        names = {
            node.attr
            for node in ast.walk(tree)
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
            if node.value.id in ("os", "sys", "subprocess", "asyncio", "multiprocessing", "futures")
        }
        starts = {
            *(name for name in names if re.match("exec|spawn|posix_spawn|create_subprocess", name)),
            *names & {"Popen", "run", "check_output", "call", "fork", "forkpty", "system", "popen"},
            *names & {"get_context", "Process", "Pool", "ProcessPoolExecutor", "executable"},
        }
        if starts:
            found[str(file.relative_to(SOURCE))] = starts
    assert found == {
        "core/processes.py": {"executable"},
        "arena/workers.py": {"get_context"},  # under `safe_path`
        "core/interrupt.py": {"execv"},  # of `module_command`, or with the same arguments
        # of `module_command`
        "cli/ahead.py": {"Popen"},
        "cli/tier.py": {"Popen"},
        "explorer/lab_run.py": {"Popen"},
        "explorer/pool.py": {"create_subprocess_exec"},
    }
