"""Expectiminimax: every pruning, with and without a table, against the full reference search."""

from __future__ import annotations

import math
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ponder import Expectiminimax, Minimax, Position, position
from ponder.games.tree import tree_game
from ponder.search import reference
from ponder.search.searcher import StarSearcher
from reference.nested_tree import nested_trees

TINY = 64 / (1 << 20)  # megabytes: a table of two entries
VARIANTS = [(p, memory) for p in ("none", "star1", "star2") for memory in (None, TINY, 1.0)]


def tree(nested: Any, players: int = 2) -> Position:
    return Position(tree_game(nested, players))


def searcher(s: Position, pruning: str, memory: float | None) -> StarSearcher:
    engine = Expectiminimax(pruning=pruning, table=memory is not None)
    return StarSearcher(engine, engine.method(s), s, memory)


# ------------------------------------------------------------------ random trees


@settings(max_examples=700)
@given(nested_trees(2, chance=True, any_turns=True))
def test_no_pruning_and_no_table_changes_the_value_of_a_tree(nested):
    s = tree(nested)
    wanted = reference.expectiminimax(s).value
    for pruning, memory in VARIANTS:
        assert searcher(s, pruning, memory).visit(60) == pytest.approx(wanted, abs=1e-9)


@settings(max_examples=300)
@given(nested_trees(1, chance=True))
def test_one_player_against_chance(nested):
    s = tree(nested, 1)
    wanted = reference.expectimax(s).value
    for pruning, memory in VARIANTS:
        assert searcher(s, pruning, memory).visit(60) == pytest.approx(wanted, abs=1e-9)


@settings(max_examples=700)
@given(
    nested_trees(2, chance=True, any_turns=True),
    st.floats(-10, 10),
    st.floats(0.001, 8),
)
def test_in_any_window_the_result_is_the_value_or_a_bound_of_it(nested, alpha, width):
    s = tree(nested)
    beta = alpha + width
    exact = reference.expectiminimax(s).value
    for pruning, memory in VARIANTS[3:]:
        search = searcher(s, pruning, memory)
        for _ in range(2):  # the second time the table knows something
            found = search.visit(60, alpha, beta)
            if found <= alpha:
                assert exact <= found + 1e-9
            elif found >= beta:
                assert exact >= found - 1e-9
            else:
                assert found == pytest.approx(exact, abs=1e-9)


@pytest.mark.plain
@settings(max_examples=300)
@given(nested_trees(2, chance=True, any_turns=True), st.lists(st.floats(-10, 10), max_size=8))
def test_bounds_of_one_window_never_spoil_the_next(nested, windows):
    s = tree(nested)
    exact = reference.expectiminimax(s).value
    for pruning in ("star1", "star2"):
        search = searcher(s, pruning, 1.0)
        for alpha in windows:
            search.visit(60, alpha, alpha + 0.5)
        assert search.visit(60) == pytest.approx(exact, abs=1e-9)


@pytest.mark.plain
@settings(max_examples=200)
@given(nested_trees(2, chance=True, any_turns=True))
def test_without_pruning_it_is_the_reference_node_for_node(nested):
    s = tree(nested)
    if s.is_terminal or s.is_chance:
        return
    found = Expectiminimax(pruning="none", table=False).search(s, depth=60)
    wanted = reference.expectiminimax(s)
    assert (found.value, found.action, found.line, found.nodes) == wanted


@settings(max_examples=200)
@given(nested_trees(2, chance=True))
def test_the_move_chosen_is_worth_the_value(nested):
    s = tree(nested)
    if s.is_terminal or s.is_chance:
        return
    for pruning in ("star1", "star2"):
        found = Expectiminimax(pruning=pruning).search(s, depth=60)
        after = reference.expectiminimax(s.play(found.action), player=0).value
        assert found.value == pytest.approx(after, abs=1e-9)
        for row in found.moves:
            if row.value is not None:
                truth = reference.expectiminimax(s.play(row.action), player=0).value
                assert row.value == pytest.approx(truth, abs=1e-9)


# ------------------------------------------------------------------ what pruning saves


def random_rounds(rng: random.Random, shape: tuple[int, int, int], player: int = 0) -> Any:
    """MAX, chance, MIN, chance ... with uniform leaves and random probabilities."""
    moves, outcomes, rounds = shape
    if rounds == 0:
        return rng.uniform(-1, 1)

    def chance() -> Any:
        weights = [rng.random() for _ in range(outcomes)]
        below = (moves, outcomes, rounds - 1)
        return {
            "chance": [[w / sum(weights), random_rounds(rng, below, 1 - player)] for w in weights]
        }

    return {"player": player, "moves": [chance() for _ in range(moves)]}


@pytest.mark.parametrize(
    ("shape", "published"),
    [((3, 3, 3), 0.72), ((5, 4, 3), 0.72), ((4, 6, 3), 0.72), ((8, 6, 2), 0.72)],
)
def test_star1_saves_a_quarter_to_a_third_of_the_leaves_of_random_trees(shape, published):
    # Ballard 1983: 25 to 30 %
    visited, everything = 0, 0
    for seed in range(12):
        s = tree(random_rounds(random.Random(seed), shape))
        full, pruned = searcher(s, "none", None), searcher(s, "star1", None)
        assert pruned.visit(20) == pytest.approx(full.visit(20), abs=1e-9)
        visited, everything = visited + pruned.leaves, everything + full.leaves
    assert everything == 12 * (shape[0] * shape[1]) ** shape[2]
    assert visited / everything == pytest.approx(published, abs=0.07)


def test_star2_saves_most_of_backgammon():
    nodes = dict.fromkeys(("none", "star1", "star2"), 0)
    rng = random.Random(1)
    for _ in range(4):
        here = position("backgammon")
        while here.is_chance or len(here.history) < 20:
            here = here.play(rng.choice(here.legal_actions))
        values = set()
        for pruning in nodes:
            search = searcher(here, pruning, 1.0)
            values.add(tuple(round(search.visit(depth), 9) for depth in (1, 2, 3)))
            nodes[pruning] += search.nodes
        assert len(values) == 1
    assert nodes["star1"] < nodes["none"]
    assert nodes["star2"] < 0.4 * nodes["none"]


# ------------------------------------------------------------------ exact values


@pytest.mark.parametrize("pruning", ["none", "star1", "star2"])
def test_bearing_off_by_search_alone(pruning):
    # (2,6) against (2,6): 79945/104976 before the roll; here the average over the rolls
    start = position("backgammon(scoring=1)", "x 6:1 2:1 / o 6:1 2:1 / x")
    engine = Expectiminimax(pruning=pruning)
    won = 0.0
    for roll, p in start.chance_outcomes:
        found = engine.search(start.play(roll), depth=60)
        assert found.stopped_by == "solved"
        won += p * (found.value + 1) / 2
    assert won == pytest.approx(79945 / 104976, abs=1e-9)


def test_pig_with_a_three_sided_die_two_actions_deep():
    # OpenSpiel's test: roll, then (0 + 2 + 3) / 3 points of the target
    found = Expectiminimax().search(position("pig(sides=3, target=30)"), depth=2)
    assert (found.best_move.name, found.value * 30) == ("roll", pytest.approx(5 / 3))


# ------------------------------------------------------------------ the scale of leaf values


def rescaled(node: Any, change: Any) -> Any:
    if isinstance(node, list):
        return [rescaled(n, change) for n in node]
    if isinstance(node, dict):
        return {"chance": [[p, rescaled(n, change)] for p, n in node["chance"]]}
    return change(node)


GAMBLE = [[3], {"chance": [[0.5, 0], [0.5, 7]]}]  # 3 for sure, or 3.5 on average


@pytest.mark.parametrize("change", [math.sqrt, lambda u: u**3, lambda u: math.log(1 + u)])
def test_a_change_of_scale_that_keeps_only_the_order_changes_a_decision_under_chance(change):
    decisions = {
        Expectiminimax().search(tree(rescaled(GAMBLE, f), 1), depth=9).action
        for f in (lambda u: u, change)
    }
    convex = change(8) - change(4) > change(4) - change(0)
    assert decisions == ({1} if convex else {0, 1})


def test_a_convex_scale_loves_risk():
    cautious = [[4], {"chance": [[0.5, 0], [0.5, 7]]}]
    assert Expectiminimax().search(tree(cautious, 1), depth=9).action == 0
    assert Expectiminimax().search(tree(rescaled(cautious, lambda u: u**2), 1), depth=9).action == 1


@settings(max_examples=100)
@given(nested_trees(2))
def test_without_chance_every_monotone_change_of_scale_keeps_the_decision(nested):
    s = tree(nested)
    if not s.is_terminal:
        line = Minimax().search(s, depth=60).line
        for change in (lambda u: u**3, math.atan, lambda u: math.exp(u / 3)):
            # utilities of both players stay opposed: the second gets minus the first
            changed = tree(rescaled(nested, change))
            assert Minimax().search(changed, depth=60).line == line


@settings(max_examples=100)
@given(nested_trees(2, chance=True), st.sampled_from([0.5, 2.0, 4.0]), st.integers(-8, 8))
def test_an_affine_change_of_scale_keeps_every_decision(nested, factor, shift):
    s = tree(nested)
    if not (s.is_terminal or s.is_chance):
        engine = Expectiminimax(pruning="none", table=False)
        before = engine.search(s, depth=60)
        after = engine.search(tree(rescaled(nested, lambda u: factor * u + shift)), depth=60)
        assert after.value == pytest.approx(factor * before.value + shift, abs=1e-9)
        best = {row.action for row in before.moves if row.value > before.value - 1e-9}
        assert after.action in best
