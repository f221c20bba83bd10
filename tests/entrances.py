"""For walks over entrances: a Python file that leaves a mark when it is run, texts that name it."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from ponder.arena.record import FORMAT as MATCH
from ponder.core.gate import FILE_PREFIX
from ponder.core.history import FORMAT as SESSION
from ponder.files import line_of

SOURCE = """
from pathlib import Path
from typing import NamedTuple
from ponder.games.nim import Nim
from ponder.mcts.select.ucb import UCB1

Path(__file__).with_name("ran").touch()

class X(Nim):
    pass

class Rule(NamedTuple):
    c: float = 1.0
    shared, terms = UCB1.shared, UCB1.terms

def f(positions):
    return [[0.0, 0.0] for p in positions]
"""


class Marker:
    """The file, and whether it was run."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "marker.py"
        self.file.write_text(SOURCE)

    @property
    def ran(self) -> bool:
        return self.file.with_name("ran").exists()

    def forget(self) -> None:
        """As if this were another process."""
        for name in [n for n in sys.modules if n.startswith(FILE_PREFIX)]:
            if sys.modules[name].__file__ == str(self.file):
                del sys.modules[name]
        self.file.with_name("ran").unlink(missing_ok=True)

    def texts(self) -> list[str]:
        """As a game, a rule, an engine, a function and a module, alone and inside others; as a
        saved game, a saved search and a file of a match."""
        file = self.file
        game = f"{file}:X(heaps=(1, 2))"
        engine = f"mcts(select={file}:Rule(c=2.0))"
        saved = {"game": game, "position": "", "moves": []}
        return [
            game,
            f"{file}:Rule()",
            str(file),
            engine,
            f"mcts(evaluate=function(call='{file}:f'))",
            f"function(call='{file}:f')",
            f"alphazero(call='{file}:f', simulations=4)",
            f"alphazero(net='connect4', module='{file}:X')",
            f"book('{file}', engine={engine})",
            f"ucb1()), evaluate=function(call='{file}:f'",
            f"ucb1(c={file}:X())",
            json.dumps(saved),
            json.dumps({"format": SESSION, **saved, "engine": engine, "seed": 1, "changes": []}),
            line_of({"ponder_match": MATCH, **a_match(game, engine)}).decode(),
        ]


def a_match(game: str, engine: str) -> dict:
    return {
        "game": game,
        "engines": [engine, "random()"],
        "limit": {"simulations": 4},
        "seed": 1,
        "openings": "random(0)",
    }
