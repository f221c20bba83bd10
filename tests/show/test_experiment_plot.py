"""The plot of a report: our curves with intervals, the published ones beside them."""

from __future__ import annotations

import pytest

from ponder.errors import InputError
from ponder.lab.plan import Above, Clause, Figure, Plan, Published, Size
from ponder.lab.report import Observation, Report
from ponder.lab.samples import Average

PLAN = Plan(
    "claim",
    "source",
    (Clause("one", "sentence", "quantity", Above(0)),),
    {"n": Size(1, 2, 2, "")},
    published=(Published("Auer 2002", "go: ucb1", "regret", {10: 2.0, 100: 3.0}),),
    figures=(Figure("regret", "pulls", log_x=True, of="go"),),
)


def made(plan=PLAN):
    seen = [
        Observation(series, x, unit, Average([float(i), i + 1.0, i + 2.0]))
        for i, (series, x, unit) in enumerate(
            [
                ("go: ucb1", 100, "regret"),
                ("go: ucb1", 10, "regret"),
                ("hex: ucb1", 10, "regret"),
                ("go: ucb1", 10, "seconds"),
                ("go: ucb1", None, "regret"),
            ]
        )
    ]
    return Report("gem", plan, {}, 0, "ponder lab gem --seed 0", seen)


def test_a_panel_has_the_series_of_its_unit_in_order_of_x_and_the_published_one():
    plot = made().plot()
    assert plot.note == "ponder lab gem --seed 0"
    ours, theirs = plot.panels[0].curves
    assert (ours.name, list(ours.x), list(ours.y)) == ("ucb1", [10, 100], [2.0, 1.0])
    assert all(low < y < high for low, y, high in zip(ours.low, ours.y, ours.high, strict=True))
    assert (theirs.name, theirs.published, theirs.y) == ("ucb1 (Auer 2002)", True, [2.0, 3.0])


def test_the_plot_is_written_to_a_file(tmp_path):
    made().plot(tmp_path / "one.svg")
    assert "ucb1" in (tmp_path / "one.svg").read_text()


def test_what_cannot_be_drawn_is_refused_before_the_run(tmp_path):
    with pytest.raises(InputError, match=r"ends in \.svg or \.png"):
        made().check_plot(tmp_path / "one.pdf")
    nothing = Plan("claim", "source", PLAN.clauses, PLAN.sizes)
    with pytest.raises(InputError, match="nothing to plot"):
        made(nothing).check_plot(tmp_path / "one.svg")
