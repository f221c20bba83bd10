"""Events tell the statistics of every moment; reasons are the select rule's own terms."""

from __future__ import annotations

import math

import pytest

from ponder import MCTS, InputError, Limit, position
from ponder.core.registry import parse_engine
from ponder.mcts.evaluate.function import Function
from ponder.mcts.evaluate.rollout import Rollout
from ponder.mcts.why import why

START = position("tictactoe")


class Counters:
    """Take 1, 2 or 3 of 12 counters; the last one wins."""

    def start(self):
        return 12, 0

    def current_player(self, state):
        return state[1]

    def legal_actions(self, state):
        return [n for n in (1, 2, 3) if n <= state[0]]

    def apply_action(self, state, n):
        return state[0] - n, 1 - state[1]

    def is_terminal(self, state):
        return state[0] == 0

    def returns(self, state):
        return (1, -1) if state[1] else (-1, 1)


def run(engine="mcts()", simulations=300, start=START, **given):
    made = parse_engine(engine) if isinstance(engine, str) else engine
    session = made.start(start, seed=1, **given)
    session.run(simulations=simulations)
    return session


def statistics(events):
    """Visits and value of every node that was passed, after the last of the events."""
    passed = (event for event in events if event.kind == "backed_up")
    return {event.path: (event.facts["visits"], event.facts["value"]) for event in passed}


def table(session):
    return {(row.name,): (row.visits, row.value) for row in session.result().moves if row.visits}


def path_to(node):
    return () if node.parent is None else (*path_to(node.parent), node.name)


def added(events):
    return sum(event.facts["added"] for event in events if event.kind == "expanded")


@pytest.mark.plain
def test_events_add_up_to_the_tree():
    session = run()
    events = session.events()
    found, tree = statistics(events), session.tree()
    sums = {}
    for event in events:
        if event.kind == "evaluated":
            for length in range(1, len(event.path) + 1):
                sums.setdefault(event.path[:length], []).append(event.facts["values"])
    for node in tree.walk():
        if node.parent is not None:
            path = path_to(node)
            assert found.pop(path) == (node.visits, node.value)
            mine = [values[node.player] for values in sums[path]]
            assert sum(mine) / len(mine) == pytest.approx(node.value)
    assert not found
    assert 1 + added(events) == tree.size


@pytest.mark.plain
@pytest.mark.parametrize(
    "engine",
    [
        "mcts(backup=mix())",
        "mcts(backup=discounted(gamma=0.9))",
        "mcts(backup=solver())",
        "mcts(transpositions=True)",
    ],
)
def test_the_last_events_are_the_table_of_the_search(engine):
    session = run(engine)
    found = statistics(session.events())
    assert {path: seen for path, seen in found.items() if len(path) == 1} == table(session)


def test_a_recycled_tree_tells_what_is_made_anew():
    session = run(simulations=3000, start=position("connect4"), plan=Limit(memory=0.02))
    result, events = session.result(), session.events(since=2000)
    assert "dropped" in result.notes[0]
    assert table(session).items() <= statistics(session.events()).items()
    assert all(0 < event.facts["added"] < 8 for event in events if event.kind == "expanded")


@pytest.mark.plain
def test_a_search_that_goes_on_tells_what_it_adds():
    first = run(simulations=200)
    session = run(simulations=100, tree=first.tree())
    assert table(session) == table(first) | {
        path: seen for path, seen in statistics(session.events()).items() if len(path) == 1
    }


def even(positions):
    return [[0.25, -0.25] for _ in positions]


@pytest.mark.plain
def test_a_function_is_watched_one_leaf_at_a_time():
    session = run(MCTS(evaluate=Function(even)))
    found = statistics(session.events())
    assert {path: seen for path, seen in found.items() if len(path) == 1} == table(session)
    with pytest.raises(InputError, match="cannot tell what happened step by step"):
        run(MCTS(evaluate=Function(even, batch=8)), 8).events()


@pytest.mark.plain
@pytest.mark.parametrize("evaluate", [Rollout(), Function(even)])
def test_a_plain_game_tells_its_events(evaluate):
    session = run(MCTS(evaluate=evaluate), start=position(Counters()))
    events, tree = session.events(), session.tree()
    found = statistics(events)
    assert found == {path_to(n): (n.visits, n.value) for n in tree.walk() if n.parent is not None}
    assert 1 + added(events) == tree.size


@pytest.mark.parametrize("parallel", ["tree", "root", "leaf"])
def test_several_threads_tell_no_events(parallel):
    with pytest.raises(InputError, match="cannot tell what happened"):
        MCTS(threads=2, parallel=parallel).start(START).events()


# ------------------------------------------------------------------ reasons


@pytest.mark.plain
def test_the_terms_of_ucb1_are_mean_and_bonus():
    result = MCTS().search(START, simulations=500, seed=1)
    rows = why(result.tree)
    children = {c.name: c for c in result.tree.root.children}
    for row in rows:
        child = children[row.name]
        bonus = 2.0 * math.sqrt(math.log(501) / child.visits)
        assert sorted(row.terms.values()) == pytest.approx(sorted([child.value, bonus]))
        assert row.score == pytest.approx(child.value + bonus)
    assert [row.score for row in rows] == sorted((row.score for row in rows), reverse=True)


@pytest.mark.parametrize("engine", ["mcts()", "mcts(select=puct(), expand=all_children())"])
def test_the_highest_score_is_what_the_rule_selects_next(engine):
    session = run(engine, 333)
    first = {e.moment: e.path[0] for e in session.events() if e.kind == "selected"}
    for simulations in (50, 120, 332):
        session.rewind(simulations)
        assert why(session.tree())[0].name == first[simulations + 1]
