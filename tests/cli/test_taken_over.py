"""A search begun in plain Python and continued compiled is one that was compiled from the start.

Some of the pairs of `benchmarks/agreement/tiers.py`, whose kernels other tests compile as well.
"""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

from command_line import needs_compiler

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "agreement" / "tiers.py"
PAIRS = [
    ("tictactoe", "mcts()", "simulations", 300, 111),
    ("tictactoe", "alphabeta()", "nodes", 1500, 401),
    ("connect4", "mcts()", "simulations", 120, 50),
    ("nim", "mcts()", "simulations", 200, 77),
]


@needs_compiler
def test_a_search_that_is_taken_over_is_the_same_bit_for_bit():
    spec = importlib.util.spec_from_file_location("tiers_benchmark", SCRIPT)
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    plain = subprocess.run(
        [sys.executable, str(SCRIPT), "--plain", json.dumps(PAIRS)],
        check=True,
        stdout=subprocess.PIPE,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
    )
    for pair, handed in zip(PAIRS, json.loads(plain.stdout), strict=True):
        same, said = script.compared(pair, handed)
        assert same, (pair, said)
    same, said = script.compared(PAIRS[0], "0" * 64)
    assert not same, "a difference would be found"
    assert "is not the same in plain Python and compiled" in said
