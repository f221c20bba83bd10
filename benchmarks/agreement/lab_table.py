"""Every experiment of the lab with several seeds: clause, estimate, interval, verdicts, time.

    python benchmarks/agreement/lab_table.py                            runs what is missing
    python benchmarks/agreement/lab_table.py gem bandit --seeds 0-1     these alone
    python benchmarks/agreement/lab_table.py --only-table               makes the table anew

Each experiment runs at its default size. What is finished is kept in docs/lab/results.jsonl, from
which docs/lab/table.md and the table under "Measured" on each page are made; the claim with which a
page begins and "What is decided" are made from the plans. Finished steps of the one that runs are
in a folder of their own (`--steps`). So the script can be ended at any time and started again. A
result belongs to the clauses and sizes of its plan: where those have changed it is dropped, and the
experiment is run again. Seconds are of processor time, of all threads and processes together.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import tempfile
import textwrap
from pathlib import Path
from typing import Any

from ponder import lab
from ponder.files import save_file
from ponder.lab.measured import by_experiment, identity, read_results
from ponder.lab.plan import SIZES, Plan
from ponder.lab.report import size_text
from ponder.lab.running import module_of

FOLDER = Path(__file__).parents[2] / "docs" / "lab"
RESULTS, TABLE = FOLDER / "results.jsonl", FOLDER / "table.md"
SEEDS = range(5)
SHORT = {"holds": "H", "does not hold": "N", "undecided": "u", "not run": "-"}
CLAUSE = ("id", "test", "series", "x", "value", "low", "high", "verdict")
CLAIM = re.compile(r"\A# [^\n]+\n\n(?:\*\*Claim\.\*\* (?:[^\n]+\n)+\n)?")
"""The title of a page, and the claim below it."""
MEASURED = re.compile(r"## Measured\n\n(?:[^\n|]+\n)+(?:\n(?:\|.*\n)+)?")
"""The heading of a page, the paragraph below it, and the table below that; what follows is written
by hand."""
DECIDED = re.compile(r"## What is decided\n\n[^\n]+\n\n(?:\|.*\n)+\n(?:[^\n]+\n)+")
"""The heading, the sentence below it, the clauses and the sizes."""
HEAD = """# All experiments

Made by `python benchmarks/agreement/lab_table.py`, which can be ended and started again; each
experiment at its default size. Estimates and intervals are those of the first seed that was run,
verdicts those of seeds 0 to 4: H holds, N does not hold, u undecided, - not run at this size, . not
yet run. The intervals are those that decide: all verdicts of one experiment together err with a
probability of at most 5 % ([how](README.md#how-an-experiment-is-decided)), so each of k clauses has
1 - 0.05 / k. *Together* is the mean of all seeds and its interval, at the place (game, rule, size)
where the clause is weakest; it is empty where that is another place with another seed. It was added
when the seeds had been run, and decides nothing. Seconds are processor time, the median of the
seeds.

| experiment | clause | test | estimate | interval | verdicts | together | seconds |
|---|---|---|---:|---|---|---|---:|
"""


def seeds_of(text: str) -> list[int]:
    first, _, last = text.partition("-")
    return list(range(int(first), int(last or first) + 1))


def processor_seconds() -> float:
    return sum(os.times()[:4])


def run_missing(names: list[str], seeds: list[int], steps: Path) -> None:
    for seed in seeds:
        for name in names:
            plan = identity(module_of(name).PLAN)
            key = {"experiment": name, "seed": seed, "plan": plan}
            if any(key.items() <= result.items() for result in kept()):
                continue
            print(f"{name}, seed {seed}", flush=True)
            file, began = steps / f"{name}-{seed}", processor_seconds()
            report = lab.run(name, seed=seed, resume=file)
            spent = processor_seconds() - began
            clauses = [{k: row[k] for k in CLAUSE} for row in report.to_json()["clauses"]]
            save([*kept(), {**key, "seconds": spent, "clauses": clauses}])
            file.unlink(missing_ok=True)
            print(f"  {report.verdict}, {spent:.0f} s", flush=True)


def kept() -> list[dict[str, Any]]:
    """Results that belong to the plans as they are."""
    every = read_results(RESULTS if RESULTS.exists() else None)
    plans = {name: identity(module_of(name).PLAN) for name in lab.EXPERIMENTS}
    return [result for result in every if plans.get(result["experiment"]) == result["plan"]]


def save(results: list[dict[str, Any]]) -> None:
    places = list(lab.EXPERIMENTS)
    results.sort(key=lambda result: (places.index(result["experiment"]), result["seed"]))
    save_file(RESULTS, "".join(json.dumps(result) + "\n" for result in results).encode())
    by_experiment.cache_clear()
    known = by_experiment(RESULTS)
    save_file(TABLE, (HEAD + lines(table_rows(known))).encode())
    for name in lab.EXPERIMENTS:
        page = FOLDER / f"{name}.md"
        text = renewed(page.read_text(), DECIDED, decided_text(module_of(name).PLAN))
        title = text.partition("\n")[0]
        text = renewed(text, CLAIM, f"{title}\n\n{claim_text(module_of(name).PLAN)}\n")
        if name in known:
            text = renewed(text, MEASURED, measured_text(name, known[name]))
        save_file(page, text.encode())


def renewed(page: str, part: re.Pattern[str], text: str) -> str:
    old = part.search(page)
    assert old, f"the page {page.splitlines()[0]!r} lacks {part.pattern!r}"
    return page.replace(old[0], text)


def lines(rows: list[list[str]]) -> str:
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def letters(found: dict[str, Any], clause: dict[str, Any]) -> str:
    """The verdicts on a clause, one letter for each seed."""
    verdicts = dict(zip(found["seeds"], clause["verdicts"], strict=True))
    return "".join(SHORT[verdicts[s]] if s in verdicts else "." for s in SEEDS)


def table_rows(known: dict[str, dict[str, Any]]) -> list[list[str]]:
    made = []
    for name in lab.EXPERIMENTS:
        found = known.get(name)
        if found is None:
            made.append([name, "", "", "", "", "not yet run", "", ""])
            continue
        for i, clause in enumerate(found["clauses"]):
            head = (name, str(found["seconds"])) if i == 0 else ("", "")
            shown = [clause["id"], clause["test"], clause["estimate"], clause["interval"]]
            made.append([head[0], *shown, letters(found, clause), clause["together"], head[1]])
    return made


def claim_text(plan: Plan) -> str:
    """The claim, as a page begins with it."""
    claim = f"**Claim.** {plan.claim[0].upper()}{plan.claim[1:]} ({plan.source})."
    return textwrap.fill(claim, 118, break_long_words=False, break_on_hyphens=False) + "\n"


def decided_text(plan: Plan) -> str:
    """What a page says under "What is decided"."""
    rows = [["clause", "", "estimated", "holds if"], ["---"] * 4]
    rows += [[f"`{c.id}`", c.sentence, c.quantity, str(c.test)] for c in plan.clauses]
    sizes = [
        f"`{name}` {', '.join(size_text(getattr(size, of)) for of in SIZES)} ({size.meaning})"
        for name, size in plan.sizes.items()
    ]
    return (
        "## What is decided\n\n"
        "Stated before the run, in the experiment's file and at the top of its output:\n\n"
        f"{lines(rows)}\nSizes ({', '.join(SIZES)}): {'; '.join(sizes)}.\n"
    )


def measured_text(name: str, found: dict[str, Any]) -> str:
    """What a page says under "Measured"."""
    first = found["seeds"][0]
    head = ["clause", "weakest place", "estimate", "interval", "verdicts", "together"]
    rows = [
        [f"`{c['id']}`", c["place"], c["estimate"], c["interval"], letters(found, c), c["together"]]
        for c in found["clauses"]
    ]
    return (
        f"## Measured\n\n`ponder lab {name} --seed {first}`; verdicts for seeds 0 to 4 "
        "([how to read them](table.md)):\n\n"
        + lines([head, ["---", "---", "---:", "---", "---", "---"], *rows])
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    parser.add_argument("names", nargs="*", default=list(lab.EXPERIMENTS))
    parser.add_argument("--seeds", type=seeds_of, default=list(SEEDS))
    parser.add_argument("--steps", type=Path, default=Path(tempfile.gettempdir()) / "lab_steps")
    parser.add_argument("--only-table", action="store_true")
    given = parser.parse_args()
    given.steps.mkdir(exist_ok=True)
    if given.only_table:
        save(kept())
    else:
        run_missing(given.names, given.seeds, given.steps)


if __name__ == "__main__":
    main()
