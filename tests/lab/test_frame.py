"""The frame of the experiments: clauses, verdicts, files, resuming, own rules, exit status."""

from __future__ import annotations

import csv
import dataclasses
import json
import math
import sys
import types

import pytest

from ponder import lab
from ponder.cli import run as ponder
from ponder.errors import InputError
from ponder.lab import contents
from ponder.lab.plan import Above, Below, Between, Clause, Figure, Plan, Published, Size
from ponder.lab.report import FIELDS, cell_text, margin_text, sorted_rows, table_text
from ponder.lab.running import Lab
from ponder.lab.samples import Average, Exact, Interval, Share

PLAN = Plan(
    claim="coins are fair and dice are not coins",
    source="nobody 1900",
    clauses=(
        Clause("fair", "coins are fair", "share of heads", Between(0.4, 0.6)),
        Clause("more", "dice show more than coins", "mean of a die", Above(1.0)),
        Clause("never", "no coin stands on its edge", "coins on their edge", Between(0, 0)),
    ),
    sizes={"throws": Size(10, 1_000, 5_000, "throws"), "kinds": Size((), ("d6",), ("d6",), "dice")},
    published=(Published("nobody 1900", "coin", "share of heads", {1: 0.5}),),
    figures=(Figure("share of heads", "coins"),),
    own="select",
)


def throw(lab):
    coins = lab.step("coins", lambda: [i % 2 for i in range(lab["throws"])])
    lab.observe("coin", 1, "share of heads", Share([c == 1 for c in coins]), "fair")
    for kind in lab["kinds"]:
        dice = lab.step(kind, lambda: [1 + (i + lab.seed) % 6 for i in range(lab["throws"])])
        lab.observe(kind, 1, "mean", Average(dice), "more")
    lab.observe("coin", 1, "on edge", Exact(0), "never")


@pytest.fixture
def coins(monkeypatch):
    """An experiment that takes no time; its `run` can be replaced."""
    module = types.ModuleType("ponder.lab.coins")
    module.__file__ = __file__
    module.PLAN, module.run = PLAN, throw
    monkeypatch.setitem(sys.modules, "ponder.lab.coins", module)
    monkeypatch.setitem(contents.EXPERIMENTS, "coins", "coins and dice")
    monkeypatch.setattr("inspect.getsource", lambda module: "the code")
    return module


def words(report):
    return {verdict.clause.id: verdict.word for verdict in report.verdicts}


def test_a_test_passes_fails_or_cannot_tell():
    table = {
        Above(1): {(1.1, 2): "holds", (0.5, 1): "does not hold", (0.5, 1.5): "undecided"},
        Below(1): {(0.5, 0.9): "holds", (1, 2): "does not hold", (0.5, 1.5): "undecided"},
        Between(0, 1): {(0, 1): "holds", (1.1, 2): "does not hold", (0.5, 1.5): "undecided"},
    }
    for test, rows in table.items():
        assert {ends: test.judge(*ends) for ends in rows} == rows


def test_every_clause_has_a_verdict_and_what_was_not_run_says_so(coins):
    assert words(lab.run("coins")) == dict.fromkeys(("fair", "more", "never"), "holds")
    quick = lab.run("coins", quick=True)
    assert words(quick) == {"fair": "undecided", "more": "not run", "never": "holds"}
    assert (quick.verdict, quick.status) == ("undecided", 3)
    assert (lab.run("coins").verdict, lab.run("coins").status) == ("holds", 0)


def test_a_clause_fails_if_one_of_its_places_does(coins):
    def throw_two(lab):
        throw(lab)
        lab.observe("bent coin", 1, "share of heads", Share([True] * 500), "fair")

    coins.run = throw_two
    report = lab.run("coins")
    assert words(report)["fair"] == "does not hold"
    assert report.status == 1
    fair = report.verdicts[0]
    assert (fair.at.series, fair.places) == ("bent coin", 2)
    # three clauses share an error of 5 %, and two places share the clause's
    assert fair.level == pytest.approx(1 - 0.05 / 3 / 2)


def test_what_was_run_in_part_does_not_hold(coins):
    sizes = {**PLAN.sizes, "sides": Size(1, 2, 2, "of the coin", True)}
    coins.PLAN = dataclasses.replace(PLAN, sizes=sizes)
    assert words(lab.run("coins"))["fair"] == "holds"
    part = lab.run("coins", sides=1)
    assert set(words(part).values()) == {"undecided"}
    assert "holds in what was run, which is not all of it" in part.findings


def test_the_heading_says_everything_before_the_run(coins):
    text = Lab("coins").report().heading
    for clause in PLAN.clauses:
        assert f"{clause.id}: {clause.sentence}" in text
        assert f"{clause.quantity}: {clause.test}" in text
    assert "throws 1,000, kinds d6" in text
    assert "98.33 %" in text


def test_observations_are_in_long_form_with_intervals(coins, tmp_path):
    report = lab.run("coins", seed=2)
    rows = report.to_json()["observations"]
    assert all(tuple(row) == FIELDS for row in rows)
    assert rows[0]["n"] == 1_000
    assert rows[0]["low"] < rows[0]["value"] == 0.5 < rows[0]["high"]
    report.save_csv(tmp_path / "coins.csv")
    with open(tmp_path / "coins.csv", newline="") as file:
        read = list(csv.DictReader(file))
    assert [row["series"] for row in read] == ["coin", "d6", "coin"]
    assert float(read[1]["value"]) == rows[1]["value"]
    assert {row["seed"] for row in read} == {"2"}
    json.dumps(report.to_json(), allow_nan=False)


def test_published_figures_stand_below_ours(coins):
    lines = [line for line in lab.run("coins").findings.splitlines() if "coin" in line]
    assert lines[0].startswith("| coin ")
    assert lines[1].startswith("| coin (nobody 1900)")


def test_sizes_can_be_chosen_and_the_command_repeats_them(coins):
    report = lab.run("coins", seed=1, throws=200)
    assert report.observations[0].sample.n == 200
    assert report.command == "ponder lab coins --size throws=200 --seed 1"
    assert lab.run("coins", full=True).command == "ponder lab coins --full --seed 0"


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"quick": True, "full": True}, "exclude each other"),
        ({"seed": -1}, "seed must be 0 or more"),
        ({"game": "nim"}, "leave --game out"),
        ({"sides": 3}, "no size 'sides'; it has: throws, kinds"),
        ({"throws": 0}, "1 or more"),
        ({"kinds": 3}, "not a single number"),
        ({"own": ["nobody()"]}, "unknown"),
    ],
)
def test_what_is_impossible_is_refused_in_a_line(coins, options, reason):
    with pytest.raises(InputError, match=reason):
        lab.run("coins", **options)


def test_own_rules_are_refused_where_there_is_no_place_for_them():
    with pytest.raises(InputError, match="scale takes no rules of your own"):
        lab.run("scale", own=["ucb1()"])
    with pytest.raises(InputError, match="is a file: say which rule of it"):
        lab.run("bandit", own=["my_rules.py"])
    assert Lab("bandit", own=["ucb1(c=0.5)"]).own[0].c == 0.5


def test_an_unknown_experiment_is_named_with_the_nearest():
    with pytest.raises(InputError, match="did you mean ordering"):
        lab.run("ordring")


def test_a_run_goes_on_where_it_was_interrupted(coins, tmp_path):
    file, done = tmp_path / "state.json", []

    def interrupted(lab):
        lab.step("coins", lambda: done.append("coins"))
        lab.step("d6", lambda: [1, 2] if len(done) > 1 else (_ for _ in ()).throw(SystemExit))
        lab.observe("d6", 1, "mean", Average(lab.done["d6"]))

    coins.run = interrupted
    with pytest.raises(SystemExit):
        lab.run("coins", resume=file)
    done.append("again")
    report = lab.run("coins", resume=file)
    assert done == ["coins", "again"]  # the first step was not done twice
    assert report.observations[0].interval.value == 1.5
    with pytest.raises(InputError, match="belongs to another run: ponder lab coins --seed 0"):
        lab.run("coins", seed=1, resume=file)


def test_a_file_of_other_code_or_of_something_else_is_refused(coins, tmp_path, monkeypatch):
    file = tmp_path / "state.json"
    lab.run("coins", resume=file)
    monkeypatch.setattr("inspect.getsource", lambda module: "other code")
    with pytest.raises(InputError, match="another version of coins"):
        lab.run("coins", resume=file)
    file.write_text("{}")
    with pytest.raises(InputError, match="not a file that --resume has written"):
        lab.run("coins", resume=file)


@pytest.mark.plain
@pytest.mark.parametrize("step", [None, True, 7, "heads", {"a": 1}, [[1]], ["x"]])
def test_steps_that_the_experiment_cannot_use_are_refused_though_the_checksum_is_right(
    coins, tmp_path, step
):
    file = tmp_path / "state.json"
    lab.run("coins", resume=file)
    crafted = Lab("coins", resume=file)
    crafted.done["d6"] = step
    crafted.save_steps()
    with pytest.raises(InputError, match=r"has steps that coins cannot use .*: begin anew"):
        lab.run("coins", resume=file)


def test_a_fault_of_an_experiment_that_begins_anew_is_not_blamed_on_its_file(coins, tmp_path):
    coins.run = lambda lab: lab.step("coins", lambda: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        lab.run("coins", resume=tmp_path / "state.json")


def test_steps_come_back_as_json_whether_they_were_kept_or_not(coins):
    assert Lab("coins").step("a tuple", lambda: (1, (2, 3))) == [1, [2, 3]]


def test_the_exit_status_tells_the_verdict(coins, capsys, tmp_path):
    assert ponder(["lab", "coins"]) == 0
    printed = capsys.readouterr()
    assert printed.out.index("To be decided") < printed.out.index("holds  ")
    assert "ponder: coins" in printed.err
    assert ponder(["lab", "coins", "--quick", "--json"]) == 3
    data = json.loads(capsys.readouterr().out)
    assert [c["verdict"] for c in data["clauses"]] == ["undecided", "not run", "holds"]
    coins.run = lambda lab: lab.observe("coin", 1, "on edge", Exact(1), "never")
    assert ponder(["lab", "coins", "--csv", str(tmp_path / "a.csv")]) == 1
    assert (tmp_path / "a.csv").exists()
    assert ponder(["lab", "coins", "--size", "throws"]) == 2


def test_ctrl_c_prints_what_there_is(coins, capsys):
    def interrupted(lab):
        lab.observe("coin", 1, "on edge", Exact(0), "never")
        raise KeyboardInterrupt

    coins.run = interrupted
    assert ponder(["lab", "coins"]) == 130
    out = capsys.readouterr().out
    assert "undecided      never" in out
    assert "holds in what was run, which is not all of it" in out
    assert "not run        fair" in out
    assert "interrupted: this is what there was; --resume FILE would have kept" in out


def test_after_ctrl_c_the_last_line_is_the_command_that_goes_on(coins, capsys, tmp_path):
    file = tmp_path / "a run.state"

    def interrupted(lab):
        lab.step("coins", lambda: 1)
        raise KeyboardInterrupt

    coins.run = interrupted
    assert ponder(["lab", "coins", "--resume", str(file)]) == 130
    said = f'go on   ponder lab coins --seed 0 --resume "{file}"'
    assert capsys.readouterr().out.splitlines()[-1] == said


def test_an_interval_that_is_not_symmetric_is_not_shown_as_if_it_were():
    assert margin_text(Interval(0.5, 0.4, 0.6)) == "0.500 ±0.100"
    assert margin_text(Interval(0.98, 0.96, 0.99)) == "0.980 +0.010 −0.020"
    assert margin_text(Interval(1.0, 0.0, math.inf)) == "1 +? −1"
    assert margin_text(Interval(3.0, 3.0, 3.0)) == "3"


def test_tables_are_aligned_and_figures_readable():
    assert table_text(("name", "n"), (("a", "1,000"), ("bcdef", ""))).splitlines() == [
        "| name  |     n |",
        "|-------|------:|",
        "| a     | 1,000 |",
        "| bcdef |       |",
    ]
    assert [cell_text(x) for x in (3, 12.0, 0.123456, 1234.5, 123.45, 1e-5, "x")] == [
        *("3", "12", "0.123", "1,234", "123.5", "1e-05", "x")
    ]


def test_a_row_of_published_figures_says_whose_they_are():
    first = Published("Coulom 2006", "ponder: mean", "RMS", {128: 1.0})
    assert first.name == "Coulom 2006: mean", "a published figure is not ours"
    assert Published("MoGo", "go: rave()", "Elo", {}).name == "go: rave() (MoGo)"
    cells = {"ponder: mean": 1, "ponder: max": 2, first.name: 3}
    rows = [name for name, _ in sorted_rows(cells, {first.name: first.series})]
    assert rows == ["ponder: mean", "Coulom 2006: mean", "ponder: max"]
