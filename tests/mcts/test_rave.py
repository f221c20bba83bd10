"""RAVE and GRAVE: the schedules, what counts as the same move later, refusals, best moves."""

from __future__ import annotations

import math

import pytest

from ponder import MCTS, InputError, position
from ponder.core.parts import canonical
from ponder.core.rng import new_rng
from ponder.select import GRAVE, RAVE
from reference.hinted_tictactoe import BEST
from reference.sapling import Sapling, best_moves_found

VISITS, VALUES = (8, 1, 0), (2.0, -1.0, 0.0)
AMAF_VISITS, AMAF_VALUES = (20, 5, 4), (5.0, 3.0, 1.0)


def sapling(rule):
    made = Sapling(f"select={rule}")
    given = zip(VISITS, VALUES, AMAF_VISITS, AMAF_VALUES, strict=True)
    for child, (n, value, amaf_n, amaf) in zip(made.grow(0, [0, 1, 2], 0), given, strict=True):
        made.set(child, visits=n, value=value, amaf_visits=amaf_n, amaf_value=amaf)
    made.set(0, visits=10)
    made.walk()
    return made


def blended(betas, c=0.0):
    """(1 - beta) * Q, beta * Q~, c * sqrt(ln N / n)"""
    q = (2 / 8, -1 / 1, 0.0)
    amaf = (5 / 20, 3 / 5, 1 / 4)
    n = (8, 1, 1)  # a child without a visit counts as one with a single visit
    return [
        pytest.approx(
            [(1 - betas[i]) * q[i], betas[i] * amaf[i], c * math.sqrt(math.log(10) / n[i])]
        )
        for i in range(3)
    ]


def both_terms(made, depth=0):
    plain, compiled = made.plain_terms(depth), made.compiled_terms(depth)
    # the caller's root is sqrt(1 / n) of a child without a visit as well: it is not looked at
    assert plain == [pytest.approx(terms) for terms in compiled]
    return compiled


def test_the_hand_selected_schedule_is_one_half_after_k_visits():
    beta = math.sqrt(50 / (3 * 10 + 50))
    made = sapling("rave(k=50, c=0.3)")
    assert both_terms(made) == blended((beta, beta, 1.0), c=0.3)
    # 0.25 + 0.16, -0.21 + 0.47 + 0.46, 0.25 + 0.46
    assert made.choose(new_rng(1)) == 2
    assert math.sqrt(10 / (3 * 10 + 10)) == 0.5


def test_the_minimum_mse_schedule_weighs_by_both_counts_and_the_bias():
    betas = [na / (n + na + 4 * 0.1**2 * n * na) for n, na in ((8, 20), (1, 5), (0, 4))]
    made = sapling("rave(b=0.1)")
    assert both_terms(made) == blended(betas)
    assert betas[2] == 1


def test_grave_weighs_by_both_counts_and_its_bias():
    betas = [na / (n + na + 0.01 * n * na) for n, na in ((8, 20), (1, 5), (0, 4))]
    assert both_terms(sapling("grave(ref=5, bias=0.01)")) == blended(betas)


@pytest.mark.parametrize("rule", ["rave()", "grave()"])
def test_children_of_which_nothing_is_known_come_first_in_random_order(rule):
    made = sapling(rule)
    made.set(2, visits=0, amaf_visits=0, value=0.0, amaf_value=0.0)
    made.set(3, amaf_visits=0, amaf_value=0.0)
    assert {made.choose(new_rng(seed)) for seed in range(20)} == {2, 3}


def played(made, *moves):
    """The trace of a simulation."""
    made.work.trace.length[0] = len(moves)
    for i, (player, action) in enumerate(moves):
        made.work.trace.players[i], made.work.trace.actions[i] = player, action


def amaf_of(made, node):
    return {
        int(made.nodes[child].action): (
            int(made.nodes[child].amaf_visits),
            float(made.nodes[child].amaf_value),
        )
        for child in made.children(node)
        if made.nodes[child].amaf_visits
    }


@pytest.mark.parametrize("rule", ["rave()", "grave()"])
def test_a_move_counts_for_its_own_player_at_this_turn_and_all_later_ones(rule):
    made = Sapling(f"select={rule}")
    top = made.grow(0, [0, 1, 2, 3, 4], 0)
    below = made.grow(top[1], [0, 2, 3, 4], 1)
    depth = made.walk(top[1], below[2])  # 1, then 3; then a rollout
    played(made, (0, 1), (1, 3), (0, 4), (1, 0), (0, 2))
    made.after([1.0, -1.0], depth)
    assert amaf_of(made, 0) == {1: (1, 1.0), 4: (1, 1.0), 2: (1, 1.0)}
    # not 1, which was played before; not 2 and 4, which the other player plays
    assert amaf_of(made, top[1]) == {3: (1, -1.0), 0: (1, -1.0)}
    assert (made.work.trace.first == -1).all()
    # a second simulation: move 1 is played twice and counts once
    played(made, (0, 1), (1, 3), (0, 1), (1, 4))
    made.after([-1.0, 1.0], depth)
    assert amaf_of(made, 0) == {1: (2, 0.0), 4: (1, 1.0), 2: (1, 1.0)}
    assert amaf_of(made, top[1]) == {3: (2, 0.0), 0: (1, -1.0), 4: (1, 1.0)}


@pytest.mark.plain
def test_at_every_node_the_visits_by_amaf_are_at_least_the_visits():
    result = MCTS(select=RAVE()).search(position("tictactoe"), simulations=500, seed=3)
    store = result.tree._store
    children = store.children(0)
    assert (children.amaf_visits >= children.visits).all()
    assert children.amaf_visits.sum() > children.visits.sum()
    assert children.amaf_visits.max() <= 500


def test_grave_borrows_from_the_closest_trusted_node_of_the_same_player():
    made = Sapling("select=grave(ref=50, bias=0)")
    top = made.grow(0, [0, 1, 2, 3], 0)
    replies = made.grow(top[0], [1, 2, 3], 1)
    own = made.grow(replies[0], [2, 3], 0)  # player 0 again
    made.set(0, visits=200)
    made.set(top[0], visits=100)  # trusted, but the other player moves there
    made.set(replies[0], visits=5)
    made.set(top[2], amaf_visits=40, amaf_value=30.0)  # move 2 at the root
    made.set(top[3], amaf_visits=40, amaf_value=-10.0)
    for child in own:
        made.set(child, visits=2, value=1.0, amaf_visits=3, amaf_value=-3.0)
    depth = made.walk(top[0], replies[0])
    beta = 40 / (40 + 2)
    wanted = [[(1 - beta) * 0.5, beta * 0.75, 0], [(1 - beta) * 0.5, beta * -0.25, 0]]
    assert both_terms(made, depth) == [pytest.approx(terms) for terms in wanted]
    made.set(replies[0], visits=51)  # now it is trusted itself
    beta = 3 / (3 + 2)
    wanted = [[(1 - beta) * 0.5, beta * -1.0, 0]] * 2
    assert both_terms(made, depth) == [pytest.approx(terms) for terms in wanted]


def test_a_move_that_the_ancestor_did_not_have_speaks_for_itself():
    made = Sapling("select=grave(ref=50, bias=0)")
    top = made.grow(0, [0, 1, 2], 0)
    replies = made.grow(top[0], [1, 2], 1)
    own = made.grow(replies[0], [7], 0)
    made.set(0, visits=200)
    made.set(replies[0], visits=5)
    made.set(own[0], visits=1, value=1.0, amaf_visits=4, amaf_value=2.0)
    assert both_terms(made, made.walk(top[0], replies[0])) == [pytest.approx([0.2, 0.8 * 0.5, 0])]


@pytest.mark.parametrize("rule", [RAVE(), GRAVE()])
def test_dice_are_refused(rule):
    with pytest.raises(InputError, match="Pig has dice between: use ucb1"):
        MCTS(select=rule).search(position("pig"), simulations=1)


def test_parameters_out_of_range_are_refused():
    with pytest.raises(InputError, match="rave needs k above 0"):
        canonical(RAVE(k=0))
    with pytest.raises(InputError, match="grave needs ref and bias of 0 or more"):
        canonical(GRAVE(bias=-1))


@pytest.mark.parametrize(
    "engine", ["select=rave()", "select=rave(b=0.1, c=1)", "select=grave(), expand=all_children()"]
)
def test_the_best_moves_of_tictactoe_are_found_in_2000_simulations(engine):
    assert best_moves_found(engine, "tictactoe", BEST, 2000) is True
