"""Plain Python beside compiled code, in one process: the twins of parts and kernels."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys

import numpy as np
import pytest

import ponder.jit
from command_line import needs_compiler
from ponder import position
from ponder.core.twin import INTRINSICS, PlainAtFirst, plain_function, told, twin
from ponder.mcts import run

SEARCH = """
import json
from ponder import engine, position
result = engine("strong()").search(position("connect4"), simulations=12, seed=1)
rows = [(row.action, row.visits, row.value, row.prior) for row in result.moves]
found = json.dumps([rows, result.tree.size])
"""


@needs_compiler
def test_every_function_that_only_the_compiler_knows_has_a_plain_twin():
    public = {name: getattr(ponder.jit, name) for name in ponder.jit.__all__}
    found = {name for name, value in public.items() if type(value).__name__ == "_Intrinsic"}
    assert found == {"natural", "keep_apart"}
    assert {public[name] for name in found} == set(INTRINSICS)


@needs_compiler
def test_a_search_with_a_network_runs_by_twins_as_in_plain_mode(monkeypatch):
    """Its kernels say `natural`, of which compiled processes have no Python."""

    def by_twins(caller, function, *args):
        parts = [twin(one) if hasattr(one, "_fields") else one for one in args]
        with np.errstate(all="ignore"):
            return plain_function(function)(*parts)

    monkeypatch.setattr(run, "guarded", by_twins)
    monkeypatch.setattr(PlainAtFirst, "__call__", by_twins)  # of positions
    here = {}
    exec(SEARCH, here)
    plain = subprocess.run(
        [sys.executable, "-c", SEARCH + "print(found)"],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        check=True,
    )
    assert json.loads(here["found"]) == json.loads(plain.stdout)


@pytest.mark.plain
def test_a_field_that_the_state_has_not_is_told_with_the_nearest_and_the_own_line():
    state = position("nim").state
    for name, said in (("playr", "did you mean player?"), ("zz", "it has ")):
        for touch, value in ((getattr, ()), (setattr, (1,))):
            with pytest.raises(AttributeError) as fault:
                touch(state, name, *value)
            text = told(fault.value)
            assert text.startswith(f"AttributeError: the state has no field '{name}'; {said}")
            assert re.search(r" \(test_twin\.py, line \d+\)$", text)
    with pytest.raises(AttributeError) as fault:
        _ = state.dtype.playr  # of something else it says what Python says
    assert "has no attribute 'playr'" in told(fault.value)
