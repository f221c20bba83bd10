"""Evaluations taken apart: the terms make up `evaluate`, and `ponder check` sees to it.

That they do in all games of the package is tested with the rest of the contract
(`tests/games/test_contract.py`).
"""

from __future__ import annotations

import pytest

from ponder import GameError, InputError, explain, position
from ponder.check import check_game
from ponder.core.game import hooks_of
from ponder.core.registry import GAMES, parse_game


class Race:
    """First to 5 with steps of 1 or 2; worth what one is ahead, and half a step for the move."""

    def start(self):
        return (0, 0, 0)

    def current_player(self, state):
        return state[2]

    def legal_actions(self, state):
        return [1, 2]

    def apply_action(self, state, step):
        own = (state[0] + step, state[1]) if state[2] == 0 else (state[0], state[1] + step)
        return (*own, 1 - state[2])

    def is_terminal(self, state):
        return max(state[:2]) >= 5

    def returns(self, state):
        return (1, -1) if state[0] >= 5 else (-1, 1)

    def evaluate(self, state):
        d = state[0] - state[1] + (0.5 if state[2] == 0 else -0.5)
        return (d / (1 + abs(d)), -d / (1 + abs(d)))

    def evaluate_terms(self, state, player):
        return [
            ("ahead", state[player] - state[1 - player], 1.0),
            ("the move", 1 if state[2] == player else -1, 0.5),
        ]

    def squash(self, state, player, score):
        return score / (1 + abs(score))


class WrongWeight(Race):
    """The move is said to weigh more than it does."""

    def evaluate_terms(self, state, player):
        ahead, (name, value, _) = super().evaluate_terms(state, player)
        return [ahead, (name, value, 0.6)]


class ChangingWeight(Race):
    """The sum is right, but the weight depends on the state."""

    def evaluate_terms(self, state, player):
        (name, value, _), move = super().evaluate_terms(state, player)
        return [(name, value / (1 + state[0]), 1.0 + state[0]), move]


class OneName(Race):
    """Two terms that nobody can tell apart."""

    def evaluate_terms(self, state, player):
        return [("a", f, w) for _, f, w in super().evaluate_terms(state, player)]


class NoTerms(Race):
    """Something else than terms."""

    def evaluate_terms(self, state, player):
        return [1.0, 2.0]


def test_a_plain_games_terms_are_explained_for_either_player():
    here = position(Race()).play_all([2, 1])
    found = explain(here, 1)
    assert [(term.name, term.value, term.share) for term in found.terms] == [
        ("ahead", -1, -1.0),
        ("the move", -1, -0.5),
    ]
    assert found.score == -1.5
    assert found.value == pytest.approx(-0.6)
    assert check_game(Race(), games=3, seed=1).ok


@pytest.mark.parametrize(
    ("game", "says"),
    [
        (WrongWeight, "evaluate says"),
        (ChangingWeight, "names and weights are the same everywhere"),
        (OneName, "two terms of one name"),
        (NoTerms, "expected a list of (name, value, weight)"),
    ],
)
def test_terms_that_do_not_make_up_the_evaluation_are_found(game, says):
    report = check_game(game(), games=3, seed=1)
    assert {finding.kind for finding in report.findings} == {"evaluate_terms"}, str(report)
    assert says in str(report)


def test_a_wrong_sum_is_not_explained_away():
    with pytest.raises(GameError, match="evaluate says"):
        explain(position(WrongWeight()))


def test_terms_without_an_evaluation_are_half_a_hook():
    methods = {name: method for name, method in vars(Race).items() if name != "evaluate"}
    report = check_game(type("Alone", (), methods)(), games=1, seed=1)
    assert "evaluate_terms needs evaluate beside it" in str(report)


NO_SUM = ["chinese_checkers"]  # chances that fall exponentially with the steps behind


def test_every_evaluation_that_is_a_sum_is_offered_as_terms():
    games = {text: hooks_of(parse_game(text)) for text in GAMES}
    assert [
        text
        for text, hooks in games.items()
        if "evaluate" in hooks and "evaluate_terms" not in hooks
    ] == NO_SUM


def test_bad_questions_get_one_line():
    with pytest.raises(InputError, match="players are 0 to 1"):
        explain(position(Race()), 2)
    with pytest.raises(InputError, match="the game is over"):
        explain(position(Race()).play_all([2, 1, 2, 1, 2]))
