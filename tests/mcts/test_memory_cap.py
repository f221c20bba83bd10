"""The memory cap of a search, by what the process really takes."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from ponder import MCTS, position
from ponder.core.registry import parse_engine
from ponder.mcts.tree import NODE

PROGRAM = """
import json, resource, sys
from ponder import position
from ponder.core.registry import parse_engine
engine, start, memory = parse_engine(sys.argv[1]), position("connect4"), float(sys.argv[2])
engine.search(start, simulations=50, memory=memory, seed=1)  # compiled code takes memory too
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
result = engine.search(start, simulations=int(sys.argv[3]), memory=memory, seed=1)
grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
print(json.dumps([grown / 1024, result.memory / (1 << 20), list(result.notes)]))
"""


@pytest.mark.parametrize(
    "engine",
    [
        "mcts()",
        "mcts(select=ucb1_tuned())",
        "mcts(threads=2)",
        "mcts(threads=2, parallel='root')",
        "mcts(transpositions=True)",
        "mcts(threads=2, parallel='root', transpositions=True)",
    ],
)
def test_a_process_takes_no_more_than_the_cap(engine):
    cap = 64
    command = [sys.executable, "-c", PROGRAM, engine, str(cap), "1800000"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=True)
    grown, told, notes = json.loads(done.stdout)
    assert any("cap" in note for note in notes), "the tree was to become full"
    assert told <= cap
    assert grown <= cap + 8, "megabytes besides the tree: rows, scratch, the interpreter's own"


def test_a_node_of_the_default_search_takes_24_bytes():
    assert NODE.itemsize == 24
    result = MCTS().search(position("tictactoe"), simulations=1000, seed=1)
    assert result.memory == 24 * result.tree.size


def test_the_memory_of_several_trees_is_told_together():
    start = position("connect4")
    one = MCTS().search(start, simulations=10_000, seed=1)
    two = parse_engine("mcts(threads=2, parallel='root')").search(start, simulations=20_000, seed=1)
    assert two.memory == pytest.approx(2 * one.memory, rel=0.1)
