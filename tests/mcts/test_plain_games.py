"""Plain Python games in Monte Carlo tree search: every part, the tree, dice, bad rules named."""

from __future__ import annotations

import math

import pytest

from plain_games import Countdown, EinStein, Hinted
from ponder import CHANCE, MCTS, GameError, InputError, engine, position, why
from ponder.backup import Max
from ponder.core import plain_graph
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


def test_every_expanded_node_but_the_root_has_one_visit_more_than_its_children():
    tree = uct().search(position(Ladder(8, 3)), simulations=2000, seed=1).tree
    for node in tree.walk():
        if node.children:
            own = node.parent is not None  # its own evaluation
            assert node.visits == own + sum(child.visits for child in node.children)


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


@pytest.mark.plain
def test_the_evaluation_function_of_a_plain_game_takes_the_place_of_rollouts():
    result = MCTS(evaluate=Static()).search(position(Judged((0.25,))), simulations=2, seed=1)
    assert [row.value for row in result.moves] == [0.25, 0.25]
    # four paths of three rungs: two leaves on the first, four on the second, then ends of games
    result = MCTS(evaluate=Static()).search(position(Judged((0.25,))), simulations=100, seed=1)
    assert result.root_value == pytest.approx((6 * 0.25 + 94 * 1.0) / 100)


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


# ------------------------------------------------------------ the graph is only a cache


ENGINES = ("mcts()", "mcts(select=rave())", "mcts(evaluate=mast())", "mcts(backup=solver())")


def figures(result):
    """What the root moves have come to, to the last bit."""
    return [(row.action, row.visits, row.value, row.spread) for row in result.moves]


@pytest.mark.plain
@pytest.mark.parametrize("text", ENGINES)
def test_forgetting_what_was_seen_changes_nothing(text, monkeypatch):
    start, found = position(Hinted()), []
    for cache in (1 << 30, 0):  # never, and before every piece
        monkeypatch.setattr(plain_graph, "CACHE", cache)
        session = engine(text).start(start, seed=3)
        for _ in range(60):
            session.run(simulations=5)
        found.append(session.result())
    assert figures(found[0]) == figures(found[1])
    assert found[0].values == found[1].values


def test_random_games_are_the_same_whether_their_states_are_known_or_not(monkeypatch):
    found = []
    for learnt in (10**9, 0):
        monkeypatch.setattr(plain_graph, "LEARNT", learnt)
        monkeypatch.setattr(plain_graph, "STEPS", 10**9)
        for start in (position(Hinted()), position(EinStein(2)).play(1)):
            found.append(figures(MCTS().search(start, simulations=500, seed=5)))
    assert found[:2] == found[2:]


def test_noting_the_moves_of_random_games_does_not_change_them():
    start = position(Ladder(200, 3))  # longer than the random numbers drawn at a time
    plain = MCTS().start(start, seed=2)
    kept = MCTS().start(start, seed=2, switchable=True)
    for session in (plain, kept):
        session.run(simulations=300)
    assert figures(plain.result()) == figures(kept.result())


def test_parts_are_switched_in_the_middle_of_a_plain_game():
    found = []
    for switchable in (False, True):  # the history run again, and what was kept
        session = MCTS().start(position(Hinted()), seed=1, switchable=switchable)
        session.run(simulations=200)
        before = figures(session.result())
        session.change(backup=Max())
        assert figures(session.result()) != before  # the whole tree at once
        session.run(simulations=200)
        found.append(figures(session.result()))
    assert found[0] == found[1]


@pytest.mark.plain
def test_flat_search_has_a_tree_of_depth_one():
    found = engine("flat()").search(position(Hinted()), simulations=500, seed=1)
    assert max(node.depth for node in found.tree.walk()) == 1


def test_transpositions_share_the_states_of_a_plain_game():
    found = engine("mcts(transpositions=True)").search(
        position(Countdown(40, 3)), simulations=3000, seed=1
    )
    assert found.tree.size < 4 * 80 + 2  # 80 states with 3 children at most, and the root


@pytest.mark.plain
def test_reasons_are_given_for_the_moves_of_a_plain_game():
    tree = MCTS().search(position(Hinted()), simulations=200, seed=1).tree
    assert {reason.name for reason in why(tree)} == {f"take {n}" for n in (1, 2, 3, 4)}


@pytest.mark.plain
def test_states_that_cannot_be_hashed_are_searched_too():
    class Lists(Countdown):
        def start(self):
            return list(super().start())

        def apply_action(self, state, n):
            return list(super().apply_action(state, n))

    one = MCTS().search(position(Lists(9, 3)), simulations=500, seed=1)
    two = MCTS().search(position(Countdown(9, 3)), simulations=500, seed=1)
    assert figures(one) == figures(two)


def test_a_winning_action_that_does_not_win_is_named():
    class Boasting(Hinted):
        def winning_action(self, state):
            return 1

    with pytest.raises(GameError, match="winning_action gave 1, which does not win at once"):
        engine("mcts(evaluate=decisive())").search(position(Boasting()), simulations=10, seed=1)


def test_more_actions_than_a_class_promises_are_named():
    class Narrow(Ladder):
        max_actions = 3

        def legal_actions(self, state):
            return range(3 if state < 2 else 5)

    with pytest.raises(GameError, match=r"5 actions in a state, more than 3: say so .*= 5\)"):
        MCTS().search(position(Narrow(9, 3)), simulations=100, seed=1)


def test_a_game_without_end_is_named():
    class Endless(Ladder):
        max_length = 500

        def is_terminal(self, state):
            return False

    with pytest.raises(GameError, match="more than 500 actions, the max_length of its class"):
        MCTS().search(position(Endless(9, 3)), simulations=10, seed=1)
