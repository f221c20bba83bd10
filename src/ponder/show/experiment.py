"""The plot of an experiment of the lab: its observations, and the published figures beside them."""

from __future__ import annotations

from pathlib import Path

from ponder.lab.plan import Figure
from ponder.lab.report import Report
from ponder.lab.samples import Interval
from ponder.show.plots import Curve, Panel, Plot, save_plot


def report_plot(report: Report, path: str | Path | None = None) -> Plot:
    """The panels that the plan of the experiment names; drawn into a file if there is a path."""
    panels = [panel(report, figure) for figure in report.plan.figures]
    plot = Plot(panels, report.title, report.command)
    if path is not None:
        save_plot(plot, path)
    return plot


def panel(report: Report, figure: Figure) -> Panel:
    """A curve for each series of the figure; points whose x is no number are left out."""
    start = f"{figure.of}: " if figure.of else ""
    shown: dict[str, dict[float, Interval]] = {}
    for seen in report.observations:
        wanted = seen.unit == figure.unit and seen.series.startswith(start)
        if wanted and isinstance(seen.x, int | float):
            shown.setdefault(seen.series.removeprefix(start), {})[seen.x] = seen.interval
    curves = []
    for name, points in shown.items():
        xs = sorted(points)
        value, low, high = zip(*(points[x] for x in xs), strict=True)
        curves.append(Curve(name, xs, value, low, high))
    for p in report.plan.published:
        if p.unit == figure.unit and p.series.startswith(start):
            ours = p.series.removeprefix(start)
            told = list(p.points), list(p.points.values())
            curves.append(Curve(f"{ours} ({p.source})", *told, published=True, beside=ours))
    return Panel(curves, figure.x, figure.unit, figure.of, figure.log_x, figure.log_y)
