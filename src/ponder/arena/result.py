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
from ponder.arena.summary import summary
from ponder.core.result import finite

VERDICTS = ("win", "draw", "loss")


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
    seats: int
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
            if self.seats == 1 and len(played) == 2:
                one, two = (p.returns[0] if p.returns else self.utilities[0] for p in played)
                found.append(one - two)
        return found

    @cached_property
    def verdicts(self) -> Counter[str]:
        """How many wins, draws and losses. Of a game for one: of its rounds."""
        if self.seats == 1:
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
        if self.seats == 1:
            return rate([[1.0 if d > 0 else 0.5 if d == 0 else 0.0] for d in self.differences])
        return rate([[p.points() for p in played] for played in self.rounds])

    @property
    def score(self) -> float:
        """Points of the first player (a win 1, a draw 1/2) as a share of the games."""
        return self.rating.score

    @property
    def elo(self) -> float:
        return self.rating.elo

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
        return [tuple(counts[s, v] for v in VERDICTS) for s in range(self.seats)]  # type: ignore[misc]

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
        """The result as plain data: the shape of ``ponder match --json``."""
        rating = self.rating
        known = bool(self.games) and self.seats > 1
        data: dict[str, Any] = {
            "game": self.game,
            "games": self.games,
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
            "score": finite(rating.score),
            "score_low": rating.score_low,
            "score_high": rating.score_high,
            "elo": finite(rating.elo) if known else None,
            "elo_low": finite(rating.elo_low) if known else None,
            "elo_high": finite(rating.elo_high) if known else None,
        }
        if self.seats == 1:
            mean, low, high = mean_difference(self.differences)
            data["difference"] = finite(mean)
            data["difference_low"], data["difference_high"] = finite(low), finite(high)
        else:
            data["seats"] = [
                dict(zip(("wins", "draws", "losses"), s, strict=True)) for s in self.by_seat()
            ]
        if self.seats == 2:
            data["pairs"] = list(self.pairs)
        data["engines"] = [
            {"spec": text, "limit": self.limits[i], "forfeits": self.forfeits[i], **self.effort(i)}
            for i, text in enumerate(self.players)
        ]
        data |= {"limit": self.limit, "openings": self.openings, "seed": self.seed}
        data |= {"seconds": self.seconds, "interrupted": self.interrupted}
        data["notes"] = list(self.notes)
        return data

    def __str__(self) -> str:
        return "\n".join(self.summary())

    def summary(self) -> list[str]:
        """The result in lines, for people."""
        return summary(self)
