"""Rules that write outside their arrays: `check` reports them, `--safe` ends with one line."""

from __future__ import annotations

from pathlib import Path

import pytest

from command_line import assert_one_line, needs_compiler

FAR = f"{Path(__file__).parents[1]}/unchecked_games/far_cells.py:Path"


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
    found = program("search", game, "--engine", "mcts()", "--simulations", "20000", "--safe")
    assert found.status == 2
    assert_one_line(found.err)
    assert "the rules of Path raised IndexError: index is out of bounds" in found.err
    assert "ponder check names method, line and moves" in found.err


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
