"""Random openings, and matches from them: each opening is played twice, with seats exchanged."""

from __future__ import annotations

import random
from typing import Any, NamedTuple

from ponder.arena.match import match as play_match
from ponder.arena.openings import Opening, random_openings
from ponder.arena.rating import Rating, Z, rate
from ponder.arena.result import MatchResult
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
    result = pairs(one, two, starts)
    margin = Z * result.rating.error
    return Score(result.games, result.wins, result.draws, result.losses, result.score, margin)


def pairs(one: Any, two: Any, starts: list[Position], seed: int = 0) -> MatchResult:
    """Both games from every start, with everything the arena knows of them."""
    return play_match(
        starts[0].game,
        one,
        two,
        games=2 * len(starts),
        openings=[Opening(start.history_names) for start in starts],
        seed=seed,
    )


FIGURES = ("games", "won", "drawn", "lost", "score", "from", "to", "elo")


def figures(result: MatchResult) -> tuple[Any, ...]:
    """The columns `FIGURES`: counts, the score with its 95 % interval, the Elo difference."""
    r = result.rating
    counts = result.games, result.wins, result.draws, result.losses
    return (*counts, r.score, r.score_low, r.score_high, round(r.elo))


def pooled(results: list[MatchResult]) -> Rating:
    """The rating of all rounds of several matches together."""
    return rate([[p.points() for p in played] for r in results for played in r.rounds])


def limit_text(limit: dict[str, Any]) -> str:
    """What a move may cost, in words."""
    if "seconds" in limit:
        return f"{1000 * limit['seconds']:g} ms"
    return f"{limit['simulations']:,} simulations"
