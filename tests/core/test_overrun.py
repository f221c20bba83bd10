"""A search that takes longer than it was given says so."""

from __future__ import annotations

import time
from typing import Any

from ponder import position
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
