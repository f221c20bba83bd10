"""What has been measured of the experiments at their default size: `docs/lab/table.md`, read.

The table is made by `benchmarks/lab_table.py`; packages carry a copy of it beside this file.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

HERE = Path(__file__)
PLACES = (HERE.with_name("table.md"), HERE.parents[3] / "docs" / "lab" / "table.md")
WORDS = {"H": "holds", "N": "does not hold", "u": "undecided", "-": "not run"}
"""Letters of the table's column of verdicts, one for each seed; a dot: not yet run."""


@cache
def measured() -> dict[str, dict[str, Any]]:
    """By experiment: `seconds` of the first seed, and its `clauses` with estimate, interval and the
    verdicts of all seeds that were run. Experiments that have not been run are not in it."""
    file = next((place for place in PLACES if place.is_file()), None)
    found: dict[str, dict[str, Any]] = {}
    name = ""
    for line in file.read_text().splitlines() if file else ():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) != 7 or cells[1] in ("clause", "") or cells[0].startswith("-"):
            continue
        experiment, clause, test, estimate, interval, verdicts, seconds = cells
        name = experiment or name
        one = found.setdefault(name, {"seconds": int(seconds or 0), "clauses": []})
        words = [WORDS[letter] for letter in verdicts if letter in WORDS]
        row = {"id": clause, "test": test, "estimate": estimate, "interval": interval}
        one["clauses"].append({**row, "verdicts": words})
    return found
