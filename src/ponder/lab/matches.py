"""Random openings, and matches from them: each opening is played twice, with seats exchanged."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

from ponder.arena.match import match as play_match
from ponder.arena.openings import Opening, random_openings
from ponder.arena.rating import elo_of
from ponder.arena.result import MatchResult
from ponder.core.position import Position
from ponder.core.registry import parse_game
from ponder.lab.samples import Average, Interval, Sample

Rounds = list[list[float]]
"""The points of one side (a win 1, a draw 1/2) in the games from each opening."""


def openings(game: str, plies: int, count: int, seed: int) -> list[Position]:
    """Different positions after `plies` uniformly random moves, none of them the end."""
    dice = random.Random(f"{game} {plies} {seed}")
    return random_openings(Position(parse_game(game)), plies, count, dice)


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


def rounds_of(result: MatchResult) -> Rounds:
    return [[p.points() for p in played] for played in result.rounds]


def play(one: Any, two: Any, starts: list[Position], seed: int) -> Rounds:
    """A match of engine `one` against `two`, which name their own limits: the points of `one`."""
    return rounds_of(pairs(one, two, starts, seed))


def score(*matches: Rounds) -> Average:
    """The score of all rounds of these matches; the games of a round are one cluster."""
    rounds = [points for found in matches for points in found]
    clusters = [i for i, points in enumerate(rounds) for _ in points]
    return Average([p for points in rounds for p in points], clusters, (0.0, 1.0))


@dataclass(frozen=True)
class EloOf:
    """A score as an Elo difference."""

    score: Sample

    @property
    def n(self) -> int:
        return self.score.n

    def interval(self, level: float) -> Interval:
        return Interval(*map(elo_of, self.score.interval(level)))


def limit_text(limit: dict[str, Any]) -> str:
    """What a move may cost, in words."""
    if "seconds" in limit:
        return f"{1000 * limit['seconds']:g} ms"
    return f"{limit['simulations']:,} simulations"


def speed(result: MatchResult) -> float:
    """Simulations of the first player for one of the second."""
    mine, theirs = (result.effort(i)["simulations_per_move"] for i in (0, 1))
    return float(mine / theirs)
