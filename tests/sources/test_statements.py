"""The map of the sources is true: commands parse, names and pages exist, verdicts are so."""

from __future__ import annotations

import importlib.util
import json
import re
import shlex
from pathlib import Path

import pytest
import typer
from map_places import ROOT, VERDICT, fault

from ponder.cli.app import build_app
from ponder.core.registry import parse_engine, parse_game
from ponder.core.start import position
from ponder.lab.contents import EXPERIMENTS
from ponder.lab.measured import by_experiment
from ponder.sources.statements import STATES, read_map

pytestmark = pytest.mark.plain
MAP = read_map()
PARSER = typer.main.get_command(build_app())
COMMANDS = list(dict.fromkeys(c for s in MAP.statements for c in s.commands))


def test_there_are_250_statements_of_five_sources_each_with_its_line():
    assert sorted(s.number for s in MAP.statements) == list(range(1, 251))
    assert {s.source for s in MAP.statements} == set(MAP.sources)
    assert len(MAP.sources) == 5
    for s in MAP.statements:
        assert re.fullmatch(r"\d+(-\d+)?(, \d+(-\d+)?)*", s.line), s.number
        assert s.statement.endswith((".", "?")), s.number
        assert s.heading, s.number


def test_every_statement_has_a_state_and_what_is_not_exact_a_reason():
    for s in MAP.statements:
        assert s.state in STATES, s.number
        assert s.reason or s.state == "exact", s.number
        if s.state == "exact":
            assert s.where, s.number


def test_every_class_function_page_and_test_that_is_named_exists():
    faults = [f"{s.number}: {fault(w)}" for s in MAP.statements for w in s.where if fault(w)]
    assert not faults, "\n".join(faults)


def test_a_name_a_page_or_a_heading_that_is_not_there_is_noticed():
    assert not fault("ponder.search.reference.minimax")
    assert fault("ponder.search.reference.maximin")
    assert fault("ponder.nothing.Here")
    assert fault("docs/nothing.md")
    assert fault("docs/lectures.md#nothing-of-the-kind")


def test_every_verdict_is_that_of_all_seeds_in_the_labs_results():
    results = by_experiment(ROOT / "docs" / "lab" / "results.jsonl")
    checked = 0
    for s in MAP.statements:
        for where in s.where:
            named = VERDICT.fullmatch(where)
            if named is None:
                assert not where.startswith("lab "), where
                continue
            name, clause, verdict = named.groups()
            row = next(row for row in results[name]["clauses"] if row["id"] == clause)
            assert set(row["verdicts"]) == {verdict}, (s.number, where)
            checked += 1
    assert checked > 60


def test_every_experiment_of_the_map_is_one_of_the_labs():
    for command in COMMANDS:
        words = shlex.split(command)
        if words[:2] == ["ponder", "lab"]:
            assert words[2] in EXPERIMENTS, command


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_one_that_the_program_takes(command):
    words = shlex.split(command)
    assert words[0] == "ponder"
    parser = PARSER
    words = words[1:]
    while hasattr(parser, "commands"):
        parser = parser.commands[words.pop(0)]
    given = parser.make_context("ponder", words).params
    for engine in (given.get(name) for name in ("engine", "first", "second")):
        if engine:
            parse_engine(engine)
    if given.get("game"):
        parse_game(given["game"])
        here = position(given["game"], given.get("position") or "")
        here.play_all(given.get("moves") or "")


def test_no_command_is_marked_slow_that_the_lab_keeps_itself():
    for s in MAP.statements:
        assert not s.slow or s.commands, s.number
        assert not (s.slow and s.shows), s.number
        if s.slow:
            assert not all(kept_by_the_lab(c) for c in s.commands), s.number


def test_what_is_slow_has_been_run_and_its_output_kept():
    kept = [
        json.loads(line) for line in (ROOT / "docs/sources-runs.jsonl").read_text().splitlines()
    ]
    runs = {run["command"]: run for run in kept}
    slow = {c for s in MAP.statements if s.slow for c in s.commands if not kept_by_the_lab(c)}
    assert slow == set(runs)
    for run in kept:
        decided = (0, 1, 3) if run["command"].startswith("ponder lab") else (0,)
        assert run["status"] in decided, run["command"]
        assert run["output"], run["command"]


def kept_by_the_lab(command: str) -> bool:
    """Does docs/lab/results.jsonl have what it prints?"""
    return command.startswith("ponder lab") and "--quick" not in command


def test_the_page_is_what_the_script_makes_of_the_records():
    script = Path(ROOT / "docs" / "sources_page.py")
    spec = importlib.util.spec_from_file_location("sources_page", script)
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    assert (ROOT / "docs" / "sources.md").read_text() == made.page(MAP), (
        "python docs/sources_page.py"
    )


def test_every_link_of_the_page_leads_to_a_heading():
    page = ROOT / "docs" / "sources.md"
    for target in re.findall(r"\]\(#([^)]+)\)", page.read_text()):
        assert not fault(f"docs/sources.md#{target}")
