"""Recordings tell the statistics of every moment; reasons are the select rule's own terms."""

from __future__ import annotations

import math

import pytest

from ponder import MCTS, InputError, position
from ponder.core.registry import parse_engine
from ponder.mcts.recording import Recording, Replay, first_difference
from ponder.mcts.why import why

START = position("tictactoe")


def recorded(engine="mcts()", simulations=300, seed=1):
    log = Recording()
    result = parse_engine(engine).search(START, simulations=simulations, seed=seed, trace=log)
    return log, result


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


def test_a_recording_changes_nothing_of_the_search():
    assert recorded()[1].moves == MCTS().search(START, simulations=300, seed=1).moves


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
    for bad, complaint in [
        (text[:-30], "line 21 of .* is not a simulation"),
        ("", "not a recorded search"),
        ("{}\n", "not a recorded search"),
    ]:
        file.write_text(bad)
        with pytest.raises(InputError, match=complaint):
            Replay.load(file)


def test_several_threads_are_not_recorded():
    with pytest.raises(InputError, match="one thread"):
        MCTS(threads=2).search(START, simulations=10, trace=Recording())


# ------------------------------------------------------------------ reasons


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
