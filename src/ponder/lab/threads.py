"""Two threads against one: simulations a second, and strength with equal simulations and time."""

from __future__ import annotations

import statistics
import time
from typing import Any, NamedTuple

from ponder.arena.result import MatchResult
from ponder.core.position import Position
from ponder.lab.matches import limit_text, openings, pairs, pooled
from ponder.lab.old_report import Report, Tell
from ponder.mcts.engine import MCTS
from ponder.mcts.parallel import KINDS
from ponder.mcts.select.ucb import UCB1

GAMES = (("othello", 8, 30), ("go(size=7)", 4, 20))
"""The game, random plies, openings."""
QUICK = (("connect4", 4, 50),)
SIMULATIONS, SECONDS = 200, 0.01
"""For a move."""
THREADS = 2
PUBLISHED = {"tree": 2.0, "root": 3.0, "leaf": 1.2}
"""Strength speed-up of two threads in 13x13 Go (Chaslot 2010); tree: with virtual loss."""


class ThreadSpeed(NamedTuple):
    """Medians over several short searches."""

    by_clock: float
    """Simulations a second."""
    by_work: float
    """Simulations a second of processor time, of all threads together."""


def run(quick: bool, seed: int, tell: Tell) -> Report:
    """The quick version has no clock in its matches: two threads make twice the simulations."""
    kinds = ("tree", "root") if quick else tuple(KINDS)
    limit: dict[str, Any] = {"simulations": SIMULATIONS} if quick else {"seconds": SECONDS}
    more = {name: 2 * value for name, value in limit.items()}
    equal = {"simulations": SIMULATIONS}
    rows: list[tuple[Any, ...]] = []
    gained: dict[str, list[MatchResult]] = {kind: [] for kind in kinds}
    for game, plies, count in QUICK if quick else GAMES:
        starts = openings(game, plies, count, seed)
        tell(f"{game}: simulations a second")
        speed = measure(starts[0], kinds, 0.02 if quick else 0.3, 3 if quick else 7)
        one = speed["one"]
        tell(f"{game}: one thread, {limit_text(more)} against {limit_text(limit)}")
        double = pairs(alone(more), alone(limit), starts, seed)
        rows.append((game, "1", one.by_clock, 1.0, 1.0, *[None] * 6, 1.0, None))
        rows.append((game, "1, doubled", *[None] * 6, *shown(double), 2.0, None))
        for kind in kinds:
            tell(f"{game}: {THREADS} threads, {kind}, {2 * count} games with equal simulations")
            same = pairs(together(kind, equal), alone(equal), starts, seed)
            tell(f"{game}: {THREADS} threads, {kind}, {2 * count} games in equal time")
            timed = pairs(together(kind, more if quick else limit), alone(limit), starts, seed)
            gained[kind].append(timed)
            rows.append(
                (
                    game,
                    f"{THREADS}, {kind}",
                    speed[kind].by_clock,
                    speed[kind].by_clock / one.by_clock,
                    THREADS * speed[kind].by_work / one.by_work,
                    *shown(same),
                    *shown(timed),
                    2 ** (timed.elo / double.elo) if double.score > 0.5 else None,
                    PUBLISHED[kind],
                )
            )
    found = {kind: pooled(results) for kind, results in gained.items()}
    what = "twice the simulations" if quick else "equal time"
    return Report(
        claim="a second thread, in the same tree or in one of its own, makes the search stronger "
        "in the same time",
        source="Chaslot, Winands & van den Herik 2008; Chaslot 2010 (13x13 Go)",
        columns=(
            "game",
            "threads",
            "simulations/s",
            "speed",
            "by work",
            *("equal simulations", "from", "to"),
            *(what, "from", "to"),
            "strength",
            "published",
        ),
        rows=tuple(rows),
        holds=all(found[kind].score_low > 0.5 for kind in ("tree", "root")),
        conclusion=f"{THREADS} threads against one, {what}, all games together: "
        + ", ".join(
            f"{kind} {r.score:.1%} ({r.score_low:.1%} to {r.score_high:.1%}, {r.elo:+.0f} Elo)"
            for kind, r in found.items()
        ),
        notes=(
            f"scores against one thread: {limit_text(equal)} a move; {what}: "
            + (
                f"{limit_text(more)} against {limit_text(limit)}"
                if quick
                else f"{limit_text(limit)} a move"
            )
            + "; from, to: 95 % intervals over openings; select=ucb1(c=1.0)",
            "speed: simulations a second as a multiple of one thread's, by the clock (medians): "
            "only an otherwise idle machine shows it; by work: the same by processor time, what "
            "free cores would give. A simulation of leaf is two games from the same leaf",
            "strength: the speed-up of one thread that would gain as much Elo, 2 ^ (Elo / Elo of a "
            "doubling), as Chaslot's table has it",
        ),
    )


def alone(limit: dict[str, Any]) -> MCTS:
    return MCTS(select=UCB1(c=1.0), **limit)


def together(kind: str, limit: dict[str, Any]) -> MCTS:
    return MCTS(select=UCB1(c=1.0), threads=THREADS, parallel=kind, **limit)


def shown(result: MatchResult) -> tuple[float, float, float]:
    r = result.rating
    return r.score, r.score_low, r.score_high


def measure(
    start: Position, kinds: tuple[str, ...], seconds: float, times: int
) -> dict[str, ThreadSpeed]:
    """The speed of one thread and of each kind of two, measured in turn, so that whatever else
    the machine does disturbs all of them alike."""
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
    return {
        name: ThreadSpeed(*(statistics.median(column) for column in zip(*found, strict=True)))
        for name, found in rates.items()
    }
