"""One game between two players of a match, from an opening to the end, and who got the point."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from ponder.arena.openings import Opening, draw
from ponder.arena.player import seated
from ponder.core.hooks import fact_of
from ponder.core.limits import Limit
from ponder.core.position import Position
from ponder.core.result import SearchResult
from ponder.errors import CompileError, GameError, IllegalAction, PonderError

LONGEST = 10_000
"""Plies after which a plain Python game that names no `max_length` counts as drawn."""

RULES, FORFEIT, LENGTH = "rules", "forfeit", "length"
"""Why a game ended."""


class Task(NamedTuple):
    """A game to be played."""

    round: int
    number: int
    """Which game of the round."""
    seats: tuple[int, ...]
    """For each seat the player who sits there: 0 the first, 1 the second."""
    opening: Opening


class Setup(NamedTuple):
    """What all games of a match have in common."""

    game: Any
    players: tuple[Any, Any]
    limits: tuple[Limit | None, Limit | None]
    seed: int


class Played(NamedTuple):
    """A finished game. The lists of efforts have one entry a move: None for dice."""

    task: Task
    moves: tuple[str, ...]
    """After the opening, dice included."""
    returns: tuple[float, ...] | None
    """One utility a seat; None unless the game ended by its rules."""
    ended: str
    reason: str
    forfeited_by: int | None
    """The player who made an illegal move or failed."""
    movers: tuple[int | None, ...]
    """Who made each move: 0 the first player, 1 the second."""
    seconds: tuple[float | None, ...]
    simulations: tuple[int | None, ...]
    nodes: tuple[int | None, ...]

    def points(self) -> float:
        """Of the first player: for each opponent 1 for a higher utility, 1/2 for an equal one,
        and their mean. Everything to the others after a forfeit; a half after too long a game."""
        if self.forfeited_by is not None:
            return float(self.forfeited_by)
        if self.returns is None:
            return 0.5
        mine = self.returns[self.first_seat]
        others = [u for seat, u in enumerate(self.returns) if seat != self.first_seat]
        return sum(1.0 if mine > u else 0.5 if mine == u else 0.0 for u in others) / len(others)

    def verdict(self) -> str:
        """win: above all others; loss: somebody is above; draw: the best utility is shared."""
        if self.returns is None:
            return {1.0: "win", 0.5: "draw", 0.0: "loss"}[self.points()]
        mine = self.returns[self.first_seat]
        best = max(u for seat, u in enumerate(self.returns) if seat != self.first_seat)
        return "win" if mine > best else "draw" if mine == best else "loss"

    @property
    def first_seat(self) -> int:
        return self.task.seats.index(0)

    @property
    def name(self) -> str:
        """Which game of the match it is, counted from 1."""
        return f"round {self.task.round + 1}, game {self.task.number + 1}"


def seatings(players: int) -> list[tuple[int, ...]]:
    """The games of a round: the first player in every seat in turn, the second in all others.

    Of a game for one each player plays one.
    """
    if players == 1:
        return [(0,), (1,)]
    return [tuple(int(seat != first) for seat in range(players)) for first in range(players)]


def play_game(
    start: Position, setup: Setup, task: Task, stopped: Callable[[], bool] = lambda: False
) -> Played | None:
    """Play one game from `start`, the start of setup's game; None if it was interrupted.

    The dice are the same in all games of a round, roll by roll. A player's seed depends on the
    match's seed, the round, the game and the ply alone.
    """
    here = task.opening.position(start)
    dice = random.Random(f"dice {setup.seed} {task.round}")
    log = _Log(task)
    seats = [seated(setup.players[who]) for who in task.seats]
    longest = longest_game(start)
    while not here.is_terminal:
        if stopped():
            return None
        if len(log.moves) + len(task.opening.moves) >= longest:
            return log.end(None, LENGTH, f"not over after {longest} plies")
        if here.is_chance:
            outcome = draw(here, dice)
            log.dice(here.action_name(outcome))
            here = here.play(outcome)
            continue
        seat = here.current_player
        who = task.seats[seat]
        began = time.perf_counter()
        try:
            seed = move_seed(setup.seed, task, len(log.moves))
            result = seats[seat].search(here, setup.limits[who], seed=seed)
            seconds = time.perf_counter() - began
            if isinstance(result, SearchResult) and result.stopped_by == "interrupt":
                return None
            after = here.play(result.action)
        except (GameError, CompileError):
            raise  # the game is at fault, not the player
        except IllegalAction as error:
            return log.end(None, FORFEIT, f"illegal move: {error}", who)
        except Exception as error:
            if isinstance(error, PonderError) and task.round == 0 and who not in log.movers:
                raise  # refused at its very first move: this player is not for this game
            return log.end(None, FORFEIT, f"{type(error).__name__}: {error}", who)
        played: Any = after.last_action
        log.add(here.action_name(played), who, seconds, result)
        here = after
    return log.end(here.returns, RULES, "the game is over")


class _Log:
    """A game while it is played."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.moves: list[str] = []
        self.movers: list[int | None] = []
        self.seconds: list[float | None] = []
        self.simulations: list[int | None] = []
        self.nodes: list[int | None] = []

    def dice(self, name: str) -> None:
        self.add(name, None, None, None)

    def add(self, name: str, mover: int | None, seconds: float | None, result: Any) -> None:
        self.moves.append(name)
        self.movers.append(mover)
        self.seconds.append(None if seconds is None else round(seconds, 6))
        told = isinstance(result, SearchResult)
        self.simulations.append(result.simulations if told else None)
        self.nodes.append(result.nodes if told else None)

    def end(
        self, returns: tuple[float, ...] | None, ended: str, reason: str, loser: int | None = None
    ) -> Played:
        return Played(
            self.task,
            tuple(self.moves),
            returns,
            ended,
            " ".join(reason.split()),
            loser,
            tuple(self.movers),
            tuple(self.seconds),
            tuple(self.simulations),
            tuple(self.nodes),
        )


def longest_game(start: Position) -> int:
    """The most plies that the game's spec allows."""
    if start.rules.compiled:
        return int(start.rules.spec.max_length)
    return int(fact_of(start.game, "max_length", LONGEST))


def move_seed(seed: int, task: Task, ply: int) -> int:
    return random.Random(f"move {seed} {task.round} {task.number} {ply}").getrandbits(32)
