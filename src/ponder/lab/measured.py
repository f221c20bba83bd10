"""What has been measured of the experiments at their default size: `docs/lab/results.jsonl`, read.

One line per experiment and seed, written by `benchmarks/lab_table.py`, which makes the table of the
documentation from it; packages carry a copy beside this file.
"""

from __future__ import annotations

import hashlib
import json
from functools import cache
from pathlib import Path
from statistics import median
from typing import Any

from ponder.lab.plan import Plan

HERE = Path(__file__)
PLACES = (HERE.with_name("results.jsonl"), HERE.parents[3] / "docs" / "lab" / "results.jsonl")


def identity(plan: Plan) -> str:
    """What a result belongs to: the clauses and sizes that were fixed before the data were seen."""
    # all of a size but `least`, which refuses and measures nothing
    sizes = sorted((name, *size[:-1]) for name, size in plan.sizes.items())
    fixed = repr((plan.clauses, sizes))
    return hashlib.sha256(fixed.encode()).hexdigest()[:16]


def read_results(file: Path | None) -> list[dict[str, Any]]:
    """One dictionary per experiment and seed, in the order of the file."""
    return [json.loads(line) for line in file.read_text().splitlines()] if file else []


def measured() -> dict[str, dict[str, Any]]:
    """By experiment: the median of `seconds` that a seed took, and its `clauses` with estimate and
    interval of the first seed and the verdicts of all that were run. Experiments that have not been
    run are not in it."""
    return by_experiment(next((place for place in PLACES if place.is_file()), None))


@cache
def by_experiment(file: Path | None) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for result in sorted(read_results(file), key=lambda result: result["seed"]):
        clauses = [clause_row(clause) for clause in result["clauses"]]
        here = found.setdefault(
            result["experiment"], {"seconds": [], "seeds": [], "clauses": clauses}
        )
        here["seconds"].append(result["seconds"])
        here["seeds"].append(result["seed"])
        for row, clause in zip(here["clauses"], result["clauses"], strict=True):
            row["verdicts"].append(clause["verdict"])
    for here in found.values():
        here["seconds"] = round(median(here["seconds"]))
    return found


def clause_row(clause: dict[str, Any]) -> dict[str, Any]:
    value, low, high = clause["value"], clause["low"], clause["high"]
    interval = f"{number(low)} to {number(high)}" if low != high else "" if low is None else "exact"
    place = ", ".join(str(part) for part in (clause.get("series"), clause.get("x")) if part)
    return {
        "id": clause["id"],
        "test": clause["test"],
        "place": place,
        "estimate": number(value),
        "interval": interval,
        "verdicts": [],
    }


def number(value: float | None) -> str:
    return "" if value is None else f"{value:.3g}"
