"""Where chance moves at the root: outcomes, expectation, and the counts of perft."""

from __future__ import annotations

from typing import Any

import pytest

from ponder import position
from ponder.core.dice import thrown
from ponder.core.position import Position
from ponder.core.registry import parse_engine
from ponder.search.perft import divide, perft

TREE = 'tree(\'{"chance": {"a": [0.25, [3, 1]], "b": [0.5, [[-1, 2], [4, 8]]], "c": [0.25, -2]}}\')'
VALUES = {"a": 3.0, "b": 4.0, "c": -2.0}
EXPECTATION = 0.25 * 3 + 0.5 * 4 - 0.25 * 2
"""By hand: player 0 has a choice in a and b, player 1 answers in b."""

THREE = (
    'tree(\'{"chance": {"x": ["1/3", {"player": 1, "moves": [{"returns": [1, 2, 3]}, '
    '{"returns": [9, 1, 0]}]}], "y": ["2/3", {"returns": [6, 0, 3]}]}}\', players=3)'
)


class Coin:
    """A coin: heads lets player 1 choose between 1 and -1 (for itself), tails pays player 0."""

    def start(self) -> Any:
        return ()

    def current_player(self, state: Any) -> int:
        return 1 if state else -1

    def chance_outcomes(self, state: Any) -> Any:
        return [("heads", 0.75), ("tails", 0.25)]

    def legal_actions(self, state: Any) -> Any:
        return ["take", "give"]

    def apply_action(self, state: Any, action: str) -> Any:
        return (*state, action)

    def is_terminal(self, state: Any) -> bool:
        return state == ("tails",) or len(state) == 2

    def returns(self, state: Any) -> Any:
        return (-1, 1) if state[-1] == "take" else (1, -1)


def searched(engine: str, here: Position, **more: Any) -> Any:
    made: Any = parse_engine(engine)
    return made.search(here, seed=1, **more)


def test_expectiminimax_gives_the_value_of_every_outcome() -> None:
    result = searched("expectiminimax()", position(TREE), depth=5)
    assert {row.name: row.value for row in result.outcomes} == VALUES
    assert result.value == pytest.approx(EXPECTATION)
    assert result.values == pytest.approx((EXPECTATION, -EXPECTATION))
    assert (result.action, result.line, result.moves) == (None, (), ())
    assert "expectation" in str(result)


def test_maxn_gives_every_players_expectation() -> None:
    result = searched("maxn()", position(THREE), depth=5)
    assert result.values == pytest.approx((1 / 3 + 4, 2 / 3, 1 + 2))
    assert [row.values for row in result.outcomes] == [(1, 2, 3), (6, 0, 3)]
    assert result.table().headings[-3:] == ("player 0", "player 1", "player 2")


@pytest.mark.parametrize("pruning", ["none", "star1", "star2"])
@pytest.mark.parametrize("table", [False, True])
def test_a_session_before_the_dice_fall_is_the_search(pruning: str, table: bool) -> None:
    made: Any = parse_engine(f"expectiminimax(pruning={pruning}, table={table})")
    session = made.start(position(TREE))
    while session.run(nodes=1) == "nodes":
        known = [row for row in session.result().outcomes if row.value is not None]
        assert all(row.value == VALUES[row.name] for row in known)
    assert {row.name: row.value for row in session.result().outcomes} == VALUES
    assert session.result().value == pytest.approx(EXPECTATION)
    events = session.events()
    assert (events[0].kind, events[0].path, events[0].facts["player"]) == ("enter", (), "chance")
    left = {e.path[0]: e.facts["value"] for e in events if e.kind == "leave" and len(e.path) == 1}
    assert left == VALUES
    assert session.fork().result().outcomes == session.result().outcomes


def test_paranoid_and_best_reply_say_player_0s_expectation() -> None:
    for engine in ("paranoid()", "best_reply()"):
        result = searched(engine, position(TREE), depth=5)
        assert result.value == pytest.approx(EXPECTATION), "with two players it is expectiminimax"
    result = searched("paranoid()", position(THREE), depth=5)
    assert [row.value for row in result.outcomes] == [1, 6], "player 1 takes from player 0"
    assert "player 0's value" in result.notes[-1]


@pytest.mark.parametrize("engine", ["mcts()", "mcts(backup=max(points=1))", "strong()"])
def test_monte_carlo_search_comes_near_to_it(engine: str) -> None:
    result = searched(engine, position(TREE), simulations=6000)
    for row in result.outcomes:
        assert row.value == pytest.approx(VALUES[row.name], abs=0.4)
        assert row.visits == pytest.approx(6000 * row.probability, abs=250)
    weighed = sum(row.probability * row.value for row in result.outcomes)
    assert result.value == pytest.approx(weighed)
    assert result.tree.root.owner == 0
    assert result._repr_html_().count("<tr>") == 4


@pytest.mark.plain
def test_a_plain_game_with_dice_is_answered_too() -> None:
    here = Position(Coin())
    for engine, more in (("mcts()", {"simulations": 2000}), ("expectiminimax()", {"depth": 3})):
        result = searched(engine, here, **more)
        assert [row.name for row in result.outcomes] == ["heads", "tails"]
        assert result.value == pytest.approx(0.25 - 0.75, abs=0.1)


def naive(here: Position, depth: int) -> int:
    if depth == 0:
        return 1
    return sum(naive(here.play(action), depth - 1) for action in here.legal_actions)


def test_perft_counts_outcomes_as_moves() -> None:
    here = position("pig(target=6, sides=4)")
    assert [perft(here, depth) for depth in range(5)] == [naive(here, d) for d in range(5)]
    rolling = here.play("roll")
    split = divide(rolling, 3)
    assert set(split) == set(rolling.legal_names)
    assert sum(split.values()) == perft(rolling, 3)


def test_the_dice_follow_from_the_seed_and_the_ply() -> None:
    here = position("pig").play("roll")
    first = [thrown(here, seed) for seed in range(400)]
    assert first == [thrown(here, seed) for seed in range(400)]
    counts = [first.count(face) for face in range(6)]
    assert min(counts) > 35  # 67 each on average
    later = position("pig").play_all("roll 3 roll")
    assert [thrown(later, seed) for seed in range(50)] != first[:50]
