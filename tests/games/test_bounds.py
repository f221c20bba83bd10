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

for game in sys.argv[1:]:
    start = position(game)
    rng = random.Random(1)
    print(game, flush=True)
    for _ in range(2):
        here = start
        while not here.is_terminal:
            here = here.play(rng.choice(here.legal_actions))
    here = start
    while here.is_chance:
        here = here.play(rng.choice(here.legal_actions))
    MCTS().search(here, simulations=60, seed=1)
"""
PROCESSES = 4
"""What the games share is lowered once in each."""


@pytest.mark.parametrize(
    "games", [tuple(GAMES)[i::PROCESSES] for i in range(PROCESSES)], ids=" ".join
)
def test_every_index_is_within_its_array(games):
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *games],
        env={**os.environ, "NUMBA_BOUNDSCHECK": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    searched = done.stdout.split()
    assert done.returncode == 0, f"{searched[-1]}: {done.stderr[-2000:]}"
    assert tuple(searched) == games
