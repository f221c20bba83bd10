"""Mistakes of engines on solved positions of Connect Four, by stratum.

    python benchmarks/strength/connect4_mistakes.py ENGINE [ENGINE ...] [--set FILE] [--seed 1]

as in

    python benchmarks/strength/connect4_mistakes.py "alphazero(net='connect4', simulations=100)"

`docs/solved-positions.md` says what a mistake is and how the positions were drawn; the set is draw
1 unless --set names another (`connect4_strata.py` draws them). Shares are of all positions of a
stratum, with Wilson's interval of 95 %. Times are of this process's work (CPU).
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path

from connect4_strata import at
from solved_sets import MEDIUM, SOURCES, STRATA, Solved, read_set

from ponder.arena.rating import wilson
from ponder.core.registry import parse_engine

FIRST_DRAW = Path(__file__).with_name("data") / "connect4-strata-1.txt.gz"


def share(wrong: Sequence[bool]) -> str:
    count, of = sum(wrong), len(wrong)
    if not of:
        return "none"
    low, high = wilson(count / of, of)
    return f"{count} of {of} = {count / of:.2%} ({low:.2%} to {high:.2%})"


def table(solved: list[Solved], wrong: list[bool]) -> list[str]:
    """A line for every stratum: both sources together, each source, and of the positions in which a
    mistake is possible."""
    groups = {stratum.name: [stratum] for stratum in STRATA}
    groups["**medium**"] = [stratum for stratum in STRATA if stratum.plies == MEDIUM]
    heads = (
        "stratum",
        "mistakes",
        *(f"from {source} games" for source in SOURCES),
        "where possible",
    )
    lines = ["| " + " | ".join(heads) + " |", "|---" * len(heads) + "|"]
    for name, strata in groups.items():
        these = [
            (one, bad) for one, bad in zip(solved, wrong, strict=True) if one.stratum in strata
        ]
        cells = [share([bad for _, bad in these])]
        cells += [share([bad for one, bad in these if one.source == source]) for source in SOURCES]
        cells += [share([bad for one, bad in these if one.can_go_wrong])]
        lines.append("| " + " | ".join([name, *cells]) + " |")
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("engines", nargs="+", metavar="ENGINE")
    parser.add_argument("--set", type=Path, default=FIRST_DRAW, metavar="FILE")
    parser.add_argument("--seed", type=int, default=1, help="of every search")
    given = parser.parse_args()
    solved = read_set(given.set)
    for text in given.engines:
        engine, wrong = parse_engine(text), []
        engine.search(at(""), seed=given.seed)  # compiles
        began = time.process_time()
        for one in solved:
            action = engine.search(at(one.columns), seed=given.seed).action
            wrong.append(one.is_mistake(int(action)))
        spent = time.process_time() - began
        print(f"{text} on {given.set.name}, {spent:.0f} s of processor time\n")
        print("\n".join(table(solved, wrong)), flush=True)
        print()


if __name__ == "__main__":
    main()
