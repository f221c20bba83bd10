"""What a worker's searches may take: the engine's own limits, and memory; what looking costs."""

from __future__ import annotations

import os
import subprocess
import sys
from threading import Event

import pytest
from talking import worker

from ponder.core.registry import PARTS
from ponder.explorer.live import Live, history_of

GEM = "gem(scenario=noise)"

OUT_OF_MEMORY = """
from threading import Event
from ponder.explorer.live import Live, history_of
from ponder.explorer.worker import cap_memory, sentence
used = next(int(line.split()[1]) for line in open("/proc/self/status") if "VmData" in line) >> 10
cap_memory(used + 200)
history = {"game": "tictactoe", "engine": "mcts(memory=100000)", "seed": 1}
one = Live("main", history_of(history), 0, 0, 0.1, 0)
kept = []
try:
    while True:
        kept.append(one.session._run.copy())
        one.session._run.store.reserve(2 * one.session._run.store.capacity)
except MemoryError as error:
    print(sentence(error))
kept.clear()
one.start(None, 5)
while one.running:
    one.advance(Event())
print(one.session.moment)
"""


@pytest.fixture(scope="module")
def talk():
    with worker() as made:
        yield made


def finished(talk) -> dict:
    """Let it run until it stops by itself; what is seen then."""
    talk.ask("run", rate=None)
    talk.state = {}  # what was told before
    return talk.until(lambda state: not state["running"] and state["moment"] > 0)


def test_an_engines_own_limit_counts_from_the_beginning(talk):
    talk.ask("open", history={"game": GEM, "engine": "mcts(simulations=30)", "seed": 1})
    assert finished(talk)["moment"] == 30
    assert "own limit of 30 simulations is reached" in talk.ask("run", rate=None)["error"]
    talk.ask("rewind", to=10)
    assert finished(talk)["moment"] == 30
    assert talk.ask("step")["moment"] == 31  # whoever steps knows what he does


def test_an_engines_own_depth_ends_it(talk):
    talk.ask("open", history={"game": "breakthrough", "engine": "alphabeta(depth=2)", "seed": 1})
    state = finished(talk)
    assert state["depth"] == 2
    nodes = state["moment"]
    assert finished(talk)["moment"] == nodes


def test_asking_why_changes_nothing(talk):
    refused = []
    for rule in PARTS["select"]:
        history = {"game": GEM, "engine": f"mcts(select={rule}())", "seed": 3}
        if "error" in talk.ask("open", history={**history, "at": 12}):
            refused.append(rule)
            continue
        for path in ([], [1]):
            assert "reasons" in talk.ask("why", path=path)
        talk.ask("step", count=8)
        talk.until(lambda state: state["moment"] == 20)
        asked = talk.state["moves"]
        talk.ask("open", history={**history, "at": 20})
        talk.until(lambda state: state["moment"] == 20)
        assert asked == talk.state["moves"], rule
    assert len(refused) <= 6, refused  # they need what this game does not have, or a plan


def test_a_page_that_wants_too_much_memory_is_told_so_and_goes_on():
    done = subprocess.run(
        [sys.executable, "-c", OUT_OF_MEMORY],
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        check=True,
    )
    said, moment = done.stdout.splitlines()
    assert said.startswith("this needs more memory than the")
    assert moment == "5"


@pytest.mark.plain
def test_a_slice_that_took_too_long_is_not_noted_on_the_page():
    history = history_of({"game": GEM, "engine": "mcts()", "seed": 1})
    one = Live("main", history, nodes=0, deepest=0, every=0.1, grain=0)
    one.start(None, 5)
    while one.running:
        one.advance(Event())
    one.session._stopped_by, one.session._last = "seconds", 1.0  # as on a busy machine
    one.tell_again()
    assert one.state()["notes"] == []
