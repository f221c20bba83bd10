"""What a search is given: wrong kinds are refused in one sentence, before anything is searched."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ponder import MCTS, AlphaBeta, InputError, Limit, Strong, position, why
from ponder.backup import Mean
from ponder.decide import MostVisits
from ponder.mcts.between_moves import Ponderer
from ponder.select import UCB1, SequentialHalving

pytestmark = pytest.mark.plain

START = position("tictactoe")


def found():
    return MCTS().search(START, simulations=20, seed=1)


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ({"seed": 1.5}, "seed must be a whole number, not 1.5"),
        ({"seed": "a"}, "seed must be a whole number, not 'a'"),
        ({"moves": []}, "moves is empty"),
        ({"moves": ()}, "moves is empty"),
        ({"moves": "b2"}, "moves takes a list of moves"),
        ({"moves": 4}, "moves takes a list of moves"),
        ({"tree": "t.tree"}, "tree takes a search tree, such as result.tree, not 't.tree'"),
    ],
)
def test_arguments_of_the_wrong_kind_are_refused(given, complaint):
    with pytest.raises(InputError, match=complaint):
        MCTS().search(START, simulations=10, **given)


def test_a_result_is_not_its_tree():
    result = found()
    with pytest.raises(InputError, match=r"tree takes .* such as result.tree, not an object of"):
        MCTS().search(START, simulations=10, tree=result)
    with pytest.raises(InputError, match=r"why takes .* such as result.tree, not an object of"):
        why(result)


def test_what_fits_is_taken():
    same = MCTS().search(START, simulations=20, seed=np.int64(1), moves=START.legal_actions)
    assert same.simulations == 20
    assert MCTS().search(START, simulations=20, tree=same.tree).simulations > 0


@pytest.mark.parametrize("engine", [MCTS(), Strong(), AlphaBeta()])
@pytest.mark.parametrize("wrong", ["tictactoe", None])
def test_a_search_takes_a_position(engine, wrong):
    with pytest.raises(InputError, match="a search takes a position, such as"):
        engine.search(wrong)


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (
            {"decide": UCB1()},
            r"^ucb1\(\) is a select rule, not a decide rule \(available: ",
        ),
        ({"decide": "most_visits"}, r"'most_visits' is not a decide rule \(available: "),
        (
            {"select": Mean()},
            r"^mean\(\) is a backup rule, not a select rule \(available: boltzmann, ",
        ),
        ({"backup": 3}, r"3 is not a backup rule \(available: discounted, "),
        ({"decide": MostVisits}, r"must be a part, MostVisits\(\), not the class MostVisits"),
        ({"select": UCB1}, r"must be a part, UCB1\(\), not the class UCB1"),
    ],
)
def test_a_part_in_the_wrong_place_is_refused_with_what_fits(options, complaint):
    with pytest.raises(InputError, match=complaint):
        MCTS(**options)
    with pytest.raises(InputError, match=complaint):  # which looks at nothing
        MCTS()._replace(**options).search(START, simulations=10)


@pytest.mark.parametrize("name", ["simulations", "nodes", "depth"])
def test_whole_limits_are_of_at_most_64_bits(name):
    assert Limit(**{name: 2**63 - 1})
    for value in (2**63, 10**400, 1e30):
        with pytest.raises(InputError, match=f"{name} must be at most 9223372036854775807"):
            Limit(**{name: value})


def test_sequential_halving_refuses_a_plan_that_no_memory_holds():
    with pytest.raises(InputError, match="plans at most 1,000,000,000 simulations"):
        MCTS(SequentialHalving()).search(START, simulations=10**12)


def test_a_rule_that_plans_the_whole_search_cannot_ponder():
    with pytest.raises(InputError, match="sequential_halving plans the whole search"):
        Ponderer(MCTS(SequentialHalving())).start(START)


def test_an_endless_time_is_still_a_limit():
    assert Limit(seconds=math.inf).seconds == math.inf
