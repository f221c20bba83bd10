"""What each part of the alpha-beta engine brings: nodes and time to a fixed depth without it."""

from __future__ import annotations

import math
import time
from typing import Any

from ponder.core.position import Position
from ponder.lab.matches import openings
from ponder.lab.plan import Above, Between, Clause, Plan, Size
from ponder.lab.running import Lab
from ponder.lab.samples import Average, Exact, Jackknife
from ponder.search.alphabeta import AlphaBeta

GAMES = (("connect4", 6, 9, 7), ("othello", 8, 7, 5), ("chess", 8, 5, 4))
"""Each with the length of its random openings, the depth of the search, and that of --quick."""
NONE, PAIR, ALL = "no ordering at all", "table and history alone", "everything on"
OFF: dict[str, dict[str, Any]] = {
    ALL: {},
    "no table": {"table": False},
    "no hints": {"hints": False},
    "no killers": {"killers": False},
    "no history": {"history": False},
    "no scout": {"scout": False},
    "no aspiration": {"aspiration": False},
    "no deepening": {"deepen": False},
    PAIR: {"hints": False, "killers": False, "scout": False, "aspiration": False},
    NONE: dict.fromkeys(("table", "hints", "killers", "history", "scout", "aspiration"), False)
    | {"deepen": False},
}
RATIO, SHARE = "nodes, as a multiple of everything on", "share of the possible reduction"
LOG = "log2 of the nodes without any ordering over those with everything on, position by position"

PLAN = Plan(
    claim="move ordering makes alpha-beta effective; history and table bring 99 % of the possible "
    "reduction; no part changes the value",
    source="Long, Search (III) (Tsinghua): Move Ordering; Schaeffer 1989 (chess, depths up to 8)",
    clauses=(
        Clause("effective", "ordering saves nodes", LOG, Above(0.0)),
        Clause("most", "table and history bring most of the reduction", SHARE, Above(0.5)),
        Clause("all", "they bring 99 % of it", SHARE, Above(0.99)),
        Clause("same", "no part changes the value", "values that differ", Between(0, 0)),
    ),
    sizes={
        "positions": Size(4, 100, 300, "of each game, after random openings"),
        "games": Size(2, 3, 3, "connect4, othello, chess", True),
    },
    notes=(
        "a ratio below 1 means that the part costs more nodes than it saves there",
        "possible reduction: from the nodes without any ordering down to the fewest of the column",
        "no ordering at all: plain alpha-beta, straight to the depth",
    ),
)


def measure(starts: list[Position], engine: AlphaBeta, depth: int) -> dict[str, Any]:
    """Nodes and values of a search to `depth` from each position; processor seconds of all."""
    engine.search(starts[0], depth=1)  # compiles
    began = time.process_time()
    found = [engine.search(start, depth=depth) for start in starts]
    seconds = time.process_time() - began
    return {"nodes": [r.nodes for r in found], "values": [r.value for r in found], "s": seconds}


def run(lab: Lab) -> None:
    for game, plies, deep, shallow in GAMES[: lab["games"]]:
        depth = shallow if lab.quick else deep
        starts = openings(game, plies, lab["positions"], lab.seed)
        found = {}
        for name, changes in OFF.items():
            engine = AlphaBeta(quiescence=False, memory=16.0)._replace(**changes)
            found[name] = lab.step(
                f"{game} to depth {depth}: {name}", measure, starts, engine, depth
            )
        nodes = {name: seen["nodes"] for name, seen in found.items()}
        fewest = min(nodes, key=lambda name: sum(nodes[name]))
        where, wrong = f"{game}, depth {depth}", 0
        for name, seen in found.items():
            pairs = list(zip(nodes[name], nodes[ALL], strict=True))
            more = Jackknife(lambda s: s[..., 0] / s[..., 1], pairs)
            lab.observe(name, where, RATIO, more if name != ALL else Exact(1))
            lab.observe(name, where, "processor seconds", Exact(seen["s"], len(starts)))
            values = zip(seen["values"], found[ALL]["values"], strict=True)
            wrong += sum(not math.isclose(a, b, abs_tol=1e-9) for a, b in values)
        doublings = [math.log2(a / b) for a, b in zip(nodes[NONE], nodes[ALL], strict=True)]
        lab.observe(NONE, where, LOG, Average(doublings), "effective")
        lab.observe(where, None, "values that differ", Exact(wrong, len(starts)), "same")
        saved = list(zip(nodes[NONE], nodes[PAIR], nodes[fewest], strict=True))
        for clause in ("most", "all"):
            share = Jackknife(lambda s: (s[..., 0] - s[..., 1]) / (s[..., 0] - s[..., 2]), saved)
            lab.observe(f"{PAIR}: {clause}", where, SHARE, share, clause)
        lab.observe(NONE, where, "nodes a position", Average(nodes[NONE]))
