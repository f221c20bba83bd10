"""One number over the results of fixed searches: a refactoring must not move it.

Games, positions, seeds and numbers of simulations are fixed; the number is a hash over the visits
of every root move, the size and the depth of every tree. Speeds do not enter. It is the same on
every run and in plain mode; it changes when the rules of a game, the random numbers or the
algorithm change, and then the change should be meant.
"""

from __future__ import annotations

import hashlib

from ponder.core.protocols import as_number
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
    ("tree", "", 1),  # utilities from -14 to 14; all others have -1 to 1
    ("pgame", "", 1),
)
SIMULATIONS = 5000


def signature(simulations: int = SIMULATIONS) -> str:
    """16 hexadecimal digits."""
    made = hashlib.sha256()
    for game, moves, seed in SEARCHES:
        start = position(game).play_all(moves)
        lowest, highest = start.rules.utilities
        engine = uct(c=2.0 / (0.5 * (highest - lowest)))  # 2 in utilities, whatever their range
        result = engine.search(start, simulations=simulations, seed=seed)
        visits = sorted((as_number(row.action), row.visits) for row in result.moves)
        made.update(
            f"{game} {moves} {seed} {visits} {result.tree.size} {result.deepest}\n".encode()
        )
    return made.hexdigest()[:16]
