"""What has been measured, as the explorer and the table of the documentation show it."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from ponder.lab import EXPERIMENTS
from ponder.lab.measured import PLACES, identity, measured, read_results, together
from ponder.lab.plan import FAILS, HOLDS, NOT_RUN, UNDECIDED
from ponder.lab.running import module_of

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "benchmarks" / "agreement" / "lab_table.py"


def test_results_belong_to_the_clauses_and_sizes_that_there_are():
    results = read_results(PLACES[1])
    assert results
    for result in results:
        plan = module_of(result["experiment"]).PLAN
        assert result["plan"] == identity(plan), result["experiment"]
        assert [row["id"] for row in result["clauses"]] == [clause.id for clause in plan.clauses]
        words = {row["verdict"] for row in result["clauses"]}
        assert words <= {HOLDS, FAILS, UNDECIDED, NOT_RUN}


def test_an_experiment_and_a_seed_are_there_once():
    keys = [(result["experiment"], result["seed"]) for result in read_results(PLACES[1])]
    assert len(set(keys)) == len(keys)


def test_each_experiment_has_the_verdicts_of_all_its_seeds():
    known = measured()
    assert "scale" in known
    assert set(known) <= set(EXPERIMENTS)
    for found in known.values():
        assert all(len(row["verdicts"]) == len(found["seeds"]) for row in found["clauses"])


def test_verdicts_do_not_depend_on_the_seed():
    for name, found in measured().items():
        for row in found["clauses"]:
            assert len(set(row["verdicts"])) == 1, (name, row["id"])


def test_the_tables_of_the_documentation_are_made_from_them(tmp_path, monkeypatch):
    """The script makes them once more, in a copy of the folder: nothing changes."""
    pages = ROOT / "docs" / "lab"
    copy = shutil.copytree(pages, tmp_path / "lab")
    monkeypatch.syspath_prepend(SCRIPT.parent)
    import lab_table

    del sys.modules["lab_table"]
    for name, place in (("FOLDER", copy), ("RESULTS", copy / "results.jsonl")):
        monkeypatch.setattr(lab_table, name, place)
    monkeypatch.setattr(lab_table, "TABLE", copy / "table.md")
    monkeypatch.setattr(sys, "argv", [str(SCRIPT), "--only-table", "--steps", str(tmp_path)])
    (copy / "table.md").unlink()
    lab_table.main()
    for page in sorted(pages.iterdir()):
        assert (copy / page.name).read_text() == page.read_text(), page.name
    for name in EXPERIMENTS:
        page = (pages / f"{name}.md").read_text()
        claim = lab_table.claim_text(module_of(name).PLAN)
        assert page.partition("\n\n")[2].startswith(claim), f"{name}: {claim}"
        assert page.count("**Claim.**") == 1, name


def seeds_saying(*intervals, places="aa"):
    return tuple(
        {"series": place, "x": None, "value": value, "low": low, "high": high}
        for place, (value, low, high) in zip(places, intervals, strict=True)
    )


def test_seeds_together_have_the_error_of_independent_samples():
    assert together(seeds_saying((1.0, 0.0, 2.0), (3.0, 2.0, 4.0))) == "2 (1.29 to 2.71)"
    assert together(seeds_saying((0.0, 0.0, 0.3), (0.0, 0.0, 0.4))) == "0 (0 to 0.25)"
    assert together(seeds_saying((5, 5, 5), (5, 5, 5))) == "5 (exact)"


def test_seeds_are_not_put_together_where_they_speak_of_different_places_or_of_none():
    assert together(seeds_saying((1.0, 0.0, 2.0), (3.0, 2.0, 4.0), places="ab")) == ""
    assert together(seeds_saying((None, None, None), (None, None, None))) == ""
    assert together(seeds_saying((1.0, 0.0, 2.0), places="a")) == ""
