"""Sequential halving: the plan of mctx, and searches that keep to it."""

from __future__ import annotations

import numpy as np
import pytest

from ponder import MCTS, InputError, Limit, Session, position
from ponder.core.registry import parse_engine
from ponder.mcts.select.halving import visit_sequence
from ponder.select import UCB1, SequentialHalving, UCB1Spread, UCTDecaying

pytestmark = pytest.mark.plain

EIGHT = "tree('[0.1, 0.9, 0.3, 0.2, 0.8, 0.4, 0.0, 0.5]', 1)"
"""Eight moves and the game is over."""


def plan(moves, simulations):
    out = np.zeros(simulations, np.int32)
    visit_sequence(np.int64(moves), out)
    return out.tolist()


def pairs(first, last):
    return [n for n in range(first, last + 1) for _ in range(2)]


@pytest.mark.parametrize(
    ("moves", "simulations", "wanted"),
    [
        (8, 24, [0] * 8 + [1] * 4 + [2] * 4 + pairs(3, 6)),
        (8, 47, [0] * 8 + [1] * 4 + [2] * 4 + [3] * 4 + pairs(4, 16) + [17]),
        (7, 24, [0] * 7 + [1] * 3 + [2] * 3 + pairs(3, 7) + [8]),
        (8, 13, [0] * 8 + [1] * 4 + [2]),
        (8, 2, [0, 0]),
        (1, 5, [0, 1, 2, 3, 4]),
        (2, 6, [0, 0, 1, 1, 2, 2]),
    ],
)
def test_the_plan_is_that_of_mctx(moves, simulations, wanted):
    assert plan(moves, simulations) == wanted


@pytest.mark.parametrize("moves", range(1, 40))
@pytest.mark.parametrize("simulations", [1, 7, 100])
def test_the_plan_is_that_of_its_definition(moves, simulations):
    # written as in mctx: lists of visits, cut to length
    if moves <= 1:
        return
    phases, considered = int(np.ceil(np.log2(moves))), moves
    visits, sequence = [0] * moves, []
    while len(sequence) < simulations:
        extra = max(1, int(simulations / (phases * considered)))
        for _ in range(extra):
            sequence.extend(visits[:considered])
            for i in range(considered):
                visits[i] += 1
        considered = max(2, considered // 2)
    assert plan(moves, simulations) == sequence[:simulations]


@pytest.mark.parametrize(
    ("simulations", "visits"),
    [(24, {0.9: 7, 0.8: 7, 0.5: 3, 0.4: 3, 0.3: 1, 0.2: 1, 0.1: 1, 0.0: 1}), (3, None)],
)
def test_the_better_half_goes_on_and_the_best_is_recommended(simulations, visits):
    found = MCTS(select=SequentialHalving()).search(
        position(EIGHT), simulations=simulations, seed=1
    )
    made = {round(row.value, 9): row.visits for row in found.moves if row.visits}
    if visits is None:
        assert sorted(row.visits for row in found.moves) == [0] * 5 + [1] * 3
    else:
        assert made == visits
        assert found.action == 1


def test_the_plan_is_kept_where_results_are_random():
    found = MCTS(select=SequentialHalving()).search(
        position("bandit(arms=(0.5, 0.5, 0.5, 0.5))"), simulations=800, seed=2
    )
    # two phases: 100 each, then 200 more for each of the better two
    assert sorted(row.visits for row in found.moves) == [100, 100, 300, 300]
    best = max((row.visits, row.value) for row in found.moves)
    chosen = next(row for row in found.moves if row.action == found.action)
    assert (chosen.visits, chosen.value) == best


def test_without_a_number_of_simulations_there_is_no_plan():
    with pytest.raises(InputError, match="give the number of simulations"):
        MCTS(select=SequentialHalving()).search(position(EIGHT), seconds=0.01)


@pytest.mark.parametrize("inner", [UCB1(c=1.0), UCB1Spread(), UCTDecaying()])
def test_another_rule_decides_below_the_root(inner):
    # MAX can get 0.6 on the right, MIN gives only 0.1 on the left
    s = position("tree('[[0.1, 0.9], [0.6, 0.7], [0.2, 1.0], [0.0, 0.8]]')")
    found = MCTS(select=SequentialHalving(select=inner)).search(s, simulations=2000, seed=1)
    assert found.action == 1
    assert sorted(row.visits for row in found.moves) == [250, 250, 750, 750]


def test_the_rule_below_the_root_can_be_named_in_a_text():
    engine = parse_engine("mcts(select=sequential_halving(select=ucb1(c=0.5)), simulations=50)")
    assert engine.select == SequentialHalving(select=UCB1(c=0.5))
    assert engine.search(position(EIGHT), seed=1).simulations == 50


def test_a_session_with_a_plan_is_the_search_of_that_length(tmp_path):
    engine = MCTS(select=SequentialHalving())
    session = engine.start(position(EIGHT), seed=3, plan=Limit(simulations=40))
    assert session.run(simulations=15) == session.run(simulations=25) == "simulations"
    whole = engine.search(position(EIGHT), simulations=40, seed=3)
    assert session.result().moves == whole.moves
    session.save(tmp_path / "planned")
    assert Session.load(tmp_path / "planned").result().moves == whole.moves
    shorter = engine.search(position(EIGHT), simulations=24, seed=3)
    session.rewind(24)
    assert session.result().moves != shorter.moves  # which had another plan
