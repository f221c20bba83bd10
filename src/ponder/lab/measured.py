"""What has been measured of the experiments at their default size: `docs/lab/results.jsonl`, read.

One line per experiment and seed, written by `benchmarks/agreement/lab_table.py`, which makes the
table of the documentation from it; packages carry a copy beside this file.
"""

from __future__ import annotations

import hashlib
import json
from functools import cache
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

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
    interval of the first seed, the verdicts of all that were run and what they say `together`.
    Experiments that have not been run are not in it."""
    return by_experiment(next((place for place in PLACES if place.is_file()), None))


@cache
def by_experiment(file: Path | None) -> dict[str, dict[str, Any]]:
    results: dict[str, list[dict[str, Any]]] = {}
    for result in sorted(read_results(file), key=lambda result: result["seed"]):
        results.setdefault(result["experiment"], []).append(result)
    return {
        name: {
            "seconds": round(median(seed["seconds"] for seed in seeds)),
            "seeds": [seed["seed"] for seed in seeds],
            "clauses": [
                clause_row(clause)
                for clause in zip(*(seed["clauses"] for seed in seeds), strict=True)
            ],
        }
        for name, seeds in results.items()
    }


def clause_row(seeds: tuple[dict[str, Any], ...]) -> dict[str, Any]:
    first = seeds[0]
    return {
        "id": first["id"],
        "test": first["test"],
        "place": ", ".join(str(first[part]) for part in ("series", "x") if first.get(part)),
        "estimate": number(first["value"]),
        "interval": interval(first["low"], first["high"]),
        "verdicts": [seed["verdict"] for seed in seeds],
        "together": together(seeds),
    }


def together(seeds: tuple[dict[str, Any], ...]) -> str:
    """The mean of a clause's estimates and its interval, at the place that is the weakest for every
    seed; empty where another one is.

    Seeds are independent samples of one size: of k of them the error is that of one, over sqrt(k).
    """
    first = seeds[0]
    places = {(seed["series"], seed["x"]) for seed in seeds}
    if len(seeds) == 1 or len(places) > 1 or first["value"] is None:
        return ""
    value, low, high = (np.array([seed[of] for seed in seeds]) for of in ("value", "low", "high"))
    mean, k = float(value.mean()), len(seeds)
    below, above = (float(np.hypot.reduce(part)) / k for part in (value - low, high - value))
    return f"{number(mean)} ({interval(mean - below, mean + above)})"


def interval(low: float | None, high: float | None) -> str:
    return f"{number(low)} to {number(high)}" if low != high else "" if low is None else "exact"


def number(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:.3g}" if abs(value) > 1e-12 else "0"  # what is left of a sum is no figure
