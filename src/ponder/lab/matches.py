"""Random openings, and matches from them: each opening is played twice, with seats exchanged."""

from __future__ import annotations

import random
from typing import Any, NamedTuple

from ponder.arena.match import match as play_match
from ponder.arena.openings import Opening, random_openings
from ponder.arena.rating import Z
from ponder.core.position import Position
from ponder.core.start import position


def openings(game: str, plies: int, count: int, seed: int) -> list[Position]:
    """Different positions after `plies` uniformly random moves, none of them the end."""
    return random_openings(position(game), plies, count, random.Random(f"{game} {plies} {seed}"))


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
    """The score of engine `one` against `two`, which name their own limits."""
    result = play_match(
        starts[0].game,
        one,
        two,
        games=2 * len(starts),
        openings=[Opening(start.history_names) for start in starts],
        seed=0,
    )
    margin = Z * result.rating.error
    return Score(result.games, result.wins, result.draws, result.losses, result.score, margin)
