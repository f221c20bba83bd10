"""A trained run of tic-tac-toe, made once: what it compiles is all that these tests compile."""

from __future__ import annotations

import pytest

from training_runs import new_run


@pytest.fixture(scope="session")
def trained(tmp_path_factory):
    """A run of five rounds on one thread."""
    run = new_run(tmp_path_factory.mktemp("run") / "tictactoe")
    run.run(rounds=5)
    run.close()
    return run
