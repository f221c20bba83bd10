"""The table of what has been measured, as the explorer reads it."""

from __future__ import annotations

from ponder.lab import EXPERIMENTS
from ponder.lab.measured import WORDS, measured
from ponder.lab.plan import FAILS, HOLDS, NOT_RUN, UNDECIDED
from ponder.lab.running import module_of


def test_the_table_speaks_of_experiments_and_clauses_that_there_are():
    known = measured()
    assert "scale" in known
    assert set(known) <= set(EXPERIMENTS)
    for name, found in known.items():
        ids = [clause.id for clause in module_of(name).PLAN.clauses]
        assert [row["id"] for row in found["clauses"]] == ids, name
        for row in found["clauses"]:
            assert row["verdicts"]


def test_its_letters_stand_for_the_verdicts():
    assert set(WORDS.values()) == {HOLDS, FAILS, UNDECIDED, NOT_RUN}
