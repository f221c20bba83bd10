"""Every experiment says what it claims before it runs, runs, and has its page."""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from ponder import MCTS, lab, position
from ponder.cli import run
from ponder.core.registry import PARTS
from ponder.errors import InputError
from ponder.lab import EXPERIMENTS
from ponder.lab.bandit import regrets_of
from ponder.lab.policies import BANDITS, DRAWING, KNOWING, TRON
from ponder.lab.policies import engine as engine_of_rule

PAGES = Path(__file__).parents[2] / "docs" / "lab"
SMALL = "connect4(columns=5, rows=4)"
TINY: dict[str, dict[str, int]] = {
    "anytime": {"connect4": 1, "go": 0, "doublings": 3},
    "bandit": {"runs": 2, "pulls": 10_000, "long_runs": 2},
    "cooperation": {"trees": 3},
    "deepening": {"positions": 2, "games": 1},
    "depth": {"deepest": 3, "openings": 1},
    "effort": {"positions": 1, "games": 1},
    "evaluator": {"games": 1, "openings": 1, "limits": 1},
    "gem": {"trees": 2, "seeds": 2, "moment": 60},
    "growth": {"searches": 2, "simulations": 1_000, "games": 1},
    "learning": {
        "runs": 2,
        "more": 1,
        "simulations": 20,
        "first": 3,
        "positions": 3,
        "searched": 2,
        "sweeps": 2,
    },
    "ordering": {"trees": 2},
    "parts": {"positions": 2, "games": 1},
    "puct": {"positions": 2, "simulations": 1_000},
    "rational": {"small": 1, "large": 2, "policies": 3},
    "robust": {"bandits": 2, "trees": 1, "selects": 1, "noisy": 2},
    "scale": {"trees": 3},
    "shape": {"trees": 2, "simulations": 30},
    "solver": {"openings": 2, "clocked": 2, "fixed": 1, "timed": 1, "settings": 3},
    "star": {"trees": 2},
}
"""Sizes for a run in plain Python, to its end and quickly: what it finds means nothing."""
SHORTENED = {
    "anytime": {"RUNGS": (2, 4, 8)},
    "bandit": {"STEPS": (10, 30, 100, 300), "ALL_PULLS": (100, 300, 1_000), "OTHERS": ()},
    "deepening": {"GAMES": ((SMALL, 2, 3, 3),)},
    "depth": {"GAMES": ((SMALL, 2),)},
    "effort": {"GAMES": ((SMALL, 2),), "DEPTH": 2},
    "evaluator": {"GAMES": ((SMALL, 2),), "LIMITS": ({"simulations": 4},)},
    "gem": {"STEPS": (20, 40, 60)},
    "growth": {"GAMES": ("tictactoe",)},
    "learning": {
        "GAME": "tictactoe",
        "SEARCH": 2,
        "USUAL": 2,
        "KINDS": {
            "usual": {"batch": 4},
            "cheap": {"batch": 4, "cheap": 1, "full_share": 0.5},
            "forced": {"batch": 4, "forced": 2.0},
            "exact": {"batch": 4, "exact": True},
            "not mixed": {"batch": 4, "trace": 1.0},
            "not forgiven": {"batch": 4, "blunder": 0.0},
            "few": {"batch": 4, "simulations": 2},
            "few, gumbel": {"batch": 4, "simulations": 2, "considered": 4},
        },
    },
    "parts": {"GAMES": ((SMALL, 2, 3, 3),)},
    "puct": {"GAMES": ((SMALL, 2),)},
    "robust": {"FEW": (3, 10), "ENOUGH": 30},
    "shape": {"WIDE": ((2, 3), (4, 2)), "DEEP": ((2, 4), (2, 5))},
    "solver": {"FIXED": ((SMALL, 2, 4),), "TIMED": ((SMALL, 2),)},
    "star": {"SHAPES": ((2, 2, 2),)},
}
"""Constants replaced in such a run."""


def plan_of(name):
    return importlib.import_module(f"ponder.lab.{name}").PLAN


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_a_plan_is_complete(name):
    plan = plan_of(name)
    ids = [clause.id for clause in plan.clauses]
    assert len(ids) == len(set(ids)) > 0
    assert plan.claim
    assert plan.source
    for size in plan.sizes.values():
        assert size.meaning
        assert type(size.quick) is type(size.default) is type(size.full)


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_every_experiment_has_a_page_with_its_command_and_clauses(name):
    text = (PAGES / f"{name}.md").read_text()
    assert f"ponder lab {name}" in text
    for clause in plan_of(name).clauses:
        assert f"`{clause.id}`" in text, f"docs/lab/{name}.md does not mention {clause.id}"
    assert f"({name}.md)" in (PAGES / "README.md").read_text()


def test_experiments_run_to_their_end_and_every_clause_is_observed():
    """In plain Python, where nothing has to be compiled."""
    script = f"""
import importlib, json
from ponder import lab
for name, sizes in {TINY!r}.items():
    module = importlib.import_module(f"ponder.lab.{{name}}")
    for constant, value in {SHORTENED!r}.get(name, {{}}).items():
        setattr(module, constant, value)
    report = lab.run(name, seed=1, **sizes)
    print(json.dumps([name, [v.word for v in report.verdicts], report.status, str(report)]))
"""
    made = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert made.returncode == 0, made.stderr
    found = [json.loads(line) for line in made.stdout.splitlines()]
    assert [name for name, *_ in found] == [*TINY]
    for name, words, status, text in found:
        assert "not run" not in words, name
        assert status in (0, 1, 3)
        assert f"again   ponder lab {name}" in text
    # laws hold however small the sample is
    verdicts = {name: words for name, words, *_ in found}
    assert verdicts["scale"][:2] == verdicts["rational"][:2] == ["holds", "holds"]
    assert verdicts["star"][0] == verdicts["cooperation"][0] == "holds"


def test_the_same_seed_gives_the_same_report_and_another_seed_another():
    sizes = {"small": 2, "large": 3, "policies": 5}
    one, same, other = (lab.run("rational", seed=seed, **sizes).rows() for seed in (3, 3, 4))
    assert one == same
    assert [row["value"] for row in one] != [row["value"] for row in other]


def test_a_long_version_is_refused_where_there_is_none():
    with pytest.raises(InputError, match="scale has no longer version"):
        lab.run("scale", full=True)


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_a_size_too_small_to_compare_anything_is_refused(name):
    for key, size in plan_of(name).sizes.items():
        if not isinstance(size.default, tuple):
            with pytest.raises(
                InputError, match=f"size {key} must be a whole number, {size.least:,} or"
            ):
                lab.run(name, **{key: size.least - 1})


def test_another_game_is_refused_where_it_cannot_be():
    with pytest.raises(InputError, match="leave --game out"):
        lab.run("scale", game="othello")
    with pytest.raises(InputError, match="without dice"):
        lab.run("tune", game="pig")


def test_regrets_are_sums_of_what_each_pull_gave_away():
    found = MCTS().search(position("bandit(arms=(0.25, 1.0, 0.5))"), simulations=100, seed=1)
    visits = {row.name: row.visits for row in found.moves}
    assert sum(visits.values()) == 100
    cumulative, simple = regrets_of(found)
    assert cumulative == pytest.approx(0.75 * visits["A"] + 0.5 * visits["C"])
    assert (found.best_move.name, simple) == ("B", 0.0)
    with pytest.raises(InputError, match="one pull"):
        regrets_of(MCTS().search(position("bandit(pulls=2)"), simulations=10))


def test_every_select_rule_is_of_one_kind():
    assert len(BANDITS | DRAWING | KNOWING) == len(BANDITS) + len(DRAWING) + len(KNOWING)
    assert set(TRON) < BANDITS | DRAWING


def test_without_a_name_the_command_lists_all(capsys):
    assert run(["lab"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == [*EXPERIMENTS]
    assert run(["lab", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)["experiments"]
    assert {row["name"]: row["title"] for row in listed} == EXPERIMENTS
    assert run(["lab", "--size", "trees=3"]) == 2
    assert "which experiment?" in capsys.readouterr().err


@pytest.mark.plain
@pytest.mark.parametrize("rule", PARTS["select"])
def test_every_select_rule_can_take_part_in_policies(rule):
    start = position("connect4(columns=6, rows=5)")
    assert engine_of_rule(rule, 20).search(start, seed=1).simulations >= 20
