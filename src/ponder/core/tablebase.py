"""Exact values that are looked up: what a search asks of tables, whoever brings them.

Searches know this protocol and no table. The functions stand in `TABLEBASES` of the registry:

    part    (game, path, half, step) -> TablePart: the tables at `path`, for a kernel
    save    (position, words, values, held, path) -> bytes written: a solved position as a table
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np

from ponder.core.position import Position
from ponder.core.registry import TABLEBASES, load


class TablePart(Protocol):
    """Tables as a part for kernels.

    ``part.probe(game, states, words, ply, me)`` gives the value for player `me` of ``states[ply]``,
    a game that is not over, or NaN where the tables do not say. `words` is the memory of the
    records as 64-bit words. Values are as in alpha-beta search: a draw is 0, a win d plies from
    that state ``half - d * step``, such a loss ``-half + d * step``.
    """

    def probe(self, game: Any, states: Any, words: Any, ply: Any, me: Any, /) -> Any: ...


class NoEndgame(NamedTuple):
    """No tables: nothing is known, and the compiler removes the question."""

    def probe(self, game: Any, states: Any, words: Any, ply: Any, me: Any) -> Any:
        return np.nan


def search_part(game: Any, path: str, half: float, step: float) -> TablePart:
    """What a search asks: `NoEndgame` for an empty path, else the tables there.

    `half` of the utility range is what a win is worth, `step` what a ply costs.
    """
    if not path:
        return NoEndgame()
    made: TablePart = load(TABLEBASES["part"])(game, path, half, step)
    return made


def save_values(position: Position, words: Any, values: Any, held: Any, path: str | Path) -> int:
    """Write the table of a solved position; returns its size in bytes.

    `words`: [N, words of the record] u8; `values`: [N], for player 0; `held`: the numbers of the
    bytes that do not count.
    """
    written: int = load(TABLEBASES["save"])(position, words, values, held, path)
    return written
