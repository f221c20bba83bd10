"""Sessions of Monte Carlo tree search: run, stepped, switched, rewound, forked, saved."""

from __future__ import annotations

import json
import re
import threading
import zlib
from pathlib import Path

import numpy as np
import pytest

from ponder import MCTS, InputError, Limit, Session, Sessions, position
from ponder.backup import Max, Mean, Mix
from ponder.core.session import Capability
from ponder.evaluate import Function, Outside
from ponder.expand import AllChildren
from ponder.mcts.session import DEFAULT_MEMORY
from ponder.presets import crazy_stone
from ponder.priors import GivenPriors
from ponder.select import PUCT, UCB1

START = position("tictactoe")


def started(**more):
    return MCTS().start(START, seed=5, **more)


@pytest.mark.plain
def test_a_session_run_in_pieces_is_one_search():
    whole = MCTS().search(START, simulations=500, seed=5)
    session = started()
    for n in (1, 99, 200):
        assert session.run(simulations=n) == "simulations"
    for _ in range(200):
        session.step()
    result = session.result()
    assert (result.moves, result.values, result.line) == (whole.moves, whole.values, whole.line)
    assert (session.moment, result.simulations) == (500, 500)


def test_the_result_while_it_runs_is_that_of_the_moment():
    session = started()
    stop, seen = threading.Event(), []
    thread = threading.Thread(target=lambda: session.run(seconds=60, stop=stop))
    thread.start()
    while len(seen) < 20:
        found = session.result()
        # the root's visits are those of its moves: no half of a simulation is seen
        assert sum(row.visits for row in found.moves) == found.simulations
        seen.append(found.simulations)
    session.stop()
    thread.join()
    assert seen == sorted(seen)
    assert not session.running


def test_a_running_session_refuses_everything_but_looking():
    session = started()
    thread = threading.Thread(target=lambda: session.run(seconds=60))
    thread.start()
    while not session.running:
        pass
    for call in (session.step, lambda: session.rewind(0), lambda: session.run(simulations=1)):
        with pytest.raises(InputError, match="running"):
            call()
    session.stop()
    thread.join()


@pytest.mark.plain
def test_rewinding_leads_to_the_very_same_moment():
    session = started()
    session.run(simulations=300)
    nodes = session._run.store.nodes.copy()
    session.run(simulations=700)
    last = session.result().moves
    session.rewind(300)
    assert (session._run.store.nodes == nodes).all()
    session.rewind(1000)
    assert session.result().moves == last


@pytest.mark.plain
def test_the_future_is_forgotten_where_another_way_is_taken():
    session = started()
    session.run(simulations=100)
    session.change(backup=Max())
    session.run(simulations=100)
    session.rewind(50)
    assert (session.furthest, session.history.changes) == (200, ())
    session.rewind(200)
    assert len(session.history.changes) == 1
    session.rewind(50)
    session.step()
    assert session.furthest == 51
    with pytest.raises(InputError, match="moments run from 0 to 51"):
        session.rewind(200)


@pytest.mark.plain
def test_rewinding_to_a_change_undoes_it():
    session = started()
    session.run(simulations=100)
    before = session.result().values
    session.change(backup=Max())
    changed = session.result().values
    assert changed != before
    session.rewind(100)
    assert (session.result().values, session.history.changes) == (before, ())
    session.rewind(session.furthest, after=True)
    assert session.result().values == changed


@pytest.mark.plain
def test_a_fork_goes_its_own_way():
    session = started()
    session.run(simulations=100)
    twin = session.fork()
    session.run(simulations=100)
    assert twin.moment == 100
    twin.run(simulations=100)
    assert twin.result().moves == session.result().moves


@pytest.mark.plain
def test_saved_and_loaded_it_is_the_same(tmp_path):
    session = started()
    session.run(simulations=60)
    session.change(backup=Mix())
    session.run(simulations=60)
    session.save(tmp_path / "a.session")
    loaded = Session.load(tmp_path / "a.session")
    assert loaded.history.to_json() == session.history.to_json()
    assert loaded.result().moves == session.result().moves


@pytest.mark.plain
@pytest.mark.parametrize("altered", ["at", "seed", "engine"])
def test_an_altered_file_is_refused(tmp_path, altered):
    session = started()
    session.run(simulations=20)
    path = tmp_path / "a.session"
    session.save(path)
    path.write_text(path.read_text().replace(f'"{altered}"', '"x"'))
    with pytest.raises(InputError, match="not a saved session, or damaged"):
        Session.load(path)


@pytest.mark.plain
def test_a_file_of_another_version_is_refused_with_its_name(tmp_path):
    path = tmp_path / "a.session"
    text = json.dumps({"format": "ponder session 2"})
    path.write_text(f"{text}\n{json.dumps({'checksum': zlib.crc32(text.encode())})}\n")
    with pytest.raises(InputError, match="another version of Ponder, as 'ponder session 2'"):
        Session.load(path)


def test_switching_to_max_lifts_the_value_of_the_gem_at_once():
    """The first source: after 150 simulations with mix, max takes the luckiest playout for true."""
    lifted, runs = 0, 60
    for seed in range(runs):
        session = crazy_stone().start(position("gem"), seed=seed, switchable=True)
        session.run(simulations=150)
        session.change(backup=Max(points=1))
        lifted += session.result().root_value > 0.6
    assert lifted >= 0.9 * runs


def test_a_switched_backup_is_what_it_would_have_been_throughout():
    """Where every node is chosen alike, only the backup differs: the values must be the same."""
    for after, exact in ((Max(), True), (Mean(), True)):
        session = MCTS(select=UCB1(c=1e6), backup=Mean()).start(START, seed=2, switchable=True)
        session.run(simulations=400)
        session.change(backup=after)
        whole = MCTS(select=UCB1(c=1e6), backup=after).search(START, simulations=400, seed=2)
        found = session.result()
        assert [row.visits for row in found.moves] == [row.visits for row in whole.moves]
        assert found.values == pytest.approx(whole.values, abs=1e-12), exact


def test_what_cannot_be_changed_is_said():
    session = started()
    with pytest.raises(InputError, match="change takes select, expand, evaluate, backup, decide"):
        session.change(threads=2)
    with pytest.raises(InputError, match="change takes parts by name"):
        session.change()
    with pytest.raises(InputError, match=r"ucb1\(\) is a select rule, not a backup rule"):
        session.change(backup=UCB1())
    assert session.history.changes == ()
    session.run(simulations=10)  # nothing is broken


@pytest.mark.plain
def test_threads_are_not_repeatable_and_say_so():
    session = MCTS(threads=2).start(START, seed=1)
    session.run(simulations=500)
    assert session.capabilities is Capability.TREE
    for call in (session.step, session.fork, lambda: session.change(backup=Max())):
        with pytest.raises(InputError, match="a session of mcts here cannot"):
            call()
    assert session.result().simulations == 500


def test_the_snapshot_holds_the_most_visited_nodes():
    session = started()
    session.run(simulations=3000)
    rows = session.nodes(50)
    tree = session.tree()
    least = rows.visits.min()
    every = {node.index: node for node in tree.walk()}
    assert len(rows) <= 50
    assert set(rows.node) == {i for i, node in every.items() if node.visits >= least}
    for row in rows:
        node = every[row.node]
        assert (row.visits, row.depth, row.player) == (node.visits, node.depth, node.player)
        assert row.value == pytest.approx(node.value)
        parent = -1 if node.parent is None else rows[row.parent].node
        assert parent == (-1 if node.parent is None else node.parent.index)
        assert row.untried == sum(child.visits == 0 for child in node.children)
    assert len(session.nodes(10**6)) == len(every)


@pytest.mark.plain
def test_events_tell_each_simulation_and_why():
    session = started(switchable=True)
    session.run(simulations=60)
    events = session.events(reasons=True)
    for moment in range(1, 61):
        mine = [event for event in events if event.moment == moment]
        (evaluated,) = (event for event in mine if event.kind == "evaluated")
        kinds = [event.kind for event in mine]
        assert kinds.count("selected") == kinds.count("backed_up") == len(evaluated.path)
        chosen = [event for event in mine if event.kind == "selected"]
        assert chosen[-1].path == evaluated.path
        end = START.play_all([*evaluated.path, *evaluated.facts.get("moves", ())])
        assert end.returns == evaluated.facts["values"], "the random game leads to its result"
        for event in chosen:
            rows = event.facts.get("candidates")
            if rows:  # UCB1: an untried child if there is one, else the highest score
                first = rows[0]
                (taken,) = (row for row in rows if row["name"] == event.path[-1])
                assert (taken["score"], taken["remark"]) == (first["score"], first["remark"])


@pytest.mark.plain
def test_events_begin_anywhere_and_know_of_changes():
    session = started()
    session.run(simulations=20)
    session.change(backup=Max())
    session.run(simulations=5)
    late = session.events(since=22)
    assert late == [event for event in session.events() if event.moment > 22]
    (changed,) = (event for event in session.events(18) if event.kind == "changed")
    assert (changed.moment, changed.facts) == (20, {"backup": "max()"})
    assert session.moment == 25, "looking changes nothing"


def uniform(positions):
    return [[0.1, -0.1]] * len(positions)


@pytest.mark.plain
def test_evaluation_from_outside_is_a_function_turned_inside_out():
    inside = MCTS(evaluate=Function(uniform, batch=4)).start(START, seed=9)
    inside.run(simulations=120)
    outside = MCTS(evaluate=Outside(batch=4)).start(START, seed=9)
    while outside.moment < inside.moment:
        waiting = outside.leaves()
        if len(waiting):
            outside.answer(uniform(waiting))
    assert outside.moment == inside.moment
    assert outside.result().moves == inside.result().moves


@pytest.mark.plain
def test_many_sessions_are_answered_in_one_batch():
    def network(states):
        n = len(states)
        return np.tile([0.2, -0.2], (n, 1)), np.tile(np.arange(1.0, 10.0), (n, 1))

    rule = MCTS(select=PUCT(), expand=AllChildren(GivenPriors()), evaluate=Outside(batch=2))
    alone = rule.start(START, seed=1)
    many = Sessions([rule.start(START.play("b2"), seed=0), rule.start(START, seed=1)])
    for _ in range(30):
        states = alone.leaves()
        if len(states):
            alone.answer(*network(states))
        states = many.leaves()
        if len(states):
            many.answer(*network(states))
    assert many.sessions[1].result().moves == alone.result().moves
    assert alone.result().simulations > 30
    with pytest.raises(InputError, match="wait for an answer, not 1"):
        many.answer([[0.0, 0.0]])


def test_an_answer_out_of_range_is_refused_and_can_be_given_again():
    session = MCTS(evaluate=Outside()).start(START, seed=1)
    session.leaves()
    with pytest.raises(Exception, match="gave the value 2; utilities are from -1 to 1"):
        session.answer([[2.0, -2.0]])
    session.answer([[0.5, -0.5]])
    assert session.moment == 1


def test_the_memory_cap_of_a_session_is_kept():
    assert DEFAULT_MEMORY == 1024.0
    session = MCTS().start(position("connect4"), seed=1, plan=Limit(memory=1))
    session.run(simulations=60_000)
    assert session.result().memory <= 1 << 20


def test_the_page_about_sessions_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    page = Path(__file__).parents[2] / "docs" / "sessions.md"
    names: dict[str, object] = {"__name__": "page"}
    for block in re.findall(r"^```python\n(.*?)^```$", page.read_text(), re.MULTILINE | re.DOTALL):
        exec(compile(block, str(page), "exec"), names)
    out = capsys.readouterr().out
    assert "20001" in out
    before, after = map(float, re.search(r"(\S+) -> (\S+); the truth", out).groups())
    assert before < 0.6 < after


@pytest.mark.plain
def test_what_is_kept_for_switching_changes_nothing_where_the_memory_is_full():
    engine = MCTS(memory=0.02)
    fresh, session = (engine.start(START, seed=5) for _ in range(2))
    fresh.run(simulations=900)
    assert "dropped" in fresh.result().notes[0], "the tree was to become full"
    session.run(simulations=900)
    session.change(backup=Max())  # from now on with notes
    session.run(simulations=1)
    session.rewind(900)
    kept = engine.start(START, seed=5, switchable=True)
    kept.run(simulations=900)
    for one in (session, kept):
        found, wanted = (which.result().to_json() for which in (one, fresh))
        taken = {name: found[name] for name in ("seconds", "stopped_by")}
        assert found == {**wanted, **taken}
