"""What tells the classical searches apart, and what each of their searchers gives back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

NOBODY = -1


class SearchMethod(NamedTuple):
    """A search of the minimax family."""

    name: str
    vector: bool = False
    """Search one utility per player (minimax, max^n); else that of the player to move alone."""
    pruning: int = 0
    """0: visit everything. 1 and 2: see `star_visit` and `vector_visit`."""
    chance: bool = True
    """May chance nodes come up?"""
    best_reply: bool = False
    """Of the opponents between two moves of MAX, only one chooses."""
    table: bool = False
    """Is there a transposition table?"""
    exact: bool = True
    """Is the value that of the game, if the search reaches its end?"""


class DepthResult(NamedTuple):
    """What one search to a given depth found."""

    values: Any
    """One utility per player, or that of the player to move alone."""
    line: tuple[Any, ...]
    rows: Mapping[Any, Any]
    """Exact values of root moves, where known: as `values`."""
    cut_short: bool
    """Did the depth limit cut anything off?"""
