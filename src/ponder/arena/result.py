"""`MatchResult`: what a match gives back. Prints as a table, converts to JSON."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby
from typing import Any

from ponder.arena.game import FORFEIT, Played
from ponder.arena.rating import Rating, mean_difference, rate
from ponder.arena.record import game_to_json
from ponder.arena.summary import summary
from ponder.core.result import finite, frame

VERDICTS = ("win", "draw", "loss")
SCORE = ("score", "score_low", "score_high", "elo", "elo_low", "elo_high")
COUNTED = ("game", "games", "wins", "draws", "losses", *SCORE)
DIFFERENCES = ("difference", "difference_low", "difference_high")
SETTINGS = ("engines", "limit", "openings", "seed", "seconds", "interrupted", "notes")


@dataclass(frozen=True)
class MatchResult:
    """The games of a match, and what they say of the first player."""

    game: str
    players: tuple[str, str]
    limit: dict[str, Any]
    seed: int
    openings: str
    records: Sequence[Played] = field(repr=False)
    """The finished games, by round."""
    seat_count: int
    """How many players the game has."""
    utilities: tuple[float, float] = (-1.0, 1.0)
    seconds: float = 0.0
    interrupted: bool = False
    notes: tuple[str, ...] = ()
    limits: tuple[dict[str, Any], dict[str, Any]] = field(default_factory=lambda: ({}, {}))
    """What each player may think for a move: its own limit, or the match's."""

    # ------------------------------------------------------------ counts

    @cached_property
    def rounds(self) -> list[list[Played]]:
        ordered = sorted(self.records, key=lambda p: (p.task.round, p.task.number))
        return [list(group) for _, group in groupby(ordered, key=lambda p: p.task.round)]

    @cached_property
    def differences(self) -> list[float]:
        """Of a game for one: the first player's return less the second's, round by round."""
        found = []
        for played in self.rounds:
            if self.seat_count == 1 and len(played) == 2:
                one, two = (p.returns[0] if p.returns else self.utilities[0] for p in played)
                found.append(one - two)
        return found

    @cached_property
    def verdicts(self) -> Counter[str]:
        """How many wins, draws and losses. Of a game for one: of its rounds."""
        if self.seat_count == 1:
            return Counter(
                "win" if d > 0 else "draw" if d == 0 else "loss" for d in self.differences
            )
        return Counter(played.verdict() for played in self.records)

    @property
    def games(self) -> int:
        """Games played (for one player: rounds, in which both played)."""
        return sum(self.verdicts.values())

    @property
    def wins(self) -> int:
        return self.verdicts["win"]

    @property
    def draws(self) -> int:
        return self.verdicts["draw"]

    @property
    def losses(self) -> int:
        return self.verdicts["loss"]

    @property
    def forfeits(self) -> tuple[int, int]:
        """Games that each player forfeited."""
        given = Counter(p.forfeited_by for p in self.records if p.ended == FORFEIT)
        return given[0], given[1]

    # ------------------------------------------------------------ strength

    @cached_property
    def rating(self) -> Rating:
        """Score and Elo difference with their 95 % intervals: see `ponder.arena.rating`."""
        if self.seat_count == 1:
            return rate([[1.0 if d > 0 else 0.5 if d == 0 else 0.0] for d in self.differences])
        return rate([[p.points() for p in played] for played in self.rounds])

    @property
    def score(self) -> float:
        """Points of the first player (a win 1, a draw 1/2) as a share of the games."""
        return self.rating.score

    @property
    def score_low(self) -> float:
        return self.rating.score_low

    @property
    def score_high(self) -> float:
        return self.rating.score_high

    @property
    def elo(self) -> float:
        return self.rating.elo

    @property
    def elo_low(self) -> float:
        return self.rating.elo_low

    @property
    def elo_high(self) -> float:
        return self.rating.elo_high

    @property
    def difference(self) -> float:
        """Of a game for one: the mean of `differences`; nan of other games."""
        return mean_difference(self.differences)[0]

    @property
    def difference_low(self) -> float:
        return mean_difference(self.differences)[1]

    @property
    def difference_high(self) -> float:
        return mean_difference(self.differences)[2]

    @cached_property
    def pairs(self) -> tuple[int, int, int, int, int]:
        """Of two players: whole rounds that brought 0, 1/2, 1, 3/2 and 2 points."""
        points = Counter(
            sum(p.points() for p in played) for played in self.rounds if len(played) == 2
        )
        return tuple(points[half / 2] for half in range(5))  # type: ignore[return-value]

    def by_seat(self) -> list[tuple[int, int, int]]:
        """Wins, draws and losses of the first player in each seat."""
        counts = Counter((p.first_seat, p.verdict()) for p in self.records)
        return [tuple(counts[s, v] for v in VERDICTS) for s in range(self.seat_count)]  # type: ignore[misc]

    @property
    def seats(self) -> list[dict[str, Any]]:
        """`by_seat` as rows with names."""
        return [
            {"name": f"seat {seat}", "wins": wins, "draws": draws, "losses": losses}
            for seat, (wins, draws, losses) in enumerate(self.by_seat())
        ]

    @property
    def engines(self) -> list[dict[str, Any]]:
        """A row for each player: its text, limit and forfeits, and what it spent on a move."""
        return [
            {
                "name": ("first", "second")[i],
                "spec": text,
                "limit": self.limits[i],
                "forfeits": self.forfeits[i],
                **self.effort(i),
            }
            for i, text in enumerate(self.players)
        ]

    def effort(self, player: int) -> dict[str, Any]:
        """What a player spent on a move, on average: seconds, simulations, nodes."""
        spent: dict[str, list[float]] = {"seconds": [], "simulations": [], "nodes": []}
        for played, ply in self._plies(player):
            for name, values in spent.items():
                value = getattr(played, name)[ply]
                if value is not None:
                    values.append(value)
        means = {f"{n}_per_move": math.fsum(v) / len(v) for n, v in spent.items() if v}
        return {"moves": len(spent["seconds"]), **means}

    def _plies(self, player: int) -> Any:
        for played in self.records:
            for ply, seconds in enumerate(played.seconds):
                if seconds is not None and played.movers[ply] == player:
                    yield played, ply

    # ------------------------------------------------------------ for people and files

    def to_json(self) -> dict[str, Any]:
        """The result as plain data: the shape of ``ponder match --json``.

        Each is the attribute of the same name; None stands for nan and what has no limit.
        """
        names = list(COUNTED)
        names += DIFFERENCES if self.seat_count == 1 else ["seats"]
        names += ["pairs"] if self.seat_count == 2 else []
        data = {name: _plain(getattr(self, name)) for name in (*names, *SETTINGS)}
        if not self.games or self.seat_count == 1:
            data |= dict.fromkeys(("elo", "elo_low", "elo_high"))
        return data

    def to_frame(self) -> Any:
        """The games as a pandas DataFrame, a row each: what `--out` writes, and its `name`."""
        return frame({"name": one.name, **game_to_json(one)} for one in self.records)

    def __str__(self) -> str:
        return "\n".join(self.summary())

    def summary(self) -> list[str]:
        """The result in lines, for people."""
        return summary(self)


def _plain(value: Any) -> Any:
    if isinstance(value, float):
        return finite(value)
    return list(value) if isinstance(value, tuple) else value
