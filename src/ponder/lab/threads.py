"""Two threads against one: simulations a second, and strength with equal simulations and time."""

from __future__ import annotations

import os
import time
from typing import Any

from ponder.core.position import Position
from ponder.lab.matches import EloOf, Rounds, limit_text, openings, play, score
from ponder.lab.plan import Above, Clause, Plan, Published, Size
from ponder.lab.running import Lab
from ponder.lab.samples import Average
from ponder.mcts.engine import MCTS
from ponder.mcts.parallel import KINDS
from ponder.mcts.select.ucb import UCB1

GAMES = (("othello", 8), ("go(size=7)", 4))
"""The game, and random plies."""
SIMULATIONS = 200
"""For a move, where they are equal."""
THREADS = 2
SPEED, WORK = "simulations a second, as a multiple of one thread's", "the same by processor time"
SAME, TIMED = (
    f"score against one thread, {SIMULATIONS} simulations",
    "score against one thread, equal time",
)
ALL = "score against one thread in equal time, all games"

PLAN = Plan(
    claim="Monte Carlo tree search is easy to parallelise: a second thread, in the same tree or in "
    "one of its own, brings nearly twice the simulations, and makes the search stronger in the "
    "same time",
    source="Chaslot, Winands & van den Herik 2008; Chaslot 2010 (13x13 Go)",
    clauses=(
        Clause("speed", "two threads in one tree are faster", SPEED, Above(1.2)),
        Clause("speed-root", "two trees are faster", SPEED, Above(1.2)),
        Clause("tree", "two threads in one tree are stronger", ALL, Above(0.5)),
        Clause("root", "two trees are stronger", ALL, Above(0.5)),
    ),
    sizes={
        "openings": Size(8, 125, 250, "each played from both seats in equal time, tree and root"),
        "beside": Size(
            4, 25, 100, "of them for what no clause is about: leaf, twice the time, simulations"
        ),
        "games": Size(1, 2, 2, "othello, go(size=7)", True),
        "milliseconds": Size(5, 5, 10, "a move, where time is equal"),
        "times": Size(3, 40, 60, "short searches to measure the speed"),
    },
    notes=(
        "select=ucb1(c=1.0); random openings; the clauses about time need as many free cores as "
        "threads, so this belongs on an idle machine",
        "a simulation of leaf is two games from the same leaf",
    ),
    published=tuple(
        Published("Chaslot 2010, strength speed-up", kind, SPEED, {"published": value})
        for kind, value in (("tree", 2.0), ("root", 3.0), ("leaf", 1.2))
    ),
)


def measure(start: Position, kinds: tuple[str, ...], seconds: float, times: int) -> dict[str, Any]:
    """Simulations a second, by the clock and by processor time, of one thread and of each kind of
    two, measured in turn, so that whatever else the machine does disturbs all of them alike."""
    engines = {"one": alone({}), **{kind: together(kind, {}) for kind in kinds}}
    rates: dict[str, list[tuple[float, float]]] = {name: [] for name in engines}
    for engine in engines.values():
        engine.search(start, simulations=20, seed=0)  # compiles
    for i in range(times):
        for name, engine in engines.items():
            clock, work = time.perf_counter(), time.process_time()
            made = engine.search(start, seconds=seconds, seed=i).simulations or 0
            clock, work = time.perf_counter() - clock, time.process_time() - work
            rates[name].append((made / clock, made / work))
    return rates


def run(lab: Lab) -> None:
    kinds = tuple(KINDS)
    limit: dict[str, Any] = {"seconds": lab["milliseconds"] / 1000}
    more = {"seconds": 2 * limit["seconds"]}
    equal = {"simulations": SIMULATIONS}
    found: dict[str, list[Rounds]] = {kind: [] for kind in kinds}
    lab.note(f"{os.cpu_count()} cores here, load {os.getloadavg()[0]:.1f} at the beginning")
    for game, plies in GAMES[: lab["games"]]:
        starts = openings(game, plies, lab["openings"], lab.seed)
        seconds = 0.05 if lab.quick else 0.3
        rates = lab.step(f"{game}: speed", measure, starts[0], kinds, seconds, lab["times"])
        what = f"{game}: one thread, twice the time"
        few = starts[: lab["beside"]]
        if not lab.quick:  # nor matches with equal simulations, below: no clause is about them
            double = lab.step(what, play, alone(more), alone(limit), few, lab.seed)
            lab.observe(what, None, TIMED, score(double))
        for kind in kinds:
            series = f"{game}: {kind}"
            both = list(zip(rates[kind], rates["one"], strict=True))
            faster = Average([two[0] / one[0] for two, one in both])
            clause = {"tree": "speed", "root": "speed-root"}.get(kind, "")
            lab.observe(series, None, SPEED, faster, clause)
            work = Average([THREADS * two[1] / one[1] for two, one in both])
            lab.observe(series, None, WORK, work)
            if not lab.quick:
                what = f"{series}, {limit_text(equal)}"
                same = lab.step(what, play, together(kind, equal), alone(equal), few, lab.seed)
                lab.observe(series, None, SAME, score(same))
            timed = lab.step(
                f"{series}, {limit_text(limit)}",
                play,
                together(kind, limit),
                alone(limit),
                few if kind == "leaf" else starts,
                lab.seed,
            )
            lab.observe(series, None, TIMED, score(timed))
            found[kind].append(timed)
    for kind, rounds in found.items():
        lab.observe(kind, None, ALL, score(*rounds), kind if kind in ("tree", "root") else "")
        lab.observe(kind, None, "Elo, equal time, all games", EloOf(score(*rounds)))


def alone(limit: dict[str, Any]) -> MCTS:
    return MCTS(select=UCB1(c=1.0), **limit)


def together(kind: str, limit: dict[str, Any]) -> MCTS:
    return MCTS(select=UCB1(c=1.0), threads=THREADS, parallel=kind, **limit)
