"""What would help where solving ended before the value was known: from what happened."""

from __future__ import annotations

from typing import Any

import numpy as np

from ponder.core.registry import game_text
from ponder.search.solving_methods import ByAlphaBeta, ByIteration, ByProofNumbers
from ponder.search.table import NO_BOUND
from ponder.search.value_iteration import MOST_STATES

LOOKED_AT = 1 << 16
"""Entries of a table that are counted: positions lie anywhere in it."""
FULL = 0.5
"""A table of which so much is in use has pushed out a good deal already."""
SIZES = ("columns", "rows", "size", "heaps", "depth", "branching", "target", "pile")
"""Parameters by which games are made smaller."""


def what_helps(solving: Any, stopped_by: str, seconds: float) -> tuple[str, ...]:
    """Sentences, the most promising first."""
    found: list[str] = []
    method = solving.method
    if stopped_by == "depth":
        found.append(_without_end(solving))
    elif stopped_by == "memory":
        found.append(
            "a compiled game (docs/your-own-game.md): of a plain Python one every state that was "
            "met is kept, and there is no room for more"
        )
    else:
        if used := table_in_use(method):
            share, megabytes = used
            if share >= FULL:
                found.append(
                    f"a larger table (--memory {2 * megabytes:.0f}): that of {megabytes:.0f} MB is "
                    f"{share:.0%} full, and what is pushed out is searched again"
                )
        found += _other_methods(solving)
        found.append(f"more time: it ended after {seconds:.1f} s with something left to do")
    found.append("a position further on in the game (--moves)")
    if named := sizes_of(solving.asked_of.game):
        game = game_text(solving.asked_of.game).partition("(")[0]
        found.append(f"a smaller game: {', '.join(named)} of {game}")
    return tuple(found)


def _without_end(solving: Any) -> str:
    """Where lines of play go on for too long."""
    longest = solving.position.rules.spec.max_length
    if len(solving._methods) > 1 or solving.name == "value-iteration":
        return (
            f"nothing that there is: lines of play go on for up to {longest:,} plies, and all "
            "positions together are too many to be listed"
        )
    return (
        f"--method value-iteration: lines of play go on for up to {longest:,} plies, and it lists "
        f"positions instead, up to {MOST_STATES:,} (--hold FIELDS leaves counters out)"
    )


def _other_methods(solving: Any) -> list[str]:
    name, dice = solving.name, solving.position.dice_ahead
    if not solving.opposed:
        return []
    if isinstance(solving.method, ByIteration):
        listed = solving.method.nodes
        if solving.method.iteration.listed:
            return []
        other = "expectiminimax" if dice else "alphabeta"
        return [f"--method {other}: {listed:,} positions were listed, and there are more"]
    if name in ("minimax", "maxn") and not dice:
        return [f"--method alphabeta: {name} visits every line of play, and keeps no table"]
    if name == "expectiminimax" and not dice:
        return ["--method alphabeta: there are no dice, and it closes in on the value alone"]
    if name == "alphabeta" and solving.position.players == 2:
        return [
            "--method proof-number, where wins are forced and narrow: it tells win, draw or loss "
            "of games that have nothing else, and no distances"
        ]
    if name == "proof-number":
        return ["--method alphabeta: it cuts by values, where no win is forced"]
    return []


def table_in_use(method: Any) -> tuple[float, float] | None:
    """How much of the table is in use, and its megabytes; None where there is none, or where it
    may still grow."""
    if isinstance(method, ByAlphaBeta):
        search = method.search
        if search.memory < search.most_memory:
            return None
        entries = search.table[0]
        some = entries[:LOOKED_AT]
        kept = some["bound"] != NO_BOUND if some.dtype.names else some != 0
    elif isinstance(method, ByProofNumbers):
        entries = method.search.table
        some = entries[:LOOKED_AT]
        kept = (some["pn"] != 0) | (some["dn"] != 0)
    else:
        return None
    return float(np.mean(kept)), entries.nbytes / (1 << 20)


def sizes_of(game: Any) -> list[str]:
    """The game's parameters of size."""
    return [name for name in getattr(game, "_fields", ()) if name in SIZES]
