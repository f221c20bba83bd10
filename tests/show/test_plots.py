"""Curves: data in, a whole file out; without Matplotlib one line."""

from __future__ import annotations

import subprocess
import sys
import xml.etree.ElementTree as ElementTree

import pytest

from ponder import MCTS, InputError, Limit, position
from ponder.lab.backup import PLAN as BACKUP
from ponder.lab.report import Report
from ponder.presets import plain_alphabeta
from ponder.show.over_time import search_plot
from ponder.show.plots import Curve, Panel, Plot, figure, save_plot

OURS = Curve("ours", (1, 10, 100), (1, 2, 3), (0, 1, 2), (2, 3, 4))
THEIRS = Curve("theirs & co", (1, 100), (1.5, 2.5), published=True)
PLOT = Plot([Panel([OURS, THEIRS], "pulls", "regret", log_x=True, level=2.0)], "Regret", "seed 0")


def test_a_plot_holds_the_curves_their_intervals_and_the_published_one():
    axes = figure(PLOT).axes[0]
    assert [line.get_label() for line in axes.get_lines()[:2]] == ["ours", "theirs & co"]
    assert axes.get_lines()[0].get_ydata().tolist() == [1, 2, 3]
    assert axes.get_lines()[1].get_linestyle() == "--"
    (band,) = axes.collections
    low, high = band.get_paths()[0].get_extents().intervaly
    assert (low, high) == (0, 4)
    assert axes.get_xscale() == "log"


def test_equal_plots_give_equal_files(tmp_path):
    for ending in ("svg", "png"):
        one, two = tmp_path / f"one.{ending}", tmp_path / f"two.{ending}"
        save_plot(PLOT, one)
        save_plot(PLOT, two)
        assert one.read_bytes() == two.read_bytes()
    texts = "".join(ElementTree.parse(tmp_path / "one.svg").getroot().itertext())
    assert "theirs & co" in texts  # as letters, not as outlines


def test_a_file_of_another_kind_or_in_no_folder_is_refused(tmp_path):
    with pytest.raises(InputError, match=r"ends in \.svg or \.png"):
        save_plot(PLOT, tmp_path / "plot.pdf")
    with pytest.raises(InputError, match="there is no folder"):
        save_plot(PLOT, tmp_path / "nowhere" / "plot.svg")


def test_without_matplotlib_one_line_says_what_to_install():
    program = (
        "import sys; sys.modules['matplotlib'] = None\n"
        "from ponder.show.plots import check_plot\n"
        "try: check_plot('a.svg')\n"
        "except Exception as error: print(type(error).__name__, error)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("InputError")
    assert "pip install 'ponder-search[plots]'" in done.stdout


def test_a_search_is_plotted_from_its_first_simulation_to_its_last():
    session = MCTS().start(position("bandit"), seed=1)
    session.run(simulations=50)
    visits, values, regret = search_plot(session).panels
    last = {row.name: row for row in session.result().moves}
    assert {curve.name: curve.y[-1] for curve in visits.curves} == {
        name: row.visits for name, row in last.items()
    }
    assert {curve.name: curve.y[-1] for curve in values.curves} == {
        name: row.value for name, row in last.items()
    }
    assert [sum(at) for at in zip(*(c.y for c in visits.curves), strict=True)] == regret.curves[0].x
    arms = dict(zip("ABC", session.position.game.arms, strict=True))
    lost = sum(row.visits * (0.6 - arms[name]) for name, row in last.items())
    assert regret.curves[0].y[-1] == pytest.approx(lost)
    assert session.moment == 50


def test_a_search_without_simulations_has_nothing_to_plot():
    session = plain_alphabeta().start(position("tree"), plan=Limit(depth=2))
    session.run(depth=2)
    with pytest.raises(InputError, match="needs mcts"):
        search_plot(session)


def test_each_published_curve_has_the_colour_of_ours_beside_it_or_one_of_its_own():
    def curve(name, **more):
        return Curve(name, (1, 2), (1, 2), **more)

    names = ("mean", "max", "mix")
    curves = [curve(name) for name in names]
    curves += [curve(f"{name} (Coulom)", published=True, beside=name) for name in names]
    curves += [curve(f"{name} (Auer)", published=True) for name in names]
    lines = figure(Plot([Panel(curves)])).axes[0].get_lines()
    colours = {line.get_label(): line.get_color() for line in lines}
    for name in names:
        assert colours[f"{name} (Coulom)"] == colours[name]
    assert len({*colours.values()}) == 6, "three of ours, three of Auer's"


def test_the_four_curves_of_coulom_have_four_colours():
    report = Report("backup", BACKUP, {}, 0, "ponder lab backup", [])
    lines = figure(report.plot()).axes[0].get_lines()
    assert len(lines) == len({line.get_color() for line in lines}) == 4
