"""What a move is worth is one number with one name, wherever a result shows it."""

from __future__ import annotations

import json
import math
import re

import pytest

from ponder import engine, position
from ponder.core.result import SearchResult
from ponder.explorer.live import Live, history_of
from ponder.explorer.thought import outcome

pytestmark = pytest.mark.plain

SEARCHES = [
    ("tictactoe", "mcts()", {"simulations": 60}),
    ("tictactoe", "mcts(backup=solver())", {"simulations": 60}),
    ("tictactoe", "mcts(backup=mix(), decide=highest_value())", {"simulations": 60}),
    ("tictactoe", "mcts(transpositions=True)", {"simulations": 60}),
    ("connect4(columns=4, rows=4, run=3, players=3)", "mcts()", {"simulations": 60}),
    ("pig", "mcts()", {"simulations": 30}),
    ("tictactoe", "alphabeta()", {"depth": 9}),
    ("tree", "minimax()", {"depth": 9}),
    ("tictactoe", "random()", {}),
]


def searched(game: str, text: str, effort: dict[str, int]) -> SearchResult:
    found: SearchResult = engine(text).search(position(game), seed=1, **effort)
    return found


@pytest.mark.parametrize(("game", "text", "effort"), SEARCHES)
def test_the_value_of_the_result_is_that_of_its_row(
    game: str, text: str, effort: dict[str, int]
) -> None:
    found = searched(game, text, effort)
    assert (found.moves[0].action, found.moves[0].value) == (found.action, found.value)
    if found.moves[0].values is not None:
        assert found.values == found.moves[0].values
    if found.value is not None:
        assert found.values[found.player] == found.value
    data = json.loads(json.dumps(found.to_json()))
    assert data["value"] == data["moves"][0]["value"] == found.value
    assert data["root_value"] == found.root_value
    best = next(line for line in found.summary() if line.startswith("best"))
    shown = re.findall(r"value ([+-][\d.]+)", best)
    if found.value is None:
        assert not shown
    else:
        assert shown == [f"{found.value:+.3f}"]
        assert shown[0] in str(found.table()).splitlines()[1]


def test_the_number_of_the_root_has_a_line_of_its_own_that_says_what_it_is() -> None:
    found = searched("tictactoe", "mcts()", {"simulations": 60})
    mean = sum(r.visits * (r.value or 0.0) for r in found.moves) / 60
    assert found.root_value == pytest.approx(mean)
    assert found.value is not None
    assert found.value > mean, "the mean has worse moves in it"
    line = next(line for line in found.summary() if line.startswith("root"))
    assert line == (
        f"root    {mean:+.3f} for player 0: what backup=mean() makes of all simulations"
    )


def test_searches_without_such_a_number_show_none() -> None:
    found = searched("tictactoe", "alphabeta()", {"depth": 9})
    assert (found.root_value, found.root_values, found.value) == (None, None, 0.0)
    assert not any(line.startswith("root") for line in found.summary())


def test_where_nothing_is_known_of_the_move_no_value_is_claimed() -> None:
    found = searched("tictactoe", "random()", {})
    assert (found.value, found.values) == (None, ())
    assert "value" not in "\n".join(found.summary())
    unbegun = engine("mcts()").start(position("tictactoe"), seed=1).result()
    assert (unbegun.value, unbegun.root_value) == (None, None)


def test_the_live_line_tells_the_value_of_the_move_too() -> None:
    told = []
    session = engine("mcts()").start(position("tictactoe"), seed=1)
    session.run(simulations=200, progress=told.append)
    run = session.result()
    told.append(session._run.told(1.0))
    assert (told[-1].best, told[-1].value) == (run.best_move.name, run.value)
    assert not math.isclose(run.value or 0.0, run.root_value or 0.0)


def test_the_explorer_tells_the_same_numbers_under_the_same_names() -> None:
    history = history_of({"game": "tictactoe", "engine": "mcts(decide=sampled())", "seed": 2})
    live = Live("a", history, 0, 0, 1.0, 0)
    live.session.run(simulations=60)
    live.note()
    result, state, point = live.session.result(), live.state(), live.trail[-1]
    assert result.choice, "a drawn move is explained"
    assert state["choice"] == outcome(result)["choice"] == result.choice
    assert state["value"] == point["value"] == outcome(result)["value"] == result.value
    assert state["value"] == point["moves"][state["best"]][1]
    assert state["root_value"] == point["root_value"] == result.root_value != result.value


def test_text_and_json_say_why_a_move_is_played_that_is_not_the_best_valued_one() -> None:
    found = searched("tictactoe", "mcts()", {"simulations": 40})
    assert found.choice.startswith(
        f"{found.best_move.name} is played because it is the most visited move"
    )
    assert f"choice  {found.choice}" in found.summary()
    assert found.to_json()["choice"] == found.choice
