"""What holds for every tree: visits add up, values stay in range, only legal actions, seeds."""

from __future__ import annotations

import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plain_games import Countdown
from ponder import CHANCE, MCTS, InputError, Limit, Position, position
from ponder.core.registry import parse_engine, part_text
from ponder.evaluate import GameRollout
from ponder.mcts.tree import NODE
from ponder.select import UCB1

GAMES = [
    "tictactoe",
    "connect4",
    "connect4(columns=5, rows=4, run=3)",
    "connect4(columns=4, rows=4, run=3, players=3)",
    "connect4(columns=12, rows=8)",
    "othello(columns=6, rows=6)",
    "nim",
    "nim(heaps=(2, 3, 4), misere=True)",
    "pig(target=20)",
    "pig(target=10, sides=4, players=3)",
    "pgame(branching=3, depth=6)",
    "tree('[[3, 12, 8], [2, 4, 6], [14, 5, 2]]')",
]


class Dice:
    """Roll, or take what you have (1 to 6): a plain Python game for one, with chance."""

    players = 1
    utilities = (0.0, 6.0)

    def start(self):
        return (1, "decide", 0)

    def current_player(self, state):
        return CHANCE if state[1] == "roll" else 0

    def legal_actions(self, state):
        return ["take", "roll"] if state[2] < 3 else ["take"]

    def apply_action(self, state, action):
        if action == "take":
            return (state[0], "over", state[2])
        if action == "roll":
            return (state[0], "roll", state[2] + 1)
        return (action, "decide", state[2])

    def chance_outcomes(self, state):
        return [(n, 1 / 6) for n in range(1, 7)]

    def is_terminal(self, state):
        return state[1] == "over"

    def returns(self, state):
        return (state[0],)


def check_tree(result, lowest, highest):
    tree, start = result.tree, result.position
    root = tree.root
    assert root.visits == result.simulations
    count = 0
    for node in tree.walk(least_visits=0):
        count += 1
        if node.is_expanded:
            below = node.children
            own = node.parent is not None  # its own evaluation
            assert node.visits == own + sum(child.visits for child in below)
            actions = [child.action for child in below]
            if node.visits > 1:  # the position is worth asking
                assert sorted(map(str, actions)) == sorted(map(str, node.position.legal_actions))
                assert {c.player for c in below} == {node.position.current_player}
        if node.value is not None:
            assert lowest - 1e-9 <= node.value <= highest + 1e-9
    assert count == tree.size
    assert result.action in start.legal_actions
    assert sum(move.visits for move in result.moves) == result.simulations
    here = start
    for action in result.line:
        assert action in here.legal_actions
        here = here.play(action)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("simulations", [1, 7, 400])
def test_the_tree_of_every_game_is_sound(game, simulations):
    start = position(game)
    spec = start.rules.spec
    result = MCTS().search(start, simulations=simulations, seed=simulations)
    assert result.simulations == simulations
    check_tree(result, spec.lowest, spec.highest)


@pytest.mark.parametrize("game", [Countdown(pile=12), Dice()], ids=["countdown", "dice"])
def test_the_tree_of_a_plain_python_game_is_sound(game):
    lowest, highest = getattr(game, "utilities", (-1, 1))
    for simulations in (1, 7, 500):
        result = MCTS().search(Position(game), simulations=simulations, seed=2)
        check_tree(result, lowest, highest)


@settings(max_examples=25)
@given(st.integers(0, 2**63), st.integers(1, 300), st.floats(0.0, 4.0))
def test_the_same_seed_gives_the_same_search(seed, simulations, c):
    start = position("connect4").play_all("4 4 3")
    engine = MCTS(select=UCB1(c))
    one, two = (engine.search(start, simulations=simulations, seed=seed) for _ in range(2))
    assert one.moves == two.moves
    assert one.line == two.line
    assert one.values == two.values


def test_a_seed_reproduces_a_plain_python_game_too():
    one, two = (MCTS().search(Position(Dice()), simulations=300, seed=5) for _ in range(2))
    assert one.moves == two.moves


def test_values_of_a_two_player_game_are_opposite():
    result = MCTS().search(position("connect4"), simulations=500, seed=1)
    assert result.values[0] == -result.values[1]
    assert result.value == result.values[0]


def test_the_best_move_of_a_countdown_is_found():
    # piles of 3, 6, 9 ... lose for the mover: from 10 take 1
    start = Position(Countdown(pile=12)).play(2)
    assert MCTS().search(start, simulations=3000, seed=1).action == 1


def test_the_value_of_rolling_dice_is_found():
    # With three rolls: stop at 5 or 6 first, then at 4; value of all three = 14/3
    result = MCTS().search(Position(Dice()), simulations=20000, seed=1)
    assert result.action == "roll"
    assert result.moves[0].value == pytest.approx(14 / 3, abs=0.15)


# ------------------------------------------------------------------ limits, stopping, memory


def test_a_search_stops_from_another_thread():
    stop = threading.Event()
    timer = threading.Timer(0.2, stop.set)
    timer.start()
    result = MCTS().search(position("connect4"), Limit(seconds=60), stop=stop)
    assert result.stopped_by == "stop"
    assert result.seconds < 30
    assert result.simulations > 0


def test_the_memory_cap_is_kept_and_said():
    result = MCTS().search(position("connect4"), simulations=100_000, memory=0.5, seed=1)
    assert result.simulations == 100_000
    assert result.memory <= 0.5 * 2**20
    assert result.tree.size == result.memory // NODE.itemsize
    assert any("memory cap" in note for note in result.notes)


def test_a_memory_cap_alone_stops_the_search_when_full():
    result = MCTS().search(position("connect4"), memory=0.5, seed=1)
    assert result.stopped_by == "memory"


def test_too_little_memory_is_refused():
    with pytest.raises(InputError, match="memory is too small"):
        MCTS().search(position("connect4"), memory=0.0001)


@pytest.mark.parametrize("bad", [0, -1, float("nan"), float("inf"), 2.5, "many", True])
def test_limits_that_make_no_sense_are_refused(bad):
    with pytest.raises(InputError, match="simulations must be a whole number above 0"):
        Limit(simulations=bad)


def test_a_finished_game_is_not_searched():
    over = position("connect4").play_all("1 2 1 2 1 2 1")
    with pytest.raises(InputError, match="the game is over"):
        MCTS().search(over)


def test_an_engine_prints_and_parses_back_to_itself():
    for text in ("mcts()", "mcts(select=ucb1(c=1.5), simulations=100)", "random()"):
        assert part_text(parse_engine(text)) == text


def test_progress_is_told():
    seen = []
    MCTS().search(position("connect4"), seconds=0.5, progress=seen.append)
    assert seen
    assert seen[-1].simulations > 0
    assert seen[-1].best in {str(c) for c in range(1, 8)}


def test_the_tree_exports_to_json_and_dot():
    result = MCTS().search(position("pig(target=6)"), simulations=200, seed=1)
    data = result.tree.to_json(least_visits=5)
    assert data["visits"] == 200
    assert {child["name"] for child in data["children"]} == {"roll", "hold"}
    dot = result.tree.to_dot(least_visits=5)
    assert dot.startswith("digraph search {")
    assert "shape=ellipse" in dot
    assert dot.count("->") == sum(1 for _ in result.tree.walk(least_visits=5)) - 1


def test_the_games_own_rollouts_are_used_where_asked():
    start = position("chinese_checkers")
    own = MCTS(evaluate=GameRollout()).search(start, simulations=30, seed=1)
    # uniform games end as draws at the horizon, the game's own policy wins or loses
    assert MCTS().search(start, simulations=30, seed=1).moves[0].spread == 0
    assert max(move.spread for move in own.moves if move.visits > 1) > 0


def test_a_game_without_a_policy_of_its_own_is_played_out_uniformly():
    start = position("othello")
    own = MCTS(evaluate=GameRollout()).search(start, simulations=200, seed=1)
    assert own.moves == MCTS().search(start, simulations=200, seed=1).moves
