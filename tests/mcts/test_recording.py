"""Recordings tell the statistics of every moment; reasons are the select rule's own terms."""

from __future__ import annotations

import math

import pytest

from ponder import MCTS, InputError, position
from ponder.core.registry import parse_engine
from ponder.mcts.evaluate.function import Function
from ponder.mcts.evaluate.rollout import Rollout
from ponder.mcts.recording import Recording, Replay, first_difference
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


def recorded(engine="mcts()", simulations=300, seed=1):
    log = Recording()
    result = parse_engine(engine).search(START, simulations=simulations, seed=seed, trace=log)
    return log, result


@pytest.mark.plain
def test_a_replay_gives_the_statistics_of_the_tree(tmp_path):
    log, result = recorded()
    log.save(tmp_path / "a.jsonl")
    replay = Replay.load(tmp_path / "a.jsonl")
    assert replay.position == START
    found = replay.at(300)
    for node in result.tree.walk():
        path, above = [], node
        while above.parent is not None:
            path.append(above.name)
            above = above.parent
        if path:
            seen = found.pop(tuple(reversed(path)))
            assert seen.visits == node.visits
            assert seen.means[node.player] == pytest.approx(node.value)
    assert list(found) == [()]
    assert len(replay.at(10)) < len(replay.at(300))
    with pytest.raises(InputError, match="there are 300 simulations"):
        replay.at(301)


@pytest.mark.plain
def test_a_recording_changes_nothing_of_the_search():
    assert recorded()[1].moves == MCTS().search(START, simulations=300, seed=1).moves


@pytest.mark.plain
def test_the_first_difference_of_two_searches_is_found(tmp_path):
    one, two = recorded(), recorded(engine="mcts(select=ucb1(c=0.1))")
    replays = [Replay(log.head, log.simulations) for log, _ in (one, two)]
    assert first_difference(replays[0], replays[0]) is None
    found = first_difference(*replays)
    assert found.number > 9, "every move is tried first"
    assert found.one.path != found.two.path


def test_files_that_are_no_recordings_are_refused(tmp_path):
    file = tmp_path / "a.jsonl"
    recorded(simulations=20)[0].save(file)
    text = file.read_text()
    lines = text.splitlines(keepends=True)
    for bad, complaint in [
        (text[:-30], "damaged"),
        ("".join(lines[:-1]), "damaged"),
        ("".join(lines[:10]), "damaged"),
        (text.replace('"visits": [1]', '"visits": [2]', 1), "damaged"),
        ("", "not a recorded search"),
        ("{}\n", "not a recorded search"),
    ]:
        file.write_text(bad)
        with pytest.raises(InputError, match=complaint):
            Replay.load(file)


@pytest.mark.plain
@pytest.mark.parametrize(
    "change",
    [
        {"values": (math.nan, 0.0)},
        {"values": (1.0,)},
        {"worth": (math.inf,)},
        {"visits": ()},
        {"path": ("e4",)},
        {"number": 7},
    ],
)
def test_what_cannot_be_a_simulation_is_refused_though_the_checksum_is_right(tmp_path, change):
    log = recorded(simulations=20)[0]
    log.simulations[4] = log.simulations[4]._replace(**change)
    log.save(tmp_path / "a.jsonl")
    with pytest.raises(InputError, match=r"line 6 of .* is not a simulation"):
        Replay.load(tmp_path / "a.jsonl")


def final_table(log, file):
    """Visits and values of the root moves at the end of the recording, read from a file."""
    log.save(file)
    replay = Replay.load(file)
    found = replay.at(len(replay.simulations))
    return {path[0]: seen[:2] for path, seen in found.items() if len(path) == 1}


def table(result):
    return {row.name: (row.visits, row.value) for row in result.moves if row.visits}


@pytest.mark.plain
@pytest.mark.parametrize(
    "engine",
    [
        "mcts()",
        "mcts(backup=mix())",
        "mcts(backup=discounted(gamma=0.9))",
        "mcts(backup=solver())",
        "mcts(transpositions=True)",
    ],
)
def test_a_replay_ends_with_the_table_of_the_search(tmp_path, engine):
    log, result = recorded(engine)
    assert final_table(log, tmp_path / "a.jsonl") == table(result)


def test_a_recycled_tree_is_recorded(tmp_path):
    log = Recording()
    start = position("connect4")
    result = MCTS().search(start, simulations=3000, seed=1, memory=0.02, trace=log)
    assert "dropped" in result.notes[0]
    assert final_table(log, tmp_path / "a.jsonl") == table(result)
    assert any(one.dropped for one in log)
    assert {one.added for one in log} <= set(range(8))
    assert 1 + sum(one.added - one.dropped for one in log) == result.tree.size


@pytest.mark.plain
def test_a_search_that_goes_on_is_recorded_from_where_it_began(tmp_path):
    first = MCTS().search(START, simulations=200, seed=1)
    log = Recording()
    result = MCTS().search(START, simulations=100, seed=2, tree=first.tree, trace=log)
    assert final_table(log, tmp_path / "a.jsonl") == table(result)
    begun = Replay(log.head, log.simulations).at(0)
    assert {path[0]: seen[:2] for path, seen in begun.items()} == table(first)


def even(positions):
    return [[0.25, -0.25] for _ in positions]


@pytest.mark.plain
def test_a_function_is_recorded_one_leaf_at_a_time(tmp_path):
    log = Recording()
    result = MCTS(evaluate=even).search(START, simulations=300, seed=1, trace=log)
    assert final_table(log, tmp_path / "a.jsonl") == table(result)
    assert len(log) == result.simulations == 300
    with pytest.raises(InputError, match="needs batch=1, not 8"):
        MCTS(evaluate=Function(even, batch=8)).search(START, simulations=9, trace=Recording())


@pytest.mark.plain
@pytest.mark.parametrize("evaluate", [Rollout(), Function(even)])
def test_a_plain_game_is_recorded(evaluate):
    log = Recording()
    engine = MCTS(evaluate=evaluate)
    result = engine.search(position(Counters()), simulations=300, seed=1, trace=log)
    assert result.moves == engine.search(position(Counters()), simulations=300, seed=1).moves
    found = Replay(log.head, log.simulations).at(300)
    assert {p[0]: s[:2] for p, s in found.items() if len(p) == 1} == table(result)
    assert 1 + sum(one.added for one in log) == result.tree.size
    for node in result.tree.walk():
        path, above = [], node
        while above.parent is not None:
            path.insert(0, above.name)
            above = above.parent
        if path:
            assert found[tuple(path)].visits == node.visits


@pytest.mark.parametrize("parallel", ["tree", "root", "leaf"])
def test_several_threads_are_not_recorded(parallel):
    with pytest.raises(InputError, match="one thread"):
        MCTS(threads=2, parallel=parallel).search(START, simulations=10, trace=Recording())


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
    for simulations in (50, 120, 333):
        before = recorded(engine, simulations)[1]
        after = recorded(engine, simulations + 1)[0].simulations[-1]
        assert why(before.tree)[0].name == after.path[0]
