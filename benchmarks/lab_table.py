"""Every experiment of the lab with several seeds: clause, estimate, interval, verdicts, time.

    python benchmarks/lab_table.py RESULTS                      runs what is missing, then prints
    python benchmarks/lab_table.py RESULTS gem bandit           these alone
    python benchmarks/lab_table.py RESULTS --seeds 0-1 --most 180
    python benchmarks/lab_table.py RESULTS --print              only prints

RESULTS is a folder: one JSON file for each experiment and seed, written when it is finished, and
the steps of the one that runs. So the script can be ended at any time and started again. `--most`:
an experiment that took longer than so many seconds with its first seed gets no more seeds. The
table shows the first seed's figures and the verdicts of all; what has no file is "not yet run".
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

from ponder import lab

SHORT = {"holds": "H", "does not hold": "N", "undecided": "u", "not run": "-"}


def seeds_of(text: str) -> list[int]:
    first, _, last = text.partition("-")
    return list(range(int(first), int(last or first) + 1))


def run_missing(folder: Path, names: list[str], seeds: list[int], most: float) -> None:
    for seed in seeds:
        for name in names:
            file = folder / f"{name}-{seed}.json"
            before = read(folder, name, seeds[0])
            if file.exists() or (before and seed != seeds[0] and before["seconds"] > most):
                continue
            print(f"{name}, seed {seed}", flush=True)
            steps, began = folder / f"{name}-{seed}.steps", time.perf_counter()
            report = lab.run(name, seed=seed, resume=steps)
            found = {**report.to_json(), "seconds": time.perf_counter() - began}
            file.write_text(json.dumps(found))
            steps.unlink(missing_ok=True)
            print(f"  {report.verdict}, {found['seconds']:.0f} s", flush=True)


def read(folder: Path, name: str, seed: int) -> Any:
    file = folder / f"{name}-{seed}.json"
    return json.loads(file.read_text()) if file.exists() else None


def number(value: float | None) -> str:
    return "" if value is None else f"{value:.3g}"


def table(folder: Path, names: list[str], seeds: list[int]) -> None:
    print("| experiment | clause | test | estimate | interval | verdicts | seconds |")
    print("|---|---|---|---:|---|---|---:|")
    for name in names:
        found = {seed: read(folder, name, seed) for seed in seeds}
        first = next((data for data in found.values() if data), None)
        if first is None:
            print(f"| {name} | | | | | not yet run | |")
            continue
        for i, clause in enumerate(first["clauses"]):
            words = "".join(
                SHORT[data["clauses"][i]["verdict"]] if data else "." for data in found.values()
            )
            low, high = number(clause["low"]), number(clause["high"])
            seconds = f"{first['seconds']:.0f}" if i == 0 else ""
            print(
                f"| {name if i == 0 else ''} | {clause['id']} | {clause['test']} | "
                f"{number(clause['value'])} | {low} to {high} | {words} | {seconds} |"
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*", default=list(lab.EXPERIMENTS))
    parser.add_argument("--seeds", type=seeds_of, default=[0, 1, 2, 3, 4])
    parser.add_argument("--most", type=float, default=1e9, help="seconds")
    parser.add_argument("--print", action="store_true", dest="only_print")
    given = parser.parse_args()
    given.folder.mkdir(exist_ok=True)
    if not given.only_print:
        run_missing(given.folder, given.names, given.seeds, given.most)
    table(given.folder, given.names, given.seeds)


if __name__ == "__main__":
    main()
