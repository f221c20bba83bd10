"""Curves, drawn with Matplotlib (extra `plots`): panels of curves with intervals.

    ours = Curve("UCB1", pulls, lost, low, high)
    theirs = Curve("Auer et al. 2002", their_pulls, their_lost, published=True)
    plot = Plot([Panel([ours, theirs], "pulls", "regret", log_x=True)], "Regret of three arms")
    save_plot(plot, "regret.svg")  # or .png

A `Plot` is data, whoever draws it; nothing here imports Matplotlib before it is asked to draw. The
paper's figure stands in the same panel as a `published` curve (dashed, open circles), or beside
ours in a panel of its own: panels stand in a row. `check_plot(path)` refuses, before a long
experiment, what `save_plot` would refuse after it. In a notebook, `figure(plot)`.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ponder.errors import InputError, installing, quoted
from ponder.files import require_writable, save_file
from ponder.show.colours import COLOURS

ENDINGS = (".svg", ".png")
SERIES = ("#4f7a45", "#b5532f", "#2f5d8a", "#c9982f", "#7b5a86", "#3f8f8a", "#8c6d4a", "#6b6358")
"""Sage, clay, blue, ochre, plum, teal, umber, stone."""
DASHES = ("-", "--", "-.", ":")
"""Another one each time that the colours begin again."""
PANEL = (5.4, 3.9)
"""Inches."""
MOST_INSIDE, BESIDE = 5, 2.2
"""With more curves their names stand beside the panel, which gets so many inches more."""


class Curve(NamedTuple):
    """One line of a panel."""

    name: str
    x: Sequence[float]
    y: Sequence[float]
    low: Sequence[float] = ()
    high: Sequence[float] = ()
    """The ends of the interval of every point: both, or neither."""
    published: bool = False
    """Somebody else's figures."""
    beside: str = ""
    """The curve of ours that it belongs to: it has the same colour."""


class Panel(NamedTuple):
    """One pair of axes."""

    curves: Sequence[Curve]
    x: str = ""
    y: str = ""
    title: str = ""
    log_x: bool = False
    log_y: bool = False
    level: float | None = None
    """A value to compare with: a thin line across."""


class Plot(NamedTuple):
    """Panels in a row below a title; `note` is a line below them: sizes, seeds, the command."""

    panels: Sequence[Panel]
    title: str = ""
    note: str = ""


def check_plot(path: str | Path) -> None:
    """Refuse a file that cannot be written and a Matplotlib that is not there."""
    if Path(path).suffix not in ENDINGS:
        raise InputError(
            f"--plot needs a file that ends in {' or '.join(ENDINGS)}, not {quoted(str(path))}"
        )
    require_writable(path)
    _matplotlib()


def save_plot(plot: Plot, path: str | Path) -> None:
    """Write the drawing to a file, the whole or nothing. Equal plots give equal files."""
    check_plot(path)
    matplotlib = _matplotlib()
    data = io.BytesIO()
    ending = Path(path).suffix[1:]
    # no date and no random names inside: a repeated run changes nothing
    with matplotlib.rc_context({"svg.hashsalt": "ponder", "svg.fonttype": "none"}):
        figure(plot).savefig(
            data,
            format=ending,
            dpi=160,
            metadata={"Date": None} if ending == "svg" else {"Software": None},
        )
    save_file(path, data.getvalue())


def figure(plot: Plot) -> Any:
    """The drawing as a Matplotlib figure."""
    matplotlib = _matplotlib()
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    with matplotlib.rc_context(_style()):
        wide, high = PANEL
        wide += BESIDE * any(len(panel.curves) > MOST_INSIDE for panel in plot.panels)
        padded = ConstrainedLayoutEngine(w_pad=0.14, h_pad=0.1)
        made = Figure(figsize=(wide * max(1, len(plot.panels)), high), layout=padded)
        for i, panel in enumerate(plot.panels):
            _draw(made.add_subplot(1, len(plot.panels), i + 1), panel)
        if plot.title:
            made.suptitle(plot.title, x=0.026 / len(plot.panels), ha="left")
        if plot.note:
            made.supxlabel(
                plot.note, x=0.026 / len(plot.panels), ha="left", fontsize=8, color=_colour("soft")
            )
    return made


def _draw(axes: Any, panel: Panel) -> None:
    ours = [curve for curve in panel.curves if not curve.published]
    theirs = [curve for curve in panel.curves if curve.published]
    colours = {curve.name: SERIES[i % len(SERIES)] for i, curve in enumerate(ours)}
    for i, curve in enumerate(ours):
        colour = colours[curve.name]
        dashes = DASHES[i // len(SERIES) % len(DASHES)]
        axes.plot(curve.x, curve.y, dashes, color=colour, label=curve.name)
        if len(curve.low):
            axes.fill_between(curve.x, curve.low, curve.high, color=colour, alpha=0.16, lw=0)
    alone = [curve for curve in theirs if curve.beside not in colours]
    for i, curve in enumerate(alone, len(ours)):
        colours[curve.beside or curve.name] = SERIES[i % len(SERIES)]
    for curve in theirs:
        colour = _colour("ink") if alone == [curve] else colours[curve.beside or curve.name]
        look = {"marker": "o", "markerfacecolor": _colour("paper"), "markersize": 4.5}
        axes.plot(curve.x, curve.y, "--", color=colour, label=curve.name, **look)
        if len(curve.low):
            axes.fill_between(curve.x, curve.low, curve.high, color=colour, alpha=0.08, lw=0)
    if panel.level is not None:
        axes.axhline(panel.level, color=_colour("grey"), lw=1.0)
    axes.set_xlabel(panel.x)
    axes.set_ylabel(panel.y)
    if panel.title:
        axes.set_title(panel.title, loc="left")
    if panel.log_x:
        axes.set_xscale("log")
    if panel.log_y:
        axes.set_yscale("log")
    axes.grid(True, axis="y")
    if len(panel.curves) > 1 or any(curve.published for curve in panel.curves):
        if len(panel.curves) > MOST_INSIDE:
            axes.legend(frameon=False, loc="upper left", bbox_to_anchor=(1.0, 1.0))
        else:
            axes.legend(facecolor=_colour("paper"), edgecolor="none", framealpha=0.85)


def _style() -> dict[str, Any]:
    ink, soft, paper, grid = map(_colour, ("ink", "soft", "paper", "grey"))
    return {
        "font.family": "sans-serif",
        "font.size": 10,
        "figure.facecolor": paper,
        "axes.facecolor": paper,
        "savefig.facecolor": paper,
        "text.color": ink,
        "axes.labelcolor": soft,
        "axes.edgecolor": grid,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.titlesize": 10.5,
        "axes.titleweight": "bold",
        "figure.titlesize": 13,
        "figure.titleweight": "bold",
        "xtick.color": soft,
        "ytick.color": soft,
        "grid.color": grid,
        "grid.alpha": 0.35,
        "grid.linewidth": 0.6,
        "lines.linewidth": 1.8,
        "legend.fontsize": 8.5,
    }


def _colour(role: str) -> str:
    return COLOURS[role][0]


def _matplotlib() -> Any:
    try:
        import matplotlib
    except ImportError:
        raise InputError(
            f"plots are drawn by Matplotlib, which is not installed: {installing('plots')}"
        ) from None
    return matplotlib
