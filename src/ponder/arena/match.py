"""A match: two players, many games, every opening from every seat.

Begin reading at `match`; a single game is `ponder.arena.game`, what the points mean
`ponder.arena.rating`.
"""

from __future__ import annotations

import re
import secrets
import time
from collections.abc import Callable
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any, NamedTuple

from ponder.arena.game import Played, Setup, Task, seatings
from ponder.arena.openings import Opening, openings_for
from ponder.arena.player import limit_for, limit_in_force, player_of, player_text
from ponder.arena.record import RecordFile, check_same_match, check_same_openings
from ponder.arena.result import MatchResult
from ponder.arena.warming import warm_up
from ponder.arena.workers import play_here, play_in_processes, refuse_unguarded
from ponder.core.engine import Player
from ponder.core.interrupt import interruptible
from ponder.core.limits import Limit
from ponder.core.making import telling
from ponder.core.position import Position
from ponder.core.protocols import Game
from ponder.core.registry import game_text
from ponder.core.start import position
from ponder.errors import InputError

DEFAULT_GAMES = 20
MOST_GAMES, MOST_JOBS = 10_000_000, 256
"""All games of a match are planned before the first one; each job is a process."""
DEFAULT_SECONDS = 0.1
"""For a move, where neither the match nor the player names a limit."""


class MatchProgress(NamedTuple):
    """What a progress callback is told after every game."""

    done: int
    wanted: int
    """Games of the whole match."""
    before: int
    """Of `done`, those that were played before the match was resumed."""
    result: Callable[[], MatchResult]
    """What came of the games so far."""


@telling
def match(
    game: str | Game | type[Game],
    first: str | Player,
    second: str | Player,
    *,
    games: int = DEFAULT_GAMES,
    openings: int | str | Path | list[Opening] | None = None,
    limit: Limit | None = None,
    jobs: int = 1,
    seed: int | None = None,
    out: str | Path | None = None,
    resume: bool = False,
    progress: Callable[[MatchProgress], None] | None = None,
) -> MatchResult:
    """Let `first` and `second` (SPEC texts, engines, or any `Player`) play `games` games.

    A round is one opening: two players play it twice, with seats exchanged; of more players the
    first sits in each seat in turn against copies of the second; of a game for one both play it,
    each alone, and the higher return wins. An odd number of games leaves the last round unfinished.

    openings   a number of random plies, a file, a list of `Opening`; None: see `openings_for`
    limit      for each move of a player that names none of its own; None: 0.1 seconds
    jobs       processes that play at the same time; a script with more than one runs the match
               under `if __name__ == "__main__":`, because each of them imports it
    out        a file for the games, one JSON line each; `resume` continues an existing one

    With limits other than seconds the games depend on the seed alone, not on `jobs`. Ctrl-C ends
    the match; the result has the games that were finished.
    """
    refuse_unguarded()
    began = time.perf_counter()
    _check_counts(games, jobs)
    if resume and out is None:
        raise InputError("resume needs the file of the games (--out FILE)")
    start = position(game)
    if start.is_terminal:
        raise InputError("the game is over before it begins: there is nothing to play")
    players = player_of(first), player_of(second)
    limit = Limit(seconds=DEFAULT_SECONDS) if limit is None or limit.is_empty else limit
    with ExitStack() as stack:
        file = stack.enter_context(closing(RecordFile(out, resume))) if out is not None else None
        header = file.header if file else None
        if seed is None:
            seed = header["seed"] if header else secrets.randbits(32)
        setup = Setup(start.game, players, tuple(limit_for(p, limit) for p in players), seed)  # type: ignore[arg-type]
        planned = Planned(*plan(start, openings, games, seed, header))
        running = Running(start, setup, limit, planned, began, list(file.games) if file else [])
        missing = running.missing(file)
        if not missing:
            return running.result()
        warm_up(start, setup)
        if file is not None:
            file.begin(running.about)
        pressed = stack.enter_context(interruptible())
        jobs = min(jobs, len(missing))
        playing = (
            play_here(start, setup, missing, pressed.is_set)
            if jobs == 1
            else play_in_processes(setup, missing, jobs, pressed.is_set)
        )
        before = len(running.records)
        for played in playing:
            if file is not None:
                file.add(played)
            running.records.append(played)
            if progress is not None:
                done, wanted = len(running.records), len(planned.tasks)
                progress(MatchProgress(done, wanted, before, running.result))
        pressed.is_set()  # one that came with the last game is answered by the result
        return running.result(interrupted=len(running.records) < before + len(missing))


class Planned(NamedTuple):
    """What `plan` has found."""

    tasks: list[Task]
    openings: str
    notes: list[str]


class Running:
    """A match as far as it has come."""

    def __init__(
        self,
        start: Position,
        setup: Setup,
        limit: Limit,
        planned: Planned,
        began: float,
        records: list[Played],
    ) -> None:
        self.start, self.setup, self.limit, self.planned = start, setup, limit, planned
        self.began, self.records = began, records
        self.about: dict[str, Any] = {
            "game": game_text(start.game),
            "engines": [player_text(p) for p in setup.players],
            "limit": {k: v for k, v in vars(limit).items() if v is not None},
            "seed": setup.seed,
            "openings": planned.openings,
        }
        """The header of its file."""

    def missing(self, file: RecordFile | None) -> list[Task]:
        """The games that are still to be played; refuses a file of another match."""
        by_number = {(task.round, task.number): task for task in self.planned.tasks}
        if file and file.header:
            check_same_match(file.path, file.header, self.about)
            check_same_openings(file.path, self.records, by_number)
        done = {(p.task.round, p.task.number) for p in self.records}
        return [task for key, task in by_number.items() if key not in done]

    def result(self, interrupted: bool = False) -> MatchResult:
        first, second = self.setup.players
        return MatchResult(
            game=self.about["game"],
            players=(self.about["engines"][0], self.about["engines"][1]),
            limit=self.about["limit"],
            limits=(limit_in_force(first, self.limit), limit_in_force(second, self.limit)),
            seed=self.setup.seed,
            openings=self.planned.openings,
            records=sorted(self.records, key=lambda p: (p.task.round, p.task.number)),
            seat_count=self.start.players,
            utilities=_utilities(self.start),
            seconds=time.perf_counter() - self.began,
            interrupted=interrupted,
            notes=tuple(self.planned.notes),
        )


def plan(
    start: Position,
    openings: int | str | Path | list[Opening] | None,
    games: int,
    seed: int,
    header: dict[str, Any] | None = None,
) -> tuple[list[Task], str, list[str]]:
    """The games to be played, a word about their openings, and notes for the user."""
    seats = seatings(start.players)
    per_round = len(seats)
    wanted = games * per_round if start.players == 1 else games  # alone: a round counts as one
    rounds = -(-wanted // per_round)
    if isinstance(openings, list):
        if not openings:
            raise InputError("the list of openings is empty")
        found, which = openings, f"{len(openings)} given"
    else:
        if openings is None and header:
            openings = _as_before(header["openings"])
        found, which = openings_for(start, openings, rounds, seed)
    notes = []
    if 1 < len(found) < rounds:
        notes.append(f"there are {len(found)} different openings for {rounds} rounds")
    tasks = [
        Task(r, number, seating, found[r % len(found)])
        for r in range(rounds)
        for number, seating in enumerate(seats)
    ]
    return tasks[:wanted], which, notes


def _as_before(which: str) -> int | str:
    """The openings of a match that is continued: a longer one goes on as it began."""
    plies = re.fullmatch(r"random\((\d+)\)", which)
    return int(plies[1]) if plies else which


def _check_counts(games: int, jobs: int) -> None:
    for name, value in (("games", games), ("jobs", jobs)):
        if not isinstance(value, int) or isinstance(value, bool) or value < 1:
            raise InputError(f"{name} must be a whole number above 0, not {value!r}")
    for name, value, most in (("games", games, MOST_GAMES), ("jobs", jobs, MOST_JOBS)):
        if value > most:
            raise InputError(f"{name} must be at most {most:,}, not {value:,}")


def _utilities(start: Position) -> tuple[float, float]:
    rules: Any = start.rules
    return (rules.spec.lowest, rules.spec.highest) if rules.compiled else rules.utilities
