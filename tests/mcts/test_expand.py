"""When nodes get their children, and what the children get: priors, places, an order."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest

from ponder import MCTS, InputError, position
from ponder.backup import Solver
from ponder.core.parts import canonical
from ponder.core.registry import parse_engine, part_text
from ponder.expand import AllChildren, EnoughChildren, NthVisit, OneChild
from ponder.jit import kernel
from ponder.mcts.evaluate.function import Function
from ponder.priors import GivenPriors, OrderPriors
from ponder.select import UCB1
from reference.hinted_tictactoe import BEST, HintedTicTacToe
from reference.sapling import Sapling, best_moves_found


def search(expand, simulations, game="tictactoe", seed=1):
    return MCTS(expand=expand).search(position(game), simulations=simulations, seed=seed)


def test_all_children_are_there_after_a_nodes_first_visit():
    store = search(AllChildren(), 2).tree._store
    visited = [node for node in range(store.size) if store.nodes[node].visits]
    # the root; the child of the simulation that expanded it; the next one, with its own children
    assert [int(store.nodes[node].count) for node in visited] == [9, 0, 8]
    assert [int(store.nodes[node].visits) for node in visited] == [3, 1, 1]
    assert store.children(visited[2]).visits.sum() == 0


def test_one_child_waits_for_the_second_visit():
    store = search(OneChild(), 1).tree._store
    assert [int(n.count) for n in store.nodes if n.visits] == [9, 0]


@pytest.mark.parametrize("n", [1, 2, 3, 10])
def test_children_are_made_at_the_nth_visit(n):
    tree = search(NthVisit(n), 2000).tree
    for node in tree.walk():
        own = node.visits - sum(child.visits for child in node.children)
        if node.is_expanded:
            assert own == (0 if node.parent is None else max(1, n - 1))  # before it had any
        elif not node.position.is_terminal:
            assert node.visits < max(n, 2)


@pytest.mark.plain
@pytest.mark.parametrize("n", [2, 5])
def test_all_children_may_wait_for_the_nth_visit(n):
    tree = search(AllChildren(visits=n), 1000).tree
    expanded = 0
    for node in tree.walk():
        own = node.visits - sum(child.visits for child in node.children)
        if node.parent is None:
            assert own == 0
        elif node.is_expanded:
            assert own == n - 1  # evaluations of its own, before it had children
            priors = tree._store.children(node.index).prior
            assert priors.sum() == pytest.approx(1, abs=1e-5)
            expanded += 1
        elif not node.position.is_terminal:
            assert node.visits < n
    assert expanded > 20


@pytest.mark.plain
def test_ucb1_grows_the_same_tree_by_all_children_and_by_the_nth_visit():
    rows = [
        {(r.action, r.visits, r.value) for r in search(expand, 400).moves}
        for expand in (NthVisit(4), AllChildren(visits=4))
    ]
    assert rows[0] == rows[1]


@pytest.mark.plain
def test_puct_can_wait_for_visits():
    engine = parse_engine("mcts(select=puct(), expand=all_children(visits=4))")
    tree = engine.search(position("tictactoe"), simulations=300, seed=1).tree
    for node in tree.walk():
        if node.is_expanded and node.parent is not None:
            assert node.visits - sum(child.visits for child in node.children) == 3


@pytest.mark.plain
def test_priors_of_an_evaluator_outside_cannot_wait():
    engine = MCTS(
        expand=AllChildren(GivenPriors(), visits=2),
        evaluate=Function(lambda positions: [[0.0, 0.0] for _ in positions]),
    )
    with pytest.raises(InputError, match="no priors any more: leave out visits"):
        engine.search(position("tictactoe"), simulations=3, seed=1)


@pytest.mark.plain
def test_the_second_visit_is_the_same_search_as_one_child():
    one, nth = search(OneChild(), 500), search(NthVisit(2), 500)
    assert [(r.action, r.visits, r.value) for r in one.moves] == [
        (r.action, r.visits, r.value) for r in nth.moves
    ]


@pytest.mark.plain
def test_ucb1_gives_the_same_search_whether_children_are_made_early_or_late():
    # the untried ones are drawn from the same generator, before or after the same rollouts
    rows = [
        {(r.action, r.visits) for r in search(expand, 400).moves}
        for expand in (OneChild(), AllChildren())
    ]
    assert rows[0] == rows[1]


# ------------------------------------------------------------------ priors


def priors_of(priors, game):
    engine = MCTS(expand=AllChildren(priors))
    store = engine.search(position(game), simulations=30, seed=2).tree._store
    return store, {int(c.action): float(c.prior) for c in store.children(0)}


def test_priors_by_order_are_a_softmax_of_the_rescaled_scores():
    store, found = priors_of(OrderPriors(temperature=0.25), HintedTicTacToe())
    # centre 1, corners 0.5, edges 0, over 0.25
    raw = {a: math.exp(4 if a == 4 else 2 if a % 2 == 0 else 0) for a in range(9)}
    total = sum(raw.values())
    assert found == {a: pytest.approx(raw[a] / total, rel=1e-6) for a in range(9)}
    # children change places until they are tried: each prior went along with its action
    assert [int(a) for a in store.children(0).action] != sorted(found)
    for node in range(store.size):
        if store.nodes[node].first >= 0:
            assert store.children(node).prior.sum() == pytest.approx(1, abs=1e-5)


def test_uniform_priors_are_alike():
    assert set(priors_of(AllChildren().priors, "tictactoe")[1].values()) == {
        float(np.float32(1 / 9))
    }


@kernel
def _swap(rule, tree, one, other):
    rule.swap(tree, one, other)


def test_a_prior_changes_places_with_its_action():
    made = Sapling("expand=all_children()")
    one, other = made.grow(0, [3, 7], 0)
    made.set(one, prior=0.25)
    made.set(other, prior=0.75)
    _swap(made.parts.expand, made.tree, one, other)
    assert [(int(n.action), float(n.prior)) for n in made.nodes[[one, other]]] == [
        (7, 0.75),
        (3, 0.25),
    ]


# ------------------------------------------------------------------ texts and refusals


@pytest.mark.parametrize(
    "text",
    [
        "all_children()",
        "all_children(priors=order(temperature=0.1))",
        "all_children(visits=40)",
        "nth_visit(n=5)",
        "progressive(first=1, a=100.0, b=1.4, offset=100.0)",
    ],
)
def test_the_text_of_a_rule_reads_back_as_itself(text):
    assert part_text(parse_engine(f"mcts(expand={text})").expand) == text


class Heads:
    """One move, one player: a plain Python game."""

    players = 1

    def start(self):
        return ()

    def current_player(self, state):
        return 0

    def legal_actions(self, state):
        return [0, 1]

    def apply_action(self, state, action):
        return (action,)

    def is_terminal(self, state):
        return bool(state)

    def returns(self, state):
        return (float(state[0]),)


@pytest.mark.plain
@pytest.mark.parametrize("rule", ["all_children", "enough_children", "nth_visit", "progressive"])
def test_plain_games_grow_by_every_rule(rule):
    found = parse_engine(f"mcts(expand={rule}())").search(position(Heads()), simulations=20, seed=1)
    assert found.action == 1
    assert found.simulations == 20


def test_only_moves_that_are_enough_become_children_below_the_root():
    start = position("connect4(columns=5, rows=4)").play_all("2 2 3")  # o must stop 1 2 3 4
    tree = MCTS(expand=EnoughChildren()).search(start, simulations=3000, seed=1).tree
    out = np.zeros(5, np.int32)
    looked = 0
    for node in tree.walk():
        if node.is_expanded and node.parent is not None:
            rules, s = node.position.rules.part, node.position.state
            enough = out[: rules.enough_actions(s, out)].tolist()
            assert [child.action for child in node.children] == enough
            looked += len(enough) < len(node.position.legal_actions)
        elif node.parent is None:
            assert len(node.children) == 5
    assert looked > 20


def test_enough_children_and_all_children_prove_the_same_values():
    rng = random.Random(2)
    for _ in range(12):
        here = position("connect4(columns=4, rows=4)")
        while len(here.history) < 6:
            here = here.play(rng.choice(here.legal_actions))
        if here.is_terminal:
            continue
        few, all_ = (
            MCTS(expand=rule, backup=Solver()).search(here, simulations=200_000, seed=1)
            for rule in (EnoughChildren(), OneChild())
        )
        assert (few.stopped_by, few.value) == (all_.stopped_by, all_.value)
        assert few.stopped_by == "solved"


def test_numbers_out_of_range_are_refused():
    with pytest.raises(InputError, match="n of nth_visit must be 1 or more"):
        canonical(NthVisit(0))
    with pytest.raises(InputError, match="visits of all_children must be 1 or more, not 0"):
        canonical(AllChildren(visits=0))


@pytest.mark.parametrize("expand", ["all_children()", "nth_visit(4)"])
def test_the_best_moves_of_tictactoe_are_found_in_3000_simulations(expand):
    engine = f"select={part_text(UCB1())}, expand={expand}"
    assert best_moves_found(engine, "tictactoe", BEST, 3000) is True
