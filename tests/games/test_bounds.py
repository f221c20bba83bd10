"""No game reads or writes outside its arrays: searched with every index checked."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from ponder.core.registry import GAMES

PROGRAM = """
import random, sys
from ponder import MCTS, position

start = position(sys.argv[1])
rng = random.Random(1)
for _ in range(2):
    here = start
    while not here.is_terminal:
        here = here.play(rng.choice(here.legal_actions))
here = start
while here.is_chance:
    here = here.play(rng.choice(here.legal_actions))
MCTS().search(here, simulations=60, seed=1)
"""


@pytest.mark.parametrize("game", GAMES)
def test_every_index_is_within_its_array(game):
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, game],
        env={**os.environ, "NUMBA_BOUNDSCHECK": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
