"""Random openings, and matches from them: each opening is played twice, with seats exchanged."""

from __future__ import annotations

import math
import random
from typing import Any, NamedTuple

import numpy as np

from ponder.core.position import Position
from ponder.core.start import position


def openings(game: str, plies: int, count: int, seed: int) -> list[Position]:
    """Different positions after `plies` uniformly random moves, none of them the end."""
    rng = random.Random(f"{game} {plies} {seed}")
    found: dict[Any, Position] = {}
    for _ in range(100 * count):
        here = position(game)
        for _ in range(plies):
            if here.is_terminal:
                break
            here = here.play(rng.choice(here.legal_actions))
        if not here.is_terminal:
            found.setdefault(here.text(), here)
        if len(found) == count:
            break
    return list(found.values())


class Score(NamedTuple):
    """Points of one side (a win 1, a draw 1/2), as a share, with its 95 % interval."""

    games: int
    won: int
    drawn: int
    lost: int
    share: float
    margin: float
    """Half the interval. The two games from one opening are one observation."""


def match(one: Any, two: Any, starts: list[Position]) -> Score:
    """The score of engine `one` against `two`."""
    results = [[outcome(start, one, two, seat) for seat in (0, 1)] for start in starts]
    flat = [r for pair in results for r in pair]
    means = [sum(pair) / 2 for pair in results]
    spread = float(np.std(means, ddof=1)) if len(means) > 1 else 0.5
    return Score(
        games=len(flat),
        won=flat.count(1.0),
        drawn=flat.count(0.5),
        lost=flat.count(0.0),
        share=sum(flat) / len(flat),
        margin=1.96 * spread / math.sqrt(len(means)),
    )


def outcome(start: Position, one: Any, two: Any, seat: int) -> float:
    """1, 1/2 or 0 for `one`, who is player `seat`."""
    here = start
    while not here.is_terminal:
        engine = one if here.current_player == seat else two
        here = here.play(engine.search(here).action)
    mine, theirs = here.returns[seat], here.returns[1 - seat]
    return 1.0 if mine > theirs else 0.0 if mine < theirs else 0.5
