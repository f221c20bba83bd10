"""Rules that write outside their arrays: `check` reports them, `--safe` ends with one line."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from command_line import assert_one_line, needs_compiler

FILE = Path(__file__).parents[1] / "check" / "unchecked_games" / "far_cells.py"
FAR = f"{FILE}:Path"
FAULT = 1 + next(i for i, line in enumerate(FILE.read_text().splitlines()) if "self.far]" in line)
"""The line that writes outside the record."""


@needs_compiler
def test_check_survives_a_far_write_that_plain_python_has_not_met(program):
    game = f"{FAR}(length=20, far=100000000, rare=True)"
    found = program("check", game, "--games", "300", "--seed", "1")
    assert found.status == 2, found.err
    assert "raises: apply_action raised IndexError" in found.out
    assert "(far_cells.py, line " in found.out
    assert "after 1 1 1 1 1 1 1 1 1 1)" in found.out


@needs_compiler
def test_a_safe_search_of_an_unchecked_game_ends_with_one_line(program):
    game = f"{FAR}(length=12, rare=True)"
    line = ("search", game, "--engine", "mcts()", "--simulations", "20000", "--seed", "1")
    found = program(*line, "--safe")
    assert found.status == 2
    assert_one_line(found.err)
    assert "apply_action raised IndexError: index 12 is out of bounds" in found.err
    assert f"(far_cells.py, line {FAULT}) (after 1 1 1 1 1 1 1, seed " in found.err


FROM_PYTHON = """
import sys
from ponder import game
from ponder.check import check_game
from ponder.jit import BOUNDS_CHECKED, COMPILED
assert COMPILED and not BOUNDS_CHECKED
print(check_game(game(sys.argv[1]), games=300, seed=1, seconds=0.5))
"""


@needs_compiler
def test_check_called_from_python_survives_it_too():
    """Without bounds checks, that is: plain Python goes first with every call."""
    game = f"{FAR}(length=20, far=100000000, rare=True)"
    environment = {name: v for name, v in os.environ.items() if name != "NUMBA_BOUNDSCHECK"}
    found = subprocess.run(
        [sys.executable, "-c", FROM_PYTHON, game],
        capture_output=True,
        text=True,
        check=False,
        env=environment,
    )
    assert found.returncode == 0, found.stderr
    assert "raises: apply_action raised IndexError" in found.stdout
    assert f"(far_cells.py, line {FAULT})" in found.stdout
    assert "after 1 1 1 1 1 1 1 1 1 1)" in found.stdout


@needs_compiler
@pytest.mark.parametrize(
    "command",
    [
        ("search", "tictactoe"),
        ("solve", "tictactoe"),
        ("play", "tictactoe"),
        ("match", "tictactoe", "random()", "random()"),
    ],
    ids=lambda command: command[0],
)
def test_safety_that_comes_too_late_is_refused_not_forgotten(command, ponder):
    refused = ponder(*command, "--safe")
    assert refused.status == 2
    assert_one_line(refused.err)
    assert "NUMBA_BOUNDSCHECK=1" in refused.err
