"""Strength against simulations: twice as many against as many, doubling after doubling."""

from __future__ import annotations

from ponder.lab.matches import EloOf, Rounds, openings, play, score
from ponder.lab.plan import Above, Clause, Figure, Plan, Published, Size
from ponder.lab.running import Lab
from ponder.mcts.engine import MCTS
from ponder.mcts.select.ucb import UCB1

GAMES = {"connect4": 4, "go": 4}
"""With the length of their random openings."""
SCORE, ELO = "score of twice the simulations", "Elo for a doubling"
RUNGS = tuple(50 << k for k in range(6))

PLAN = Plan(
    claim="the search can be stopped at any time, and the more simulations the better the play",
    source="Long, Search (III) (Tsinghua): Monte Carlo tree search; Elo for a doubling from "
    "Chaslot 2010 (13x13 Go) and Gelly & Silver 2011 (9x9 Go)",
    clauses=(
        Clause("more", "doublings make it stronger, in each game", f"{SCORE}, all", Above(0.5)),
        Clause("every", "every single one does", SCORE, Above(0.5)),
    ),
    sizes={
        "connect4": Size(30, 60, 400, "openings a doubling, each from both seats"),
        "go": Size(0, 20, 100, "the same on 9x9", True, 0),
        "doublings": Size(3, 6, 6, "in connect4, from 50 simulations; in go two fewer", True, 3),
    },
    notes=(
        "mcts(select=ucb1(c=1.0), simulations=...); random openings",
        "published figures are from games against other programs, ours from games against itself, "
        "where differences are larger",
    ),
    published=(
        Published("Chaslot 2010, 13x13", "go", ELO, dict.fromkeys(RUNGS[:4], 56.7)),
        Published("Gelly & Silver 2011, 9x9", "go", ELO, dict.fromkeys(RUNGS[:4], 86.0)),
    ),
    figures=(Figure(ELO, "simulations, against twice as many", log_x=True),),
)


def player(simulations: int) -> MCTS:
    return MCTS(select=UCB1(c=1.0), simulations=simulations)


def run(lab: Lab) -> None:
    for game, plies in GAMES.items():
        rungs = RUNGS[: lab["doublings"] - (2 if game == "go" else 0)]
        if not lab[game]:
            continue
        starts = openings(game, plies, lab[game], lab.seed)
        found: list[Rounds] = []
        for n in rungs:
            what = f"{game}: {2 * n:,} against {n:,} simulations"
            found.append(lab.step(what, play, player(2 * n), player(n), starts, lab.seed))
            lab.observe(game, n, SCORE, score(found[-1]), "every")
            lab.observe(game, n, ELO, EloOf(score(found[-1])))
        # the games from one opening, of all doublings, are one observation
        together: Rounds = [[p for r in rounds for p in r] for rounds in zip(*found, strict=True)]
        lab.observe(game, None, f"{SCORE}, all", score(together), "more")
        lab.observe(game, None, f"{ELO}, all", EloOf(score(together)))
