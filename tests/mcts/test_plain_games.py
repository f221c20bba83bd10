"""Plain Python games in Monte Carlo tree search: every part, the tree, dice, bad rules named."""

from __future__ import annotations

import math

import pytest

from ponder import CHANCE, MCTS, GameError, InputError, position
from ponder.evaluate import Static
from ponder.presets import uct


class Ladder:
    """One player climbs `length` rungs by one move or another; the last rung pays 1."""

    players = 1

    def __init__(self, length: int, width: int) -> None:
        self.length, self.width = length, width

    def start(self):
        return 0

    def current_player(self, state):
        return 0

    def legal_actions(self, state):
        return range(self.width)

    def apply_action(self, state, action):
        return state + 1

    def is_terminal(self, state):
        return state == self.length

    def returns(self, state):
        return (1.0,)


class Die:
    """Roll (a fair coin: 1 or 0) or take 0.3 for sure."""

    players = 1

    def start(self):
        return "choice"

    def current_player(self, state):
        return CHANCE if state == "die" else 0

    def legal_actions(self, state):
        return ["roll", "take"]

    def chance_outcomes(self, state):
        return [(0.0, 0.5), (1.0, 0.5)]

    def apply_action(self, state, action):
        return {"roll": "die", "take": 0.3}.get(action, action)

    def is_terminal(self, state):
        return isinstance(state, float)

    def returns(self, state):
        return (state,)


class Wrong(Ladder):
    def __init__(self, given):
        super().__init__(3, 2)
        self.given = given

    def returns(self, state):
        return self.given


@pytest.mark.parametrize(("length", "width"), [(300, 1), (2, 500)])
def test_long_paths_and_many_actions_find_room(length, width):
    result = uct().search(position(Ladder(length, width)), simulations=1200, seed=1)
    assert result.simulations == 1200
    assert sum(row.visits for row in result.moves) == 1200
    assert result.value == 1.0


def test_every_expanded_node_has_one_visit_more_than_its_children():
    tree = uct().search(position(Ladder(8, 3)), simulations=2000, seed=1).tree
    for node in tree.walk():
        if node.children:
            assert node.visits == 1 + sum(child.visits for child in node.children)


def test_dice_are_rolled_with_their_probabilities():
    result = uct().search(position(Die()), simulations=4000, seed=1)
    assert result.action == "roll"
    (roll,) = [row for row in result.moves if row.action == "roll"]
    # four standard errors of a fair coin
    assert abs(roll.value - 0.5) < 4 * 0.5 / math.sqrt(roll.visits)


@pytest.mark.parametrize("given", [(1.0, 2.0), (), ("x",), (math.nan,)])
def test_returns_that_do_not_fit_the_players_are_an_error_of_the_game(given):
    with pytest.raises(GameError):
        uct().search(position(Wrong(given)), simulations=20, seed=1)


class Judged(Ladder):
    """A ladder that says of every rung but the last what it is told."""

    def __init__(self, said):
        super().__init__(3, 2)
        self.said = said

    def evaluate(self, state):
        return self.said


def test_the_evaluation_function_of_a_plain_game_takes_the_place_of_rollouts():
    result = MCTS(evaluate=Static()).search(position(Judged((0.25,))), simulations=2, seed=1)
    assert [row.value for row in result.moves] == [0.25, 0.25]
    # four paths of three rungs: two leaves on the first, four on the second, then ends of games
    result = MCTS(evaluate=Static()).search(position(Judged((0.25,))), simulations=100, seed=1)
    assert result.value == pytest.approx((6 * 0.25 + 94 * 1.0) / 100)


@pytest.mark.parametrize(
    ("said", "complaint"),
    [
        ((0.1, 0.2), "gave 2 values, but there are 1 players"),
        ((1.5,), "gave 1.5; utilities are from -1 to 1"),
        ((math.nan,), "gave nan; utilities are from -1 to 1"),
        (("x",), "raised ValueError"),
    ],
)
def test_evaluations_that_cannot_be_are_an_error_of_the_game(said, complaint):
    with pytest.raises(GameError, match=complaint):
        MCTS(evaluate=Static()).search(position(Judged(said)), simulations=5, seed=1)


def test_a_plain_game_without_an_evaluation_function_has_no_static_values():
    with pytest.raises(InputError, match="static needs a game with evaluate"):
        MCTS(evaluate=Static()).search(position(Ladder(3, 2)), simulations=5, seed=1)
