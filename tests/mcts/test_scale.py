"""The unit of utilities does not matter: multiplied by a power of two they change no choice."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from ponder import Position, Spec, record
from ponder.core.registry import PARTS, parse_engine

FACTORS = (2.0**-30, 1.0, 2.0**30)


class Scaled(NamedTuple):
    """Six moves of two players, three to choose from each time; any payment of -1 to 1 times
    `factor`, drawn from the moves."""

    factor: float = 1.0

    def spec(self):
        return Spec(
            players=2,
            max_actions=3,
            max_length=6,
            state=record(moves="i4", path="i4"),
            lowest=-self.factor,
            highest=self.factor,
        )

    def start(self, s):
        pass

    def current_player(self, s):
        return s.moves % 2

    def legal_actions(self, s, out):
        for i in range(3):
            out[i] = i
        return 3

    def apply_action(self, s, a):
        s.path = 3 * s.path + a
        s.moves += 1

    def is_terminal(self, s):
        return s.moves == 6

    def payment(self, s):
        return self.factor * ((s.path * 37 + s.moves * 11) % 65 - 32) / 32.0

    def returns(self, s, out):
        out[0] = self.payment(s)
        out[1] = -out[0]

    def evaluate(self, s, out):
        out[0] = self.payment(s)
        out[1] = -out[0]

    def order(self, s, a):
        return float((s.path + a) % 3)


def searched(options: str, factor: float):
    engine = parse_engine(f"mcts({options}, simulations=400)")
    return engine.search(Position(Scaled(factor)), seed=3)


def beside(rule: str) -> str:
    return ", expand=all_children(priors=order())" if rule in ("gumbel", "puct") else ""


@pytest.mark.plain
@pytest.mark.parametrize(
    "options",
    [
        *(f"select={rule}(){beside(rule)}" for rule in PARTS["select"]),
        "select=rave(c=1.0)",
        "select=ucb1_spread(), backup=mix()",
        "backup=power_mean()",
        "backup=solver(), decide=secure()",
        "evaluate=blend(), decide=lower_bound()",
    ],
)
def test_a_unit_of_utilities_changes_no_choice(options):
    assert_no_choice_changes(options)


def test_nor_in_compiled_code():
    assert_no_choice_changes("select=ucb1()")


def assert_no_choice_changes(options: str) -> None:
    small, one, large = (searched(options, factor) for factor in FACTORS)
    for factor, found in ((FACTORS[0], small), (FACTORS[2], large)):
        assert found.action == one.action
        assert [(row.action, row.visits) for row in found.moves] == [
            (row.action, row.visits) for row in one.moves
        ]
        assert found.value == factor * one.value


@pytest.mark.plain
def test_the_default_search_explores_a_game_of_any_unit():
    """With utilities of a billion nearly all visits went to one move, of a billionth all alike."""
    for factor in (1e-9, 1e9):
        visits = sorted(row.visits for row in searched("select=ucb1()", factor).moves)
        assert visits[0] > 20
        assert visits[-1] > 1.2 * visits[0]
