"""Expectiminimax: every pruning, with and without a table, against the full reference search."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ponder import Expectiminimax, InputError, Limit, Position, position
from ponder.games.tree import tree_game
from ponder.search import reference
from ponder.search.classical import StarSearcher
from reference.nested_tree import nested_trees

TINY = 64 / (1 << 20)  # megabytes: a table of two entries
VARIANTS = [(p, memory) for p in ("none", "star1", "star2") for memory in (None, TINY, 1.0)]


def tree(nested: Any, players: int = 2) -> Position:
    return Position(tree_game(nested, players))


def searcher(s: Position, pruning: str, memory: float | None, depth: int = 60) -> StarSearcher:
    method = Expectiminimax(pruning=pruning, table=memory is not None).method()
    return StarSearcher(s, method, Limit(depth=depth, memory=memory))


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
