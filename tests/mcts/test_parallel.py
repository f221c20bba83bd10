"""Several threads: no visit is lost, sums are right, searches end when told."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from ponder import MCTS, InputError, position
from ponder.core.parts import canonical
from ponder.core.registry import parse_engine
from ponder.mcts.parallel import AT_ONCE
from ponder.mcts.parts import parts_of
from ponder.mcts.run import new_work
from ponder.mcts.threads import shares, works_of_a_thread

START = position("tictactoe")


def test_shares_are_nearly_equal_and_add_up():
    for n in (0, 1, 7, 100):
        for parts in (1, 2, 3, 8):
            made = shares(n, parts)
            assert sum(made) == n
            assert max(made) - min(made) <= 1


@pytest.mark.parametrize("parts", [1, 2, 5, 16, 32])
def test_no_share_falls_when_there_is_more_to_share(parts):
    for n in range(200):
        less, more = shares(n, parts), shares(n + 1, parts)
        assert all(a <= b for a, b in zip(less, more, strict=True))


def memories(text):
    """What two threads keep for the parts of this engine."""
    start = position("connect4")  # which has an evaluation function
    parts = parts_of(canonical(parse_engine(text)), start)
    work = new_work(parts, start.rules.spec, start)
    return [works_of_a_thread(work, 1)[0].memory for _ in range(2)]


@pytest.mark.parametrize("rule", ["decisive()", "blend()", "blend(evaluate=decisive())"])
def test_no_thread_tries_moves_where_another_does(rule):
    one, two = memories(f"mcts(evaluate={rule}, backup=solver())")
    for mine, other in ((one.evaluate, two.evaluate), (one.backup, two.backup)):
        arrays = list(leaves_of(mine))
        assert arrays
        for a in arrays:
            assert not any(np.shares_memory(a, b) for b in leaves_of(other))


def leaves_of(memory):
    """All arrays in it."""
    for value in memory:
        if isinstance(value, np.ndarray):
            yield value
        elif isinstance(value, tuple):
            yield from leaves_of(value)


def test_what_is_learnt_is_learnt_for_all_threads():
    one, two = memories("mcts(evaluate=mast())")
    assert all(a is b for a, b in zip(one.evaluate, two.evaluate, strict=True))


@pytest.mark.parametrize("threads", [2, 4])
def test_no_visit_is_lost_in_a_shared_tree(threads):
    for seed in range(100):
        result = MCTS(threads=threads).search(START, simulations=2000, seed=seed)
        root = result.tree.root
        assert root.visits == 2000 == sum(c.visits for c in root.children)


def test_every_node_of_a_shared_tree_adds_up():
    result = MCTS(threads=4).search(START, simulations=20_000, seed=1)
    for node in result.tree.walk():
        assert -1 <= (node.value or 0.0) <= 1
        if node.is_expanded:
            # visits that came while another thread made the children stay with the node
            below = sum(c.visits for c in node.children)
            assert 0 <= node.visits - below <= 4 * AT_ONCE
            assert {c.action for c in node.children} == set(node.position.legal_actions)


def test_trees_of_their_own_repeat_with_the_seed():
    engine = MCTS(threads=2, parallel="root")
    one, two = (engine.search(START, simulations=3001, seed=5) for _ in range(2))
    assert one.moves == two.moves
    assert sum(row.visits for row in one.moves) == 3001
    assert one.tree.root.visits == 3001


@pytest.mark.parametrize("threads", [16, 32])
def test_many_trees_of_their_own_repeat_too_and_no_visit_is_lost(threads):
    engine = MCTS(threads=threads, parallel="root")
    first, *others = (engine.search(START, simulations=2000, seed=5) for _ in range(4))
    assert sum(row.visits for row in first.moves) == first.simulations == 2000
    assert all(other.moves == first.moves for other in others)


@pytest.mark.parametrize("seconds", [0.002, 0.05])
def test_trees_of_their_own_are_equally_large_by_the_clock_too_and_repeat(seconds):
    engine = MCTS(threads=2, parallel="root")
    timed = engine.search(position("connect4"), seconds=seconds, seed=3)
    assert timed.simulations >= 2
    assert timed.simulations % 2 == 0
    counted = engine.search(position("connect4"), simulations=timed.simulations, seed=3)
    assert counted.moves == timed.moves


def test_a_search_by_the_clock_in_one_tree_counts_every_simulation():
    session = MCTS(threads=2).start(position("connect4"), seed=3)
    for seconds in (1e-9, 0.001, 0.05):
        before = session.moment
        assert session.run(seconds=seconds) == "seconds"
        assert session.moment > before
        assert sum(row.visits for row in session.result().moves) == session.moment


def test_trees_of_their_own_go_on_with_a_tree():
    engine = MCTS(threads=2, parallel="root")
    first = engine.search(START, simulations=1000, seed=5)
    later = engine.search(START, simulations=1000, seed=6, tree=first.tree)
    assert sum(row.visits for row in later.moves) == 2000
    assert later.tree.root.visits == 2000


def test_threads_at_every_leaf():
    result = MCTS(threads=2, parallel="leaf").search(START, simulations=1000, seed=1)
    assert result.tree.root.visits == 1000
    assert all(-1 <= row.value <= 1 for row in result.moves)
    assert result.best_move.name == "b2"


@pytest.mark.parametrize("parts", ["evaluate=decisive()", "evaluate=mast()", "select=rave()"])
def test_rules_that_remember_work_with_threads_at_every_leaf(parts):
    here = START.play_all("a1 a2 b1 b2")  # x wins with c1
    engine = parse_engine(f"mcts({parts}, threads=2, parallel='leaf')")
    result = engine.search(here, simulations=2000, seed=1)
    assert result.tree.root.visits == 2000
    assert result.best_move.name == "c1"


@pytest.mark.parametrize("parallel", ["tree", "root", "leaf"])
def test_a_parallel_search_stops_when_told(parallel):
    stop = threading.Event()
    timer = threading.Timer(0.2, stop.set)
    timer.start()
    result = MCTS(threads=2, parallel=parallel).search(START, seconds=60, stop=stop)
    assert result.stopped_by == "stop"
    assert result.simulations == sum(row.visits for row in result.moves)


def test_a_tree_too_small_for_so_many_threads_is_refused():
    start = position("go(size=9)")
    with pytest.raises(InputError, match=r"memory is too small .* at least 0\.072 MB"):
        MCTS(threads=32, memory=0.05).search(start, simulations=100, seed=1)
    found = MCTS(threads=32, memory=0.075).search(start, simulations=3000, seed=1)
    assert sum(row.visits for row in found.moves) == 3000


def test_the_solver_works_with_threads():
    here = START.play_all("a1 b1 a2")
    result = parse_engine("mcts(backup=solver(), threads=2)").search(here, seconds=20, seed=1)
    assert result.stopped_by == "solved"
    assert result.best_move.name == "a3"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("mcts(threads=-1)", "threads must be 1 or more"),
        ("mcts(threads=257)", "threads must be 256 or fewer"),
        ("strong(threads=1000)", "threads must be 256 or fewer"),
        ("mcts(threads=nan)", "cannot read|unknown|takes a plain value"),
        ("mcts(parallel='both')", "parallel must be tree, root, leaf"),
        ("mcts(threads=2, transpositions=True)", "do not go together"),
    ],
)
def test_bad_options_are_refused_in_one_line(text, complaint):
    with pytest.raises(InputError, match=complaint) as caught:
        parse_engine(text)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "text", ["mcts(threads=auto)", "strong(threads=auto)", "uct(threads=auto)"]
)
def test_auto_means_all_threads_there_are(text):
    assert parse_engine(text).threads == 0


@pytest.mark.parametrize(
    "text", ["uct(c=1.0)", "flat()", "crazy_stone(points=9)", "alphago_style(weight=0.3)"]
)
def test_presets_print_back_as_engines(text):
    from ponder.core.parts import identical
    from ponder.core.registry import part_text

    made = parse_engine(text)
    assert identical(parse_engine(part_text(made)), made)
