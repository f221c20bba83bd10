"""`ponder fit`."""

from __future__ import annotations

import json

from command_line import assert_one_line


def test_the_command_prints_a_table_and_json(program):
    words = ("fit", "breakthrough(rows=5, columns=4)", "--games", "20", "--seed", "1")
    table = program(*words).out
    assert table.splitlines()[0].split()[:3] == ["feature", "weight", "fitted"]
    assert "20 games of alphabeta(depth=1)" in table
    found = json.loads(program(*words, "--json").out)
    assert {"unit", "weights", "loss_given", "loss_fitted"} <= found.keys()
    refused = program("fit", "tictactoe")
    assert refused.status == 2
    assert_one_line(refused.err)
