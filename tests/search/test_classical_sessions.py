"""Sessions of the classical searches: a fresh run of the history agrees with whatever was done."""

from __future__ import annotations

import gc
import os
import signal
import tempfile
import threading
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from plain_games import Countdown, EinStein
from ponder import InputError, Limit, position, solve, value_iteration
from ponder.core.registry import ENGINES, parse_engine
from ponder.core.session import Session
from ponder.search.solve import start_solving

SESSIONS = [
    ("alphabeta()", "connect4(columns=4, rows=4)"),
    ("alphabeta(table=False, deepen=False)", "connect4(columns=4, rows=4)"),
    ("alphabeta(mtdf=True)", "connect4(columns=4, rows=4)"),
    ("minimax()", "connect4(columns=4, rows=4)"),
    ("maxn()", "connect4(columns=3, rows=3, run=3, players=3)"),
    ("expectiminimax()", "pig(target=6)"),
    ("paranoid()", "connect4(columns=3, rows=3, run=3, players=3)"),
    ("best_reply()", "connect4(columns=3, rows=3, run=3, players=3)"),
]


def begun(engine, game, depth=None):
    return parse_engine(engine).start(position(game), seed=1, plan=Limit(depth=depth))


def facts(session):
    """All that a result says, but for the time it took and what ended it."""
    data = session.result().to_json()
    return {k: v for k, v in data.items() if k not in ("seconds", "stopped_by")}


ACTIONS = st.lists(
    st.one_of(
        st.tuples(st.just("nodes"), st.integers(1, 400)),
        st.tuples(st.just("depth"), st.integers(1, 4)),
        st.tuples(st.just("step"), st.integers(1, 3)),
        st.tuples(st.just("rewind"), st.floats(0, 1)),
        st.tuples(st.sampled_from(["fork", "save", "result", "events"]), st.just(0)),
    ),
    min_size=1,
    max_size=7,
)


@pytest.mark.parametrize(("engine", "game"), SESSIONS)
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(actions=ACTIONS)
def test_a_fresh_run_of_the_history_agrees_with_whatever_was_done(engine, game, actions):
    session = begun(engine, game)
    for action, amount in actions:
        if action == "nodes":
            before = session.moment
            reason = session.run(nodes=amount)
            assert session.moment == before + amount or reason in ("solved", "depth")
        elif action == "depth":
            session.run(depth=amount)
        elif action == "step":
            for _ in range(amount):
                before = session.moment
                assert session.step() == session.moment <= before + 1
        elif action == "rewind":
            to = int(amount * session.furthest)
            session.rewind(to)
            assert session.moment == to
        elif action == "fork":
            session = session.fork()
        elif action == "result":
            session.result()  # asking changes nothing
        elif action == "events":
            entered = [e for e in session.events() if e.kind == "enter"]
            assert [e.moment for e in entered] == list(range(1, session.moment + 1))
        else:
            with tempfile.TemporaryDirectory() as folder:
                session.save(Path(folder) / "a.session")
                session = Session.load(Path(folder) / "a.session")
    fresh = begun(engine, game, depth=session.history.depth)
    if session.moment:
        fresh.run(nodes=session.moment)
    assert fresh.moment == session.moment
    assert facts(fresh) == facts(session)


@pytest.mark.parametrize(("engine", "game"), SESSIONS)
def test_a_search_in_pieces_finds_what_a_search_at_once_finds(engine, game):
    whole = parse_engine(engine).search(position(game), depth=4)
    session = begun(engine, game, depth=4)
    while session.run(nodes=97, depth=4) == "nodes":
        pass
    found = session.result()
    assert (found.nodes, found.value, found.line) == (whole.nodes, whole.value, whole.line)
    assert (found.depth, found.deepest) == (whole.depth, whole.deepest)


def test_plain_python_games_have_the_same_sessions():
    session = parse_engine("alphabeta()").start(position(Countdown(pile=15)))
    session.run(nodes=50)
    seen = session.result()
    session.run(nodes=20)
    session.rewind(50)
    assert session.result().line == seen.line
    assert session.run(depth=30) == "solved"
    assert session.result().value == solve(position(Countdown(pile=15))).value


def test_depth_is_the_finished_one_and_deepest_the_farthest_node():
    result = parse_engine("alphabeta()").search(position("connect4"), depth=3)
    assert (result.depth, result.deepest) == (3, 3)
    session = begun("minimax()", "connect4")
    session.run(depth=3)
    session.run(nodes=30)
    assert (session.result().depth, session.result().deepest) == (3, 4)


# ------------------------------------------------------------ while it runs


def test_any_thread_may_ask_and_stop_while_it_runs():
    session = begun("alphabeta()", "connect4")
    reasons = []
    runner = threading.Thread(target=lambda: reasons.append(session.run(seconds=60)))
    runner.start()
    while session.moment < 1000:
        time.sleep(0.001)
    seen = [session.result() for _ in range(5)]
    assert all(result.action in session.position.legal_actions for result in seen)
    assert [r.nodes for r in seen] == sorted(r.nodes for r in seen)
    with pytest.raises(InputError, match="is running"):
        session.step()
    session.stop()
    runner.join(20)
    assert reasons == ["stop"]
    at_rest = session.moment
    time.sleep(0.05)
    assert session.moment == at_rest
    assert facts(session) == facts(session.fork())


def test_ctrl_c_ends_a_run_and_the_session_goes_on_afterwards():
    session = begun("minimax()", "connect4")
    session.run(nodes=10)
    timer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    assert session.run(seconds=60) == "interrupt"
    timer.join()
    before = session.moment
    assert session.run(nodes=10) == "nodes"
    assert session.moment == before + 10


def test_a_dropped_session_leaves_no_thread_behind():
    begun("alphabeta()", "connect4").run(nodes=1)  # the thread that listens to Ctrl-C stays
    gc.collect()
    time.sleep(0.2)
    before = threading.active_count()
    session = begun("alphabeta()", "connect4")
    session.run(nodes=5000)
    session.rewind(10)
    twin = session.fork()
    assert threading.active_count() > before
    del session, twin
    gc.collect()
    end = time.monotonic() + 20
    while threading.active_count() > before and time.monotonic() < end:
        time.sleep(0.01)
    assert threading.active_count() == before
    parse_engine("alphabeta()").search(position("connect4"), nodes=5000)
    assert threading.active_count() == before


# ------------------------------------------------------------ every engine


@pytest.mark.parametrize("name", [n for n in ENGINES if n != "book"])
def test_every_engine_starts_a_session(name):
    if name.startswith("openspiel"):
        pytest.importorskip("pyspiel")
    here = position("tictactoe").play_all("b2 a1 c1 a3 b3 b1")
    session = parse_engine(name).start(here, seed=1)
    assert session.moment == 0
    limit = {"simulations": 50} if "mcts" in name or name == "strong" else {"depth": 9}
    session.run(**limit)
    assert session.result().action in here.legal_actions


# ------------------------------------------------------------ solving


@pytest.mark.parametrize(
    ("game", "method"),
    [
        ("connect4(columns=4, rows=4)", None),
        ("tictactoe", "proof-number"),
        ("pig(target=4)", "value-iteration"),
        ("pig(target=3, sides=2, horizon=6)", "expectiminimax"),
        ("connect4(columns=3, rows=3, run=3, players=3)", None),
    ],
)
def test_solving_in_pieces_gives_the_same_solution(game, method):
    whole = solve(position(game), method=method)
    session = start_solving(position(game), method=method)
    seen = session.result()
    while session.run(nodes=1 + session.moment) == "nodes":
        seen = session.result()
        assert whole.value is None or seen.low - 1e-9 <= whole.value <= seen.high + 1e-9
    found = session.result()
    assert (found.value, found.moves) == (whole.value, whole.moves)
    session.rewind(session.moment // 2)
    session.run()
    assert session.result().moves == whole.moves


def first_knowledge(here, known):
    """What is known when, for the first time, `known(found)`."""
    session = start_solving(here, memory=8)
    while session.run(nodes=1000) == "nodes":
        found = session.result()
        assert -1 <= found.low <= found.high <= 1
        if known(found):
            return found
    return pytest.fail("solved at once")


def test_what_is_not_solved_in_time_has_bounds():
    found = first_knowledge(position("connect4(columns=6, rows=5)"), lambda f: f.high < 1)
    assert (found.value, found.low, found.high) == (None, -1, 0)  # it is a draw
    data = found.to_json()
    assert (data["value"], data["low"], data["high"]) == (None, -1, 0)


def test_what_is_not_solved_in_time_has_the_best_move_so_far():
    here = position("connect4(columns=6, rows=4)").play("1")
    found = first_knowledge(here, lambda f: f.low == 1)
    assert (found.value, found.distance) == (1, None)  # a win, nobody knows how soon
    assert found.best == ()
    assert solve(here.play(found.move), memory=8).value == -1
    assert found.to_json()["move"] == here.action_name(found.move)


def test_value_iteration_stops_and_tells_where_it_is():
    stop, told = threading.Event(), []

    def listen(progress):
        told.append(progress.doing)
        stop.set()

    many = position("pig(target=400)")
    with pytest.raises(InputError, match="positions were listed"):
        value_iteration(many, hold=("decisions",), stop=stop, progress=listen)
    assert "positions listed" in told[0]
    session = start_solving(position("pig(target=10)"), hold=("decisions",))
    while session.run(nodes=500) == "nodes" and "sweep" not in session._run.told(0.0).doing:
        pass
    session.run(nodes=2000)
    some = session.result()
    session.run()
    assert some.low <= session.result().value <= some.high
    assert session.result().stopped_by == "solved"


@pytest.mark.plain
@pytest.mark.parametrize("engine", ["alphabeta()", "minimax()", "plain_alphabeta()"])
@pytest.mark.parametrize("game", ["pig", "twenty48", EinStein])
def test_a_search_without_dice_is_not_even_started_where_they_are_ahead(engine, game):
    start = position(game)
    while start.is_chance:
        start = start.play(start.legal_actions[0])
    with pytest.raises(InputError, match="cannot handle chance; for this game use expectiminimax"):
        parse_engine(engine).start(start)


@pytest.mark.plain
def test_a_tree_that_has_no_dice_is_searched_by_all():
    start = position("tree('[[3, 12], [2, 4]]')")
    session = parse_engine("alphabeta()").start(start)
    session.run(depth=2)
    assert session.result().value == 3.0
