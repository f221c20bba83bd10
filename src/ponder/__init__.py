"""Ponder: game-tree search for games written in plain Python.

    from ponder import MCTS, position

    start = position("connect4").play_all("4 4 3")
    result = MCTS().search(start, seconds=1)
    print(result)

The parts of a Monte Carlo tree search stand in `ponder.select`, `ponder.expand`,
`ponder.evaluate`, `ponder.backup`, `ponder.decide`, `ponder.priors` and `ponder.fpu`, ready-made
searches in `ponder.presets`, and what rules of your own are made of in `ponder.rules`.

Names are imported when first used, so that ``ponder --help`` answers at once.
"""

from __future__ import annotations

import importlib

__version__ = "0.1.0"

TYPE_CHECKING = False
"""That of `typing`, which takes long enough to import for Ctrl-C to fall into it."""

if TYPE_CHECKING:  # what type checkers and editors see; tests hold it against `_HOMES`
    from ponder import backup, decide, evaluate, expand, fpu, presets, priors, rules, select
    from ponder.arena.match import match
    from ponder.book.engine import open_book
    from ponder.core.game import CHANCE, Spec, Term, record
    from ponder.core.geometry import Geometry
    from ponder.core.limits import Limit
    from ponder.core.position import Position
    from ponder.core.result import SearchResult
    from ponder.core.session import Session
    from ponder.core.start import engine, game, position
    from ponder.core.terms import explain
    from ponder.errors import CompileError, GameError, IllegalAction, InputError, PonderError
    from ponder.mcts.engine import MCTS
    from ponder.mcts.presets import Strong
    from ponder.mcts.session import Sessions
    from ponder.mcts.view import SearchTree
    from ponder.mcts.why import why
    from ponder.search.alphabeta import AlphaBeta
    from ponder.search.best_reply import BestReply
    from ponder.search.expectiminimax import Expectiminimax
    from ponder.search.maxn import MaxN
    from ponder.search.minimax import Minimax
    from ponder.search.paranoid import Paranoid
    from ponder.search.perft import perft
    from ponder.search.random import RandomPlayer
    from ponder.search.solve import solve
    from ponder.search.value_iteration import value_iteration

_HOMES = {
    "AlphaBeta": "ponder.search.alphabeta",
    "BestReply": "ponder.search.best_reply",
    "CHANCE": "ponder.core.game",
    "CompileError": "ponder.errors",
    "Expectiminimax": "ponder.search.expectiminimax",
    "GameError": "ponder.errors",
    "Geometry": "ponder.core.geometry",
    "IllegalAction": "ponder.errors",
    "InputError": "ponder.errors",
    "Limit": "ponder.core.limits",
    "MCTS": "ponder.mcts.engine",
    "MaxN": "ponder.search.maxn",
    "Minimax": "ponder.search.minimax",
    "Paranoid": "ponder.search.paranoid",
    "PonderError": "ponder.errors",
    "Position": "ponder.core.position",
    "RandomPlayer": "ponder.search.random",
    "SearchResult": "ponder.core.result",
    "SearchTree": "ponder.mcts.view",
    "Session": "ponder.core.session",
    "Sessions": "ponder.mcts.session",
    "Spec": "ponder.core.game",
    "Strong": "ponder.mcts.presets",
    "Term": "ponder.core.game",
    "engine": "ponder.core.start",
    "explain": "ponder.core.terms",
    "game": "ponder.core.start",
    "match": "ponder.arena.match",
    "open_book": "ponder.book.engine",
    "perft": "ponder.search.perft",
    "position": "ponder.core.start",
    "record": "ponder.core.game",
    "solve": "ponder.search.solve",
    "value_iteration": "ponder.search.value_iteration",
    "why": "ponder.mcts.why",
}
_NAMESPACES = (
    "backup",
    "decide",
    "evaluate",
    "expand",
    "fpu",
    "presets",
    "priors",
    "rules",
    "select",
)

__all__ = [
    "CHANCE",
    "MCTS",
    "AlphaBeta",
    "BestReply",
    "CompileError",
    "Expectiminimax",
    "GameError",
    "Geometry",
    "IllegalAction",
    "InputError",
    "Limit",
    "MaxN",
    "Minimax",
    "Paranoid",
    "PonderError",
    "Position",
    "RandomPlayer",
    "SearchResult",
    "SearchTree",
    "Session",
    "Sessions",
    "Spec",
    "Strong",
    "Term",
    "backup",
    "decide",
    "engine",
    "evaluate",
    "expand",
    "explain",
    "fpu",
    "game",
    "match",
    "open_book",
    "perft",
    "position",
    "presets",
    "priors",
    "record",
    "rules",
    "select",
    "solve",
    "value_iteration",
    "why",
]

if not TYPE_CHECKING:  # else every misspelt name would be right to a type checker

    def __getattr__(name: str) -> object:
        if name in _NAMESPACES:
            return importlib.import_module(f"ponder.{name}")
        if name not in _HOMES:
            raise AttributeError(f"module 'ponder' has no attribute {name!r}")
        home, _, attribute = _HOMES[name].partition(":")
        value = getattr(importlib.import_module(home), attribute or name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return __all__
