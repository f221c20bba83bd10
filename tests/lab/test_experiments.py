"""Every experiment runs, bears its claim out, and has its page."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ponder import MCTS, position
from ponder.cli import run
from ponder.errors import InputError
from ponder.jit import COMPILED
from ponder.lab import EXPERIMENTS
from ponder.lab.bandit import regrets_of
from ponder.lab.old_report import perform

PAGES = Path(__file__).parents[2] / "docs" / "lab"
OPEN = {
    "threads": "depends on the machine, and threads in one tree play differently every time",
}
"""Experiments whose short version may come out either way."""
needs_compiler = pytest.mark.skipif(not COMPILED, reason="too slow in plain mode")


MOVED = {"gem", "scale", "rational", "bandit"}


@needs_compiler
@pytest.mark.parametrize("name", [name for name in EXPERIMENTS if name not in MOVED])
def test_the_claim_holds_in_the_quick_version(name):
    told = []
    report = perform(name, True, 0, told.append)
    assert report.holds or name in OPEN, str(report)
    assert told
    assert report.rows
    assert all(len(row) == len(report.columns) for row in report.rows)
    assert report.command == f"ponder lab {name} --quick --seed 0"
    json.dumps(report.to_json())


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_every_experiment_has_a_page_with_its_command_and_table(name):
    text = (PAGES / f"{name}.md").read_text()
    assert f"ponder lab {name}" in text
    assert "\n|" in text
    assert f"({name}.md)" in (PAGES / "README.md").read_text()


def test_another_game_is_refused_where_it_cannot_be():
    with pytest.raises(InputError, match="without dice"):
        perform("tune", True, 0, print, game="pig")


@needs_compiler
def test_weights_can_be_fitted_for_any_game():
    report = perform("tune", True, 0, lambda _: None, game="nim")
    assert {row[0] for row in report.rows} == {"nim"}
    assert report.command == 'ponder lab tune --quick --game "nim" --seed 0'


def test_regrets_are_sums_of_what_each_pull_gave_away():
    found = MCTS().search(position("bandit(arms=(0.25, 1.0, 0.5))"), simulations=100, seed=1)
    visits = {row.name: row.visits for row in found.moves}
    assert sum(visits.values()) == 100
    cumulative, simple = regrets_of(found)
    assert cumulative == pytest.approx(0.75 * visits["A"] + 0.5 * visits["C"])
    assert (found.name, simple) == ("B", 0.0)
    with pytest.raises(InputError, match="one pull"):
        regrets_of(MCTS().search(position("bandit(pulls=2)"), simulations=10))


def test_without_a_name_the_command_lists_all(capsys):
    assert run(["lab"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == [*EXPERIMENTS]
    assert run(["lab", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)["experiments"]
    assert {row["name"]: row["title"] for row in listed} == EXPERIMENTS
