"""Input, streams and rules that would bring a program down: one line and a status."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import ponder as ponder_package
from command_line import PROGRAM, assert_one_line, needs_compiler

NESTED = {
    "brackets": "mcts" + "(" * 1000 + ")" * 1000,
    "minus signs": f"mcts(simulations={'-' * 1000}1)",
    "calls": "mcts(select=" + "ucb1(" * 1000 + ")" * 1000 + ")",
}


@pytest.mark.parametrize("engine", NESTED.values(), ids=NESTED.keys())
def test_a_deeply_nested_text_is_refused_in_one_line(ponder, engine):
    done = ponder("search", "tictactoe", "--engine", engine)
    assert done.status == 2
    assert_one_line(done.err)


@pytest.mark.parametrize("memory", ["1e12", "1e300"])
@pytest.mark.parametrize(
    "engine",
    [
        "mcts()",
        "mcts(transpositions=True)",
        "strong()",
        "alphabeta()",
        "minimax()",
        "maxn()",
        "expectiminimax()",
        "paranoid()",
        "best_reply()",
    ],
)
def test_more_memory_than_any_machine_has_is_refused_by_every_engine(ponder, engine, memory):
    done = ponder("search", "tictactoe", "--engine", engine, "--memory", memory)
    assert done.status == 2
    assert_one_line(done.err)
    assert "memory must be at most 1,000,000,000" in done.err


def test_an_engine_of_its_own_memory_and_a_solver_refuse_it_too(ponder):
    for line in (
        ("search", "tictactoe", "--engine", "mcts(memory=1e12)"),
        ("search", "tictactoe", "--engine", "alphabeta(memory=1e12)"),
        ("solve", "tictactoe", "--memory", "1e12"),
    ):
        done = ponder(*line)
        assert done.status == 2
        assert_one_line(done.err)
        assert "memory must be at most" in done.err


LIST_AS_DEFAULT = """
from typing import NamedTuple
from ponder import Spec, record

class Piles(NamedTuple):
    sizes: {annotation} = [3, 4]

    def spec(self):
        return Spec(players=2, max_actions=2, max_length=7, state=record(pile="i4"))
    def start(self, s):
        s.pile = 3
    def current_player(self, s):
        return s.pile & 1
    def legal_actions(self, s, out):
        out[0] = 0
        return 1
    def apply_action(self, s, a):
        s.pile -= 1
    def is_terminal(self, s):
        return s.pile <= 0
    def returns(self, s, out):
        out[0] = 1.0
        out[1] = -1.0
"""


@pytest.mark.parametrize("command", [("search",), ("perft", "2"), ("solve",), ("check",)])
def test_a_list_as_a_parameters_default_is_refused(ponder, tmp_path, command):
    file = tmp_path / "piles.py"
    file.write_text(LIST_AS_DEFAULT.format(annotation="list"))
    done = ponder(command[0], f"{file}:Piles", *command[1:])
    assert done.status == 2
    assert_one_line(done.err)
    assert "sizes of Piles must be something that cannot be changed, a tuple say" in done.err


def test_a_list_where_a_tuple_is_declared_becomes_one(ponder, tmp_path):
    file = tmp_path / "piles.py"
    file.write_text(LIST_AS_DEFAULT.format(annotation="tuple[int, ...]"))
    assert ponder("perft", f"{file}:Piles", "2").status == 0


UNHASHABLE = """
class Lists:
    def start(self):
        return (3, 0)
    def current_player(self, state):
        return state[1]
    def legal_actions(self, state):
        return [[1]] if state[0] < {below} else [1]
    def apply_action(self, state, action):
        return (state[0] - 1, 1 - state[1])
    def is_terminal(self, state):
        return state[0] == 0
    def returns(self, state):
        return (1, -1)
"""


@pytest.mark.parametrize("below", [4, 3], ids=["at the root", "later"])
@pytest.mark.parametrize(
    "line",
    [
        ("search",),
        ("search", "--engine", "alphabeta()"),
        ("search", "--engine", "random()"),
        ("play", "--second", "--engine", "mcts(simulations=20)"),
        ("solve",),
        ("perft", "3"),
        ("match", "random()", "random()", "--games", "1"),
    ],
    ids=" ".join,
)
def test_actions_that_cannot_be_hashed_are_refused(ponder, tmp_path, line, below):
    file = tmp_path / "lists.py"
    file.write_text(UNHASHABLE.format(below=below))
    done = ponder(line[0], f"{file}:Lists", *line[1:])
    if line == ("search", "--engine", "random()") and below == 3:
        assert done.status == 0  # it looks at the root alone
        return
    assert done.status == 2
    assert_one_line(done.err)
    assert "the action [1] of Lists cannot be hashed; use a tuple, say" in done.err


def test_ctrl_c_while_the_program_is_imported_is_one_line(tmp_path):
    (tmp_path / "typer.py").write_text("import os, signal\nos.kill(os.getpid(), signal.SIGINT)\n")
    path = os.pathsep.join([str(tmp_path), *sys.path])
    done = subprocess.run(
        [*PROGRAM, "games"],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env={**os.environ, "PYTHONPATH": path},
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "ponder: interrupted\n")


def test_nearly_nothing_is_imported_before_ctrl_c_is_looked_after():
    """Whatever comes before `main` of the command line would end with a traceback."""
    program = (
        "import sys; before = {*sys.modules}; import ponder.cli; print({*sys.modules} - before)"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-c", program],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": str(Path(ponder_package.__file__).parents[1])},
    )
    brought = eval(done.stdout)
    assert {"ponder", "ponder.cli"} <= brought
    assert not brought & {"typing", "re", "enum", "functools", "contextlib"}


def test_no_game_is_as_long_as_an_absurd_depth(ponder):
    done = ponder("perft", "tictactoe", str(10**12))
    assert done.status == 0
    assert f"perft({10**12}) = 0 " in done.out


def test_a_limit_that_never_comes_is_a_limit_all_the_same(ponder):
    done = ponder("search", "tictactoe", "--seconds", "1e308", "--simulations", "20")
    assert done.status == 0, done.err
    assert "20 simulations" in done.out


@pytest.mark.parametrize(
    ("option", "number", "most"),
    [("--games", 10**21, "10,000,000"), ("--jobs", 10**6, "256")],
)
def test_more_games_or_processes_than_there_can_be_are_refused(ponder, option, number, most):
    done = ponder("match", "tictactoe", "random()", "random()", option, str(number))
    assert done.status == 2
    assert_one_line(done.err)
    assert f"{option[2:]} must be at most {most}, not {number:,}" in done.err


@pytest.mark.parametrize(
    ("file", "reason"),
    [
        ("/dev/full", "it is a device or a pipe, not an ordinary file"),
        ("/", "it is a folder; name a file"),
        ("/nowhere/at/all", "there is no folder /nowhere/at"),
    ],
)
@pytest.mark.parametrize(
    "line",
    [
        ("solve", "pig(target=40)", "--save"),
        ("lab", "gem", "--csv"),
        ("lab", "bandit", "--resume"),
        ("book", "build", "--self-play", "1000000", "tictactoe"),
    ],
    ids=" ".join,
)
def test_what_could_not_be_saved_is_refused_before_the_work(ponder, line, file, reason):
    """The work itself would take minutes."""
    done = ponder(*line, file)
    assert done.status == 2
    assert done.out == ""
    assert_one_line(done.err)
    assert f"cannot write {file}: {reason}" in done.err


def shell(redirection: str) -> subprocess.CompletedProcess[str]:
    line = ["sh", "-c", f'exec "$@" {redirection}', "sh", *PROGRAM, "games"]
    return subprocess.run(line, capture_output=True, text=True, timeout=120, check=False)


@pytest.mark.parametrize("redirection", [">/dev/full", ">&-"])
def test_output_that_cannot_be_written_is_one_line(redirection):
    done = shell(redirection)
    assert done.returncode == 2
    assert_one_line(done.stderr)


def test_a_closed_input_is_no_input():
    line = ["sh", "-c", 'exec "$@" <&-', "sh", *PROGRAM, "play", "tictactoe"]
    done = subprocess.run(line, capture_output=True, text=True, timeout=120, check=False)
    assert "Traceback" not in done.stderr


ENDLESS = """
import numpy as np
from ponder.core.interrupt import interruptible
from ponder.jit import kernel, read_now

@kernel
def loop(end):
    while read_now(end, 0) == 0:
        pass

loop(np.ones(1, np.int64))  # compiles
with interruptible():
    print("running", flush=True)
    loop(np.zeros(1, np.int64))
"""


@needs_compiler
def test_a_second_ctrl_c_ends_a_kernel_that_never_returns(tmp_path):
    script = tmp_path / "endless.py"
    script.write_text(ENDLESS)
    process = subprocess.Popen(
        [sys.executable, script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout.readline() == "running\n"
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        with pytest.raises(subprocess.TimeoutExpired):  # the first one only asks
            process.wait(timeout=4)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    finally:
        process.kill()  # or a failure would leave it running forever
    assert process.returncode == 130
    assert err == "ponder: interrupted: the rules did not return\n"
