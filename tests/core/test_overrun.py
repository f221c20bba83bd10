"""A search that takes longer than it was given says so; telling how far it is takes no time."""

from __future__ import annotations

import time
from typing import Any

from ponder import Limit, position
from ponder.core.driver import drive
from ponder.core.registry import parse_engine


def slow(positions: Any) -> Any:
    time.sleep(0.3)
    return [(0.0, 0.0)] * len(positions)


def test_a_step_that_outlasts_the_time_is_told() -> None:
    made: Any = parse_engine("mcts()")
    result = made._replace(evaluate=slow).search(position("tictactoe"), seconds=0.05, seed=1)
    assert result.stopped_by == "seconds"
    assert any("the time was overrun: 0." in note for note in result.notes)
    assert any("instead of 0.05 s" in line for line in result.summary())


def test_without_a_time_nothing_is_overrun() -> None:
    made: Any = parse_engine("mcts()")
    result = made._replace(evaluate=slow).search(position("tictactoe"), simulations=2, seed=1)
    assert result.notes == ()


class SlowToTell:
    """A run of 40 short pieces that takes long to say how far it is."""

    unit = "nodes"
    milestone = done = 0

    @property
    def ended(self) -> str | None:
        return "solved" if self.done == 40 else None

    def allow(self, limit: Limit) -> None:
        pass

    def proceed(self, most: int | None, seconds: float | None) -> None:
        self.done += 1
        time.sleep(0.01)

    def pause(self) -> None:
        pass

    def told(self, seconds: float) -> Any:
        time.sleep(0.15)


def test_what_takes_long_to_tell_is_told_less_often() -> None:
    heard: list[Any] = []
    run: Any = SlowToTell()
    assert drive(run, Limit(), progress=heard.append) == "solved"
    assert 1 <= len(heard) <= 3  # not after every piece
