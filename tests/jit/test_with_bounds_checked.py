"""Some tests of games and searches once more, with every index of compiled code checked.

Tests of each game alone: tests/games/test_bounds.py.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from command_line import needs_compiler

CHOSEN = {
    "games": [
        "games/test_tictactoe.py::test_up_to_symmetry_there_are_765_positions",
        "games/test_nim.py::test_who_wins_is_what_bouton_says",
        "games/test_connect4.py::test_open_ends_agree_with_playing_every_cell",
    ],
    "alphabeta": [
        "search/test_alphabeta.py::test_small_games_have_their_known_values[tictactoe-0-None]",
        "search/test_alphabeta.py::test_small_games_have_their_known_values[connect4(4, 4)-0-None]",
    ],
    "solving": [
        "search/test_solve.py::test_nim_is_won_unless_the_exclusive_or_is_zero",
        "search/test_proof_number.py::test_each_player_is_asked_for_separately",
        "search/test_value_iteration.py::test_pig_target_3_as_a_fraction",
    ],
    "many_players_and_dice": [
        "search/test_maxn.py::test_max_n_is_the_reference_node_for_node",
        "search/test_expectiminimax.py::test_without_pruning_it_is_the_reference_node_for_node",
    ],
    "mcts": [
        "mcts/test_solver_truth.py::test_tic_tac_toe_is_proven_a_draw",
        "mcts/test_carry.py::test_a_full_tree_is_recycled_and_no_visit_is_lost",
    ],
    "endgame": [
        "endgame/test_position_tables.py::test_cycles_are_draws_and_turns_need_not_alternate",
    ],
}


@needs_compiler
@pytest.mark.parametrize("subject", CHOSEN)
def test_no_index_leaves_its_array(subject):
    tests = Path(__file__).parents[1]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *CHOSEN[subject]],
        cwd=tests,
        env={**os.environ, "NUMBA_BOUNDSCHECK": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]
