"""Iterative deepening helps ordering: nodes of the last depth with and without the shallower ones.

What a search of depth d - 1 has found (table moves, history, killers) decides the order of moves at
depth d. The same engine is sent straight to depth d, with nothing to go by.
"""

from __future__ import annotations

from ponder.lab.matches import openings
from ponder.lab.plan import Below, Clause, Figure, Plan, Size
from ponder.lab.running import Lab
from ponder.lab.samples import Average, Jackknife
from ponder.search.alphabeta import AlphaBeta

GAMES = (("connect4", 6, 9, 7), ("othello", 8, 7, 5), ("breakthrough", 6, 6, 4))
"""Each with the length of its random openings, the depth of the search, and that of --quick."""
LAST = "nodes of the last depth, as a multiple of going there straight"
ALL = "nodes of all depths, as a multiple of going there straight"

PLAN = Plan(
    claim="iterative deepening costs little, because the last depth is most of the work, and it "
    "helps: the shallower searches order the moves of the deeper one",
    source="Long, Search (III) (Tsinghua): Iterative Deepening and Move Ordering",
    clauses=(
        Clause("last", "the last depth is cheaper after the shallower ones", LAST, Below(1.0)),
        Clause("all", "even all depths together cost less", ALL, Below(1.0)),
    ),
    sizes={
        "positions": Size(6, 600, 600, "of each game, after random openings"),
        "games": Size(2, 3, 3, "connect4, othello, breakthrough", True),
    },
    notes=("alphabeta(quiescence=False); a fresh table for every search",),
    figures=(Figure(LAST, "depth"), Figure(ALL, "depth")),
)
ENGINE = AlphaBeta(quiescence=False, memory=16.0)


def counts(game: str, plies: int, depth: int, positions: int, seed: int) -> list[list[int]]:
    """For each position: nodes up to depth - 1, up to depth, and straight to depth."""
    found = []
    for start in openings(game, plies, positions, seed):
        before, after = (ENGINE.search(start, depth=d).nodes or 0 for d in (depth - 1, depth))
        straight = ENGINE._replace(deepen=False).search(start, depth=depth).nodes or 0
        if after > before:  # otherwise the game was solved on the way
            found.append([before, after, straight])
    return found


def run(lab: Lab) -> None:
    for game, plies, deep, shallow in GAMES[: lab["games"]]:
        deepest = shallow if lab.quick else deep
        for depth in range(3, deepest + 1):
            what = f"{game}, depth {depth}"
            found = lab.step(what, counts, game, plies, depth, lab["positions"], lab.seed)
            at_end = depth == deepest
            last = Jackknife(lambda s: (s[..., 1] - s[..., 0]) / s[..., 2], found)
            together = Jackknife(lambda s: s[..., 1] / s[..., 2], found)
            lab.observe(game, depth, LAST, last, "last" if at_end else "")
            lab.observe(game, depth, ALL, together, "all" if at_end else "")
            lab.observe(f"{game}, straight", depth, "nodes", Average([row[2] for row in found]))
