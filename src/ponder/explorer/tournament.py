"""`Tournament`: a match between two or more engines that a page watches, stops and continues.

Each pair plays a match of its own, as `ponder match` plays it: the same openings, seeds and dice,
and the same lines for its file, so what is saved here can be continued there. The games are played
in a thread of the worker; the page is told of each as soon as it is over.
"""

from __future__ import annotations

import math
import time
from itertools import combinations
from pathlib import Path
from threading import Event, Thread
from typing import Any

from ponder.arena.game import Played, Setup, Task, play_game
from ponder.arena.match import DEFAULT_SECONDS, plan
from ponder.arena.player import limit_for, limit_in_force, player_text
from ponder.arena.rating import rate
from ponder.arena.record import FORMAT, check_same_openings, game_to_json
from ponder.arena.result import MatchResult
from ponder.arena.warming import warm_up
from ponder.core.limits import Limit
from ponder.core.position import Position
from ponder.core.registry import game_text
from ponder.core.result import finite
from ponder.explorer.frames import update
from ponder.files import line_of

LOOK = 0.05
"""Seconds between two looks at the thread."""
EVERY = 0.25
"""Seconds between two updates."""


class Pair:
    """Two of the engines, and the games that they have played."""

    def __init__(self, match: Tournament, first: int, second: int) -> None:
        players = match.players[first], match.players[second]
        limits = limit_for(players[0], match.limit), limit_for(players[1], match.limit)
        self.engines = first, second
        self.setup = Setup(match.start.game, players, limits, match.seed)
        self.about: dict[str, Any] = {
            "game": game_text(match.start.game),
            "engines": [player_text(player) for player in players],
            "limit": {name: v for name, v in vars(match.limit).items() if v is not None},
            "seed": match.seed,
            "openings": "",
        }
        self.in_force = tuple(limit_in_force(player, match.limit) for player in players)
        self.records: list[Played] = []
        self.tasks: list[Task] = []
        self.notes: list[str] = []

    def missing(self) -> list[Task]:
        """The games that are still to be played."""
        done = {(played.task.round, played.task.number) for played in self.records}
        return [task for task in self.tasks if (task.round, task.number) not in done]

    def result(self, start: Position, played: int) -> MatchResult:
        """What came of the first games."""
        about = self.about
        return MatchResult(
            game=about["game"],
            players=(about["engines"][0], about["engines"][1]),
            limit=about["limit"],
            limits=self.in_force,  # type: ignore[arg-type]
            seed=about["seed"],
            openings=about["openings"],
            records=self.records[:played],
            seat_count=start.players,
            utilities=start.rules.utilities,
            notes=tuple(self.notes),
        )

    def header(self) -> str:
        """The first line of the pair's file."""
        return line_of({"ponder_match": FORMAT, **self.about}).decode()


class Tournament:
    """A `Job` of the worker: every engine against every other."""

    def __init__(
        self, name: str, start: Position, players: list[Any], limit: Limit, seed: int
    ) -> None:
        self.name, self.running, self.seen = name, False, True
        self.start, self.players, self.seed = start, players, seed
        self.limit = Limit(seconds=DEFAULT_SECONDS) if limit.is_empty else limit
        numbers = range(len(players))
        self.pairs = [Pair(self, first, second) for first, second in combinations(numbers, 2)]
        self.stage = ""
        self._stop, self._thread = Event(), Thread()
        self._error: Exception | None = None
        self._told: dict[int, int] = {}
        """How many games of each pair the page has."""
        self._sent = 0.0
        self._state: tuple[Any, ...] = ()

    def wish(self, games: int, openings: int | str | None) -> None:
        """Have so many games of each pair played; those that were played stay."""
        for pair in self.pairs:
            before = pair.about if pair.about["openings"] else None
            pair.tasks, which, pair.notes = plan(self.start, openings, games, self.seed, before)
            pair.about["openings"] = which
            known = {(task.round, task.number): task for task in pair.tasks}
            check_same_openings(Path("the file"), pair.records, known)

    def go(self) -> None:
        """Play what is missing, in a thread."""
        self.end()
        self._stop, self._error, self.running = Event(), None, True
        self._thread = Thread(target=self._play, args=(self._stop,), daemon=True)
        self._thread.start()

    def end(self) -> None:
        """Stop; the game that is being played is given up."""
        self._stop.set()
        self.running = False
        self.stage = ""

    def _play(self, stop: Event) -> None:
        try:
            for pair in self.pairs:
                if pair.missing() and not stop.is_set():
                    self.stage = "warming"
                    warm_up(self.start, pair.setup)
            todo = [(task, pair) for pair in self.pairs for task in pair.missing()]
            todo.sort(key=lambda one: (one[0].round, one[1].engines, one[0].number))
            for task, pair in todo:
                self.stage = "playing"
                played = play_game(self.start, pair.setup, task, stop.is_set)
                if played is None or stop.is_set():
                    return
                pair.records.append(played)
        except Exception as error:
            self._error = error

    # ------------------------------------------------------------ as a job

    def due(self) -> float:
        return LOOK if self.running else math.inf

    def advance(self, arrived: Event) -> None:
        """Look whether the thread has ended."""
        if self.running and not self._thread.is_alive():
            self.running, self.stage = False, ""
            if self._error is not None:
                raise self._error

    def wants_to_tell(self) -> bool:
        if not self.seen or self._state == self._now():
            return False
        return time.perf_counter() - self._sent >= EVERY or not self.running

    def _now(self) -> tuple[Any, ...]:
        return self.running, self.stage, *(len(pair.records) for pair in self.pairs)

    def frame(self) -> bytes:
        self.seen, self._sent, self._state = False, time.perf_counter(), self._now()
        counts, fresh = self._counts(), []
        for number, pair in enumerate(self.pairs):
            new = pair.records[self._told.get(number, 0) : counts[number]]
            fresh += [[number, line_of(game_to_json(played)).decode()] for played in new]
            self._told[number] = counts[number]
        return update(
            {"told": "update", "session": self.name, **self.state(counts), "fresh": fresh}, None
        )

    def _counts(self) -> list[int]:
        """Games of each pair, as of now: the thread may add more while they are told."""
        return [len(pair.records) for pair in self.pairs]

    def state(self, counts: list[int] | None = None) -> dict[str, Any]:
        """All that a page shows of the first games, apart from the games."""
        counts = self._counts() if counts is None else counts
        results = [
            pair.result(self.start, played) for pair, played in zip(self.pairs, counts, strict=True)
        ]
        return {
            "running": self.running,
            "stage": self.stage,
            "game": game_text(self.start.game),
            "seats": self.start.players,
            "seed": self.seed,
            "limit": {name: v for name, v in vars(self.limit).items() if v is not None},
            "engines": [player_text(player) for player in self.players],
            "standings": [self.standing(number, results) for number in range(len(self.players))],
            "pairs": [
                {
                    "between": pair.engines,
                    "header": pair.header(),
                    "wanted": len(pair.tasks),
                    "played": played,
                    **result.to_json(),
                }
                for pair, result, played in zip(self.pairs, results, counts, strict=True)
            ],
        }

    def standing(self, engine: int, results: list[MatchResult]) -> dict[str, Any]:
        """What an engine has got from all its games: score, Elo against the others, intervals."""
        rounds: list[list[float]] = []
        counts = {"wins": 0, "draws": 0, "losses": 0, "forfeits": 0}
        for pair, result in zip(self.pairs, results, strict=True):
            if engine not in pair.engines:
                continue
            second = pair.engines.index(engine)
            counts["wins"] += result.losses if second else result.wins
            counts["losses"] += result.wins if second else result.losses
            counts["draws"] += result.draws
            counts["forfeits"] += result.forfeits[second]
            # what the first does not get, the second does
            rounds += [[1.0 - x if second else x for x in one] for one in points_of(result)]
        rating = rate(rounds)
        return {
            "games": sum(map(len, rounds)),
            **counts,
            "score": finite(rating.score),
            "score_low": rating.score_low,
            "score_high": rating.score_high,
            "elo": finite(rating.elo),
            "elo_low": finite(rating.elo_low),
            "elo_high": finite(rating.elo_high),
        }


def points_of(result: MatchResult) -> list[list[float]]:
    """The first engine's points, round by round; where one plays alone, of the whole round."""
    if result.seat_count == 1:
        return [[1.0 if d > 0 else 0.5 if d == 0 else 0.0] for d in result.differences]
    return [[played.points() for played in one] for one in result.rounds]
