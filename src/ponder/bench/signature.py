"""One number over the results of fixed searches: a refactoring must not move it.

Games, positions, seeds and numbers of simulations are fixed; the number is a hash over the visits
of every root move, the size and the depth of every tree. Speeds do not enter. It is the same on
every run and in plain mode; it changes when the rules of a game, the random numbers or the
algorithm change, and then the change should be meant.
"""

from __future__ import annotations

import hashlib

from ponder.core.start import position
from ponder.mcts.presets import uct

SEARCHES = (
    # game, moves played before, seed
    ("tictactoe", "", 1),
    ("tictactoe", "b2 a1", 2),
    ("connect4", "", 1),
    ("connect4", "4 4 3 5", 2),
    ("connect4(columns=9, rows=7, run=5, players=3)", "", 3),
    ("othello", "", 1),
    ("nim", "", 1),
    ("pig", "", 1),
    ("tree", "", 1),
    ("pgame", "", 1),
)
SIMULATIONS = 5000


def signature(simulations: int = SIMULATIONS) -> str:
    """16 hexadecimal digits."""
    made = hashlib.sha256()
    for game, moves, seed in SEARCHES:
        result = uct().search(position(game).play_all(moves), simulations=simulations, seed=seed)
        visits = sorted((int(row.action), row.visits) for row in result.moves)
        made.update(f"{game} {moves} {seed} {visits} {result.tree.size} {result.depth}\n".encode())
    return made.hexdigest()[:16]
