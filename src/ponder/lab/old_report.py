"""What an experiment is, which there are, and what it reports.

An experiment is a module of this folder with one function

    run(quick: bool, seed: int, tell: Callable[[str], None]) -> Report

`quick` makes it a matter of seconds, `seed` fixes everything random, `tell` takes progress lines.
One that has a long version, too, has a function `run_full(seed, tell)`; one that can be made with
any game has `run_game(game, quick, seed, tell)`, where `game` is its text.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Any

from ponder.errors import InputError
from ponder.lab.contents import EXPERIMENTS

Tell = Callable[[str], None]


@dataclass(frozen=True)
class Report:
    """A claim, where it is from, what was measured, and what follows."""

    claim: str
    source: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    holds: bool
    """Does what was measured bear the claim out?"""
    conclusion: str
    """One line, computed from the rows."""
    notes: tuple[str, ...] = ()
    name: str = ""
    command: str = ""
    """What prints this report again."""

    @property
    def title(self) -> str:
        return EXPERIMENTS[self.name]

    def to_json(self) -> dict[str, Any]:
        return {
            "experiment": self.name,
            "title": self.title,
            "claim": self.claim,
            "source": self.source,
            "columns": list(self.columns),
            "rows": [list(row) for row in self.rows],
            "holds": self.holds,
            "conclusion": self.conclusion,
            "notes": list(self.notes),
            "command": self.command,
        }

    def __str__(self) -> str:
        """For people; the table is Markdown as well."""
        return "\n".join(
            [
                f"{self.name}: {self.title}",
                "",
                f"claim   {self.claim}",
                f"source  {self.source}",
                "",
                table_text(self.columns, self.rows),
                "",
                f"{'holds' if self.holds else 'FAILS':7} {self.conclusion}",
                *(f"note    {note}" for note in self.notes),
                f"again   {self.command}",
            ]
        )


def table_text(columns: tuple[str, ...], rows: tuple[tuple[Any, ...], ...]) -> str:
    """A Markdown table with aligned columns: texts to the left, numbers to the right."""
    shown = [columns, *(tuple(cell_text(cell) for cell in row) for row in rows)]
    widths = [max(len(row[i]) for row in shown) for i in range(len(columns))]
    left = [all(isinstance(row[i], str) for row in rows) for i in range(len(columns))]
    lines = [
        "| "
        + " | ".join(
            cell.ljust(w) if to_left else cell.rjust(w)
            for cell, w, to_left in zip(row, widths, left, strict=True)
        )
        + " |"
        for row in shown
    ]
    rule = "|".join(
        "-" * (w + 2) if to_left else "-" * (w + 1) + ":"
        for w, to_left in zip(widths, left, strict=True)
    )
    return "\n".join([lines[0], f"|{rule}|", *lines[1:]])


def cell_text(cell: Any) -> str:
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, int):
        return f"{cell:,}"
    if isinstance(cell, float):
        return f"{cell:,.1f}" if abs(cell) >= 100 else f"{cell:.3f}"
    return str(cell)


def perform(
    name: str, quick: bool, seed: int, tell: Tell, full: bool = False, game: str = ""
) -> Report:
    """Run the experiment called `name`; `full`: its long version, `game`: with that game alone, if
    it can."""
    if name not in EXPERIMENTS:
        close = get_close_matches(name, EXPERIMENTS, 1)
        hint = f"; did you mean {close[0]}?" if close else ""
        raise InputError(f"unknown experiment {name!r}{hint} (there are: {', '.join(EXPERIMENTS)})")
    if seed < 0:
        raise InputError(f"seed must be 0 or more, not {seed}")
    if quick and full:
        raise InputError("--quick and --full exclude each other")
    experiment = importlib.import_module(f"ponder.lab.{name}")
    if full and not hasattr(experiment, "run_full"):
        raise InputError(f"{name} has no longer version (backup has): leave --full out")
    if game and (full or not hasattr(experiment, "run_game")):
        raise InputError(f"{name} cannot be made with another game (tune can): leave --game out")
    report: Report
    if game:
        report = experiment.run_game(game, quick, seed, tell)
    else:
        report = experiment.run_full(seed, tell) if full else experiment.run(quick, seed, tell)
    size = " --quick" if quick else " --full" if full else ""
    chosen = f' --game "{game}"' if game else ""
    command = f"ponder lab {name}{size}{chosen} --seed {seed}"
    return replace(report, name=name, command=command)
