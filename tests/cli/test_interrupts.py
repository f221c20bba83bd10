"""Ctrl-C at some moments of some commands; `benchmarks/stress/interrupts.py` tries many more."""

from __future__ import annotations

import importlib.util
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "stress" / "interrupts.py"


@pytest.fixture(scope="module")
def trial():
    spec = importlib.util.spec_from_file_location("interrupts", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", ["search", "match --jobs 2", "show", "explore"])
@pytest.mark.parametrize("seed", [1, 2])
def test_ctrl_c_at_any_moment_ends_a_command_and_leaves_nothing_behind(trial, name, seed):
    moment = random.Random(f"{name} {seed}").uniform(trial.EARLIEST, trial.WARM)
    trial.LONGEST = 30.0  # how soon is measured on an idle machine
    pressed = trial.press(name, moment, None)
    assert not pressed.fault
    assert not pressed.over


def test_the_trial_can_fail(trial, monkeypatch):
    ignoring = "import signal, time; signal.signal(signal.SIGINT, lambda *_: None); time.sleep(3)"
    monkeypatch.setattr(trial, "program", lambda name, folder: [sys.executable, "-c", ignoring])
    assert "status 0" in trial.press("search", 1.0, None).fault


UNGUARDED = """
from ponder import match
from ponder.errors import InputError
try:
    match("tictactoe", "random()", "random()", games=4, jobs=2)
except InputError as error:
    print(error)
"""


def test_a_match_in_processes_without_a_main_guard_names_the_guard(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(UNGUARDED)
    line = [sys.executable, str(script)]
    done = subprocess.run(line, capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("\n") == 1
    assert 'if __name__ == "__main__":' in done.stdout


COMPILER_AT_WORK = """
import sys, time
sys.argv = ["ponder", "games"]
from ponder.cli import program

def never_hears(arguments):
    print("at work", flush=True)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            time.sleep(0.05)
        except KeyboardInterrupt:
            pass  # as the compiler does, which calls Python back and ignores what is raised
    return 0

program.run = never_hears
program.main()
"""


def test_a_press_that_is_lost_on_its_way_ends_the_process_all_the_same():
    process = subprocess.Popen(
        [sys.executable, "-c", COMPILER_AT_WORK],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout.readline() == "at work\n"
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=50)
    assert (process.returncode, err) == (130, "ponder: interrupted\n")
