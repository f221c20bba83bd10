"""A ply more, two plies more: matches of alpha-beta of depth d against d - 1 and d - 2."""

from __future__ import annotations

from ponder.lab.matches import Rounds, openings, play, score
from ponder.lab.plan import Above, Clause, Figure, Plan, Size
from ponder.lab.running import Lab
from ponder.search.alphabeta import AlphaBeta

GAMES = (("connect4", 4), ("othello", 8), ("breakthrough", 8))
"""Each with the length of its random openings."""
SCORE, ALL = "score of the deeper side", "score of the deeper side, all depths together"

PLAN = Plan(
    claim="deeper search gives better play (usually); more plies make a big difference",
    source="Long, Search (III) (Tsinghua): Resource Limits and Depth Matters",
    clauses=(
        Clause("one", "a ply more plays better, in every game", ALL, Above(0.5)),
        Clause("two", "two plies more play better, in every game", ALL, Above(0.5)),
        Clause(
            "big",
            "two plies more make a big difference",
            f"{ALL}, all games together; 0.64 is 100 Elo",
            Above(0.64),
        ),
    ),
    sizes={
        "deepest": Size(3, 5, 6, "of the deeper side", least=3),
        "openings": Size(8, 30, 100, "each played from both seats"),
        "games": Size(2, 3, 3, "connect4, othello, breakthrough", True),
    },
    notes=(
        "alphabeta(depth=d, quiescence=False); random openings; the games from one opening, of all "
        "depths, are one observation",
    ),
    figures=(Figure(SCORE, "depth of the deeper side"),),
)


def player(depth: int) -> AlphaBeta:
    """Quiescence search would look further than the depth says."""
    return AlphaBeta(depth=depth, memory=1.0, quiescence=False)


def run(lab: Lab) -> None:
    everything: Rounds = []
    for game, plies in GAMES[: lab["games"]]:
        starts = openings(game, plies, lab["openings"], lab.seed)
        for more, clause in ((1, "one"), (2, "two")):
            name = f"{game}, {more} more"
            here: list[Rounds] = []
            for depth in range(1 + more, lab["deepest"] + 1):
                what = f"{name}: depth {depth}"
                here.append(lab.step(what, play, player(depth), player(depth - more), starts, 0))
                lab.observe(name, depth, SCORE, score(here[-1]))
            together: Rounds = [[p for r in found for p in r] for found in zip(*here, strict=True)]
            lab.observe(name, None, ALL, score(together), clause)
            everything += together if more == 2 else []
    lab.observe("all games, 2 more", None, ALL, score(everything), "big")
