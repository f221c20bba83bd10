"""Ponder: game-tree search for games written in plain Python.

    from ponder import MCTS, position

    start = position("connect4").play_all("4 4 3")
    result = MCTS().search(start, seconds=1)
    print(result)

The parts of a Monte Carlo tree search stand in `ponder.select`, `ponder.expand`,
`ponder.evaluate`, `ponder.backup`, `ponder.decide`, `ponder.priors` and `ponder.fpu`, ready-made
searches in `ponder.presets`, and what rules of your own are made of in `ponder.rules`.

The public names stand in `__init__.pyi`, which type checkers read. They are imported when first
used, so that ``ponder --help`` answers at once.
"""

from __future__ import annotations

import importlib

__version__ = "0.1.0"


def _public_names() -> dict[str, str]:
    """Every public name with the module it stands in, from ``from HOME import NAME as NAME``."""
    stub = __spec__.loader.get_data(f"{__path__[0]}/__init__.pyi").decode()  # in a zip file, too
    lines = (line.split() for line in stub.splitlines() if line.startswith("from "))
    return {line[3]: line[1] for line in lines}


def __getattr__(name: str) -> object:
    if name == "__all__":
        return sorted(_public_names())
    home = None if name.startswith("_") else _public_names().get(name)
    if home is None:
        raise AttributeError(f"module 'ponder' has no attribute {name!r}")
    if home == "ponder":  # a namespace such as ponder.select
        return importlib.import_module(f"ponder.{name}")
    value = getattr(importlib.import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(_public_names())
