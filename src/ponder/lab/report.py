"""What an experiment found: observations, one per row, and a verdict for every clause."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ponder.core.registry import RENDERERS, load
from ponder.core.result import finite
from ponder.errors import InputError
from ponder.files import save_file
from ponder.lab.contents import EXPERIMENTS
from ponder.lab.plan import ERROR, FAILS, HOLDS, NOT_RUN, UNDECIDED, Clause, Plan
from ponder.lab.samples import Interval, Sample

LEVEL = 0.95
"""Of the intervals in tables, plots and files, each taken by itself; verdicts use wider ones."""
FIELDS = ("experiment", "clause", "series", "x", "value", "unit", "n", "low", "high", "seed")
STATUS = {HOLDS: 0, FAILS: 1, UNDECIDED: 3, NOT_RUN: 3}


@dataclass(frozen=True)
class Observation:
    """One figure: of a series, at an x, in a unit; judged, if it names a clause."""

    series: str
    x: Any
    unit: str
    sample: Sample
    clause: str = ""

    @property
    def interval(self) -> Interval:
        return self.sample.interval(LEVEL)

    @property
    def place(self) -> str:
        return self.series if self.x is None else f"{self.series}, {cell_text(self.x)}"


@dataclass(frozen=True)
class Verdict:
    """What follows for one clause, and the observation that it hangs on: the one nearest to
    failing."""

    clause: Clause
    word: str
    level: float
    places: int
    at: Observation | None
    interval: Interval | None
    partly: bool = False
    """It would hold, but not everything that it speaks of was run."""

    def to_json(self) -> dict[str, Any]:
        value, low, high = map(finite, self.interval or (math.nan,) * 3)
        return {
            "id": self.clause.id,
            "sentence": self.clause.sentence,
            "quantity": self.clause.quantity,
            "test": str(self.clause.test),
            "level": self.level,
            "places": self.places,
            "verdict": self.word,
            "series": self.at.series if self.at else None,
            "x": self.at.x if self.at else None,
            "value": value,
            "low": low,
            "high": high,
            "partly": self.partly,
        }

    def __str__(self) -> str:
        head = f"{self.word:13}  {self.clause.id}: {self.clause.sentence}"
        if self.at is None or self.interval is None:
            return head
        where = f"; at {self.at.place}" if self.places == 1 else ""
        if self.places > 1:
            where = f"; the weakest of {self.places}: {self.at.place}"
        where += "; holds in what was run, which is not all of it" if self.partly else ""
        return f"{head}\n{'':15}{interval_text(self.interval)}, to be {self.clause.test}{where}"


def judge(
    plan: Plan, clause: Clause, observations: Iterable[Observation], whole: bool = True
) -> Verdict:
    """The verdict on one clause by all that was observed for it; where only part of the places were
    run, it cannot hold."""
    seen = [found for found in observations if found.clause == clause.id]
    level = plan.level(len(seen))
    if not seen:
        return Verdict(clause, NOT_RUN, level, 0, None, None)
    intervals = [found.sample.interval(level) for found in seen]
    words = [clause.test.judge(i.low, i.high) for i in intervals]
    word = FAILS if FAILS in words else UNDECIDED if UNDECIDED in words else HOLDS
    unfinished = word == HOLDS and not whole
    margins = [clause.test.margin(i.low, i.high) for i in intervals]
    # what failed comes first: an undecided place may have the wider interval
    weakest = min((i for i, w in enumerate(words) if w == word), key=lambda i: margins[i])
    where = seen[weakest], intervals[weakest]
    if unfinished:
        return Verdict(clause, UNDECIDED, level, len(seen), *where, partly=True)
    return Verdict(clause, word, level, len(seen), *where)


@dataclass(frozen=True)
class Report:
    """A plan and what came out."""

    name: str
    plan: Plan
    size: dict[str, Any]
    seed: int
    command: str
    """What prints this report again."""
    observations: list[Observation]
    notes: list[str] = field(default_factory=list)
    interrupted: bool = False
    finished: bool = True
    """Until then nothing holds: other places of a clause may be still to come."""
    resume: str = ""
    """The file in which finished steps are kept."""

    @property
    def title(self) -> str:
        return EXPERIMENTS[self.name]

    @property
    def verdicts(self) -> list[Verdict]:
        sizes = self.plan.sizes.items()
        parts = all(size.covers(self.size.get(n)) for n, size in sizes if size.part)
        whole = self.finished and parts
        return [judge(self.plan, c, self.observations, whole) for c in self.plan.clauses]

    @property
    def verdict(self) -> str:
        """Of all clauses together: the claim holds if each of them does."""
        words = [verdict.word for verdict in self.verdicts]
        return FAILS if FAILS in words else HOLDS if set(words) == {HOLDS} else UNDECIDED

    @property
    def status(self) -> int:
        """The exit status of `ponder lab`."""
        return STATUS[self.verdict]

    def rows(self) -> list[dict[str, Any]]:
        """The observations in long form, with the fields FIELDS."""
        found = []
        for seen in self.observations:
            value, low, high = map(finite, seen.interval)
            values = self.name, seen.clause, seen.series, seen.x, value, seen.unit, seen.sample.n
            found.append(dict(zip(FIELDS, (*values, low, high, self.seed), strict=True)))
        return found

    def to_json(self) -> dict[str, Any]:
        return {
            "experiment": self.name,
            "title": self.title,
            "claim": self.plan.claim,
            "source": self.plan.source,
            "size": self.size,
            "seed": self.seed,
            "command": self.command,
            "interrupted": self.interrupted,
            "verdict": self.verdict,
            "clauses": [verdict.to_json() for verdict in self.verdicts],
            "observations": self.rows(),
            "published": [
                {"source": p.source, "series": p.series, "unit": p.unit, "x": x, "value": value}
                for p in self.plan.published
                for x, value in p.points.items()
            ],
            "notes": [*self.plan.notes, *self.notes],
        }

    def csv(self) -> str:
        """The observations, one per row."""
        text = io.StringIO()
        writer = csv.DictWriter(text, FIELDS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(self.rows())
        return text.getvalue()

    def save_csv(self, path: str | Path) -> None:
        save_file(path, self.csv().encode())

    def plot(self, path: str | Path | None = None) -> Any:
        """The figures of the plan with intervals, the published points beside ours; written to
        `path` (.svg, .png) if there is one."""
        self.check_plot(path)
        return load(RENDERERS["report"])(self, path)

    def check_plot(self, path: str | Path | None) -> None:
        """Refuse what `plot` could not draw, before anything runs."""
        if not self.plan.figures:
            raise InputError(f"{self.name} has nothing to plot: leave --plot out")
        if path is not None:
            load(RENDERERS["plots"])(path)

    @property
    def heading(self) -> str:
        """What was fixed before the run."""
        plan = self.plan
        level = f"{100 * plan.level():.4g} %"
        return "\n".join(
            [
                f"{self.name}: {self.title}",
                "",
                f"claim   {plan.claim}",
                f"source  {plan.source}",
                "size    " + ", ".join(f"{n} {size_text(v)}" for n, v in self.size.items()),
                "",
                f"To be decided by intervals of {level} (shared among the places where a clause is "
                f"observed):",
                *(f"  {c.id}: {c.sentence}\n    {c.quantity}: {c.test}" for c in plan.clauses),
                "A clause holds if its whole interval passes, does not hold if none of it does, "
                "and is undecided",
                f"otherwise; with {1 - ERROR:.0%} confidence no verdict is wrong.",
            ]
        )

    @property
    def findings(self) -> str:
        """What came out; the tables are Markdown as well."""
        last = f"again   {self.command}"
        if self.interrupted and self.resume:
            last = f'go on   {self.command} --resume "{self.resume}"'
        ended = "interrupted: this is what there was"
        ended += "" if self.resume else "; --resume FILE would have kept the finished steps"
        return "\n".join(
            [
                *(f"{table}\n" for table in tables(self)),
                *map(str, self.verdicts),
                "",
                *(f"note    {note}" for note in [*self.plan.notes, *self.notes]),
                *([f"note    {ended}"] if self.interrupted else []),
                last,
            ]
        )

    def __str__(self) -> str:
        return f"{self.heading}\n\n{self.findings}"


def tables(report: Report) -> list[str]:
    """A table for each unit: a row for each series, a column for each x."""
    return [table_text(*table) for table in unit_tables(report)]


def unit_tables(report: Report) -> list[tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]]:
    """The same as columns and rows; the first column is the unit, with the names of the series."""
    units = list(dict.fromkeys(seen.unit for seen in report.observations))
    return [unit_table(report, unit) for unit in units]


def unit_table(report: Report, unit: str) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    cells: dict[str, dict[Any, str]] = {}
    theirs: dict[str, str] = {}
    for seen in report.observations:
        if seen.unit == unit:
            cells.setdefault(seen.series, {})[seen.x] = margin_text(seen.interval)
    xs = list(dict.fromkeys(x for row in cells.values() for x in row))
    for published in report.plan.published:
        shown = {x: cell_text(v) for x, v in published.points.items() if x in xs}
        if published.unit == unit and shown:
            cells[published.name] = shown
            theirs[published.name] = published.series
    heads = [cell_text(x) if x is not None else "" for x in xs]
    rows = [(series, *(row.get(x, "") for x in xs)) for series, row in sorted_rows(cells, theirs)]
    return (unit, *heads), tuple(rows)


def sorted_rows(cells: dict[str, Any], theirs: dict[str, str]) -> list[tuple[str, Any]]:
    """Published figures stand below ours of the same series, which `theirs` names."""
    ours = [name for name in cells if name not in theirs]
    ordered = [name for mine in ours for name in cells if name == mine or theirs.get(name) == mine]
    return [(name, cells[name]) for name in dict.fromkeys([*ordered, *cells])]


def margin_text(found: Interval) -> str:
    """A value with how far its interval reaches to both sides: ± where that is equal."""
    if found.low == found.high:
        return cell_text(found.value)
    reach = found.high - found.value, found.value - found.low
    up, down = (cell_text(part) if math.isfinite(part) else "?" for part in reach)
    return f"{cell_text(found.value)} " + (f"±{up}" if up == down else f"+{up} −{down}")


def interval_text(found: Interval) -> str:
    if found.low == found.high:
        return cell_text(found.value)
    return f"{cell_text(found.value)} ({cell_text(found.low)} to {cell_text(found.high)})"


def size_text(value: Any) -> str:
    """A number, a list, or a list of shapes: 2 x 20 and 8 x 6."""
    if not isinstance(value, tuple):
        return cell_text(value)
    if isinstance(value[0], tuple):
        return " and ".join(" x ".join(map(cell_text, shape)) for shape in value)
    return ", ".join(map(cell_text, value))


def table_text(columns: tuple[str, ...], rows: tuple[tuple[str, ...], ...]) -> str:
    """A Markdown table with aligned columns: the first to the left, the others to the right."""
    shown = [columns, *rows]
    widths = [max(3, *(len(row[i]) for row in shown)) for i in range(len(columns))]

    def line(row: tuple[str, ...]) -> str:
        rest = (cell.rjust(w) for cell, w in zip(row[1:], widths[1:], strict=True))
        return "| " + " | ".join([row[0].ljust(widths[0]), *rest]) + " |"

    rule = ["-" * (widths[0] + 2), *("-" * (w + 1) + ":" for w in widths[1:])]
    return "\n".join([line(columns), f"|{'|'.join(rule)}|", *map(line, rows)])


def cell_text(cell: Any) -> str:
    if isinstance(cell, float) and math.isfinite(cell):
        size = abs(cell)
        if cell == int(cell) and size < 1e6:
            return f"{cell:,.0f}"
        if size >= 100:
            return f"{cell:,.0f}" if size >= 1000 else f"{cell:.1f}"
        return f"{cell:.3f}" if size >= 0.001 else f"{cell:.2g}"
    return f"{cell:,}" if isinstance(cell, int) and not isinstance(cell, bool) else str(cell)
