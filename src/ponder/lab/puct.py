"""PUCT's exploration fades: the two terms of the formula at the root, over the simulations.

    Q + C * P * sqrt(N) / (1 + n)

The second term decides while visits are few and is worn down by them: where a move takes a fixed
share of the visits, n ~ N, it falls like 1 / sqrt(N). For a move that gets few it stays large.
"""

from __future__ import annotations

import math
from typing import Any

from ponder.core.position import Position
from ponder.lab.matches import openings
from ponder.lab.plan import Above, Below, Clause, Figure, Plan, Size
from ponder.lab.running import Lab
from ponder.lab.samples import Average
from ponder.mcts.engine import MCTS
from ponder.mcts.expand import AllChildren
from ponder.mcts.run import CompiledRun
from ponder.mcts.select.puct import PUCT
from ponder.mcts.tree import ROOT

GAMES = (("connect4", 6), ("othello", 10))
"""Each with the length of its random openings."""
RULE = PUCT()
TERM, AGREE = "exploration term", "share in which the highest value is the most visited"
SLOPE = "exponent of N in the exploration term of the move visited most"

PLAN = Plan(
    claim="early the prior decides where PUCT looks, later the values do: the exploration term "
    "fades as visits grow",
    source="the blog post Deconstructing AlphaGo: PUCT = Q + U, U fades with visits",
    clauses=(
        Clause(
            "fades",
            "the exploration term of the move visited most fades",
            f"{TERM} at the end as a share of that after 100 simulations",
            Below(0.5),
        ),
        Clause(
            "root",
            "it falls about like 1 / sqrt(N)",
            f"-({SLOPE}), from 100 simulations to the end",
            Above(0.35),
        ),
        Clause(
            "others",
            "it stays for moves that are hardly visited: nothing is given up",
            f"{TERM} at the end, move visited least less move visited most",
            Above(0.0),
        ),
        Clause(
            "values",
            "in the end the values decide",
            f"{AGREE}, end less 100 simulations",
            Above(0.0),
        ),
    ),
    sizes={
        "positions": Size(10, 400, 1_000, "of each game, after random openings"),
        "simulations": Size(10_000, 100_000, 100_000, "of each search", least=1_000),
    },
    notes=("mcts(select=puct(), expand=all_children()): random games and equal priors",),
    figures=(Figure(TERM, "simulations", log_x=True, log_y=True),),
)


def terms(run: CompiledRun) -> list[float]:
    """The exploration terms of the moves visited most and least, and whether the move visited most
    has the highest value, too."""
    moves = run.store.children(ROOT)
    n = float(run.store.nodes[ROOT].visits)
    factor = math.log((n + RULE.c_base + 1.0) / RULE.c_base) + RULE.c_init
    explore = factor * math.sqrt(n) * moves.prior / (1.0 + moves.visits)
    most, least = int(moves.visits.argmax()), int(moves.visits.argmin())
    means = moves.value / moves.visits.clip(1)
    return [float(explore[most]), float(explore[least]), float(means.argmax() == most)]


def watched(starts: list[Position], steps: list[int], seed: int) -> list[list[Any]]:
    engine = MCTS(select=RULE, expand=AllChildren())
    found = []
    for i, start in enumerate(starts):
        run, seen = CompiledRun(start, engine, seed * 1_000 + i, 500.0).prepare(), []
        for step in steps:
            run.advance(step - run.done)
            seen.append(terms(run))
        found.append(seen)
    return found


def run(lab: Lab) -> None:
    steps = [10**k for k in range(2, len(str(lab["simulations"])))]
    for game, plies in GAMES:
        starts = openings(game, plies, lab["positions"], lab.seed)
        found = lab.step(game, watched, starts, steps, lab.seed)
        for k, n in enumerate(steps):
            for place, name in enumerate(("most", "least")):
                sample = Average([seen[k][place] for seen in found])
                lab.observe(f"{game}: visited {name}", n, TERM, sample)
            agree = Average([seen[k][2] for seen in found], bounds=(0.0, 1.0))
            lab.observe(game, n, AGREE, agree)
        left = Average([seen[-1][0] / seen[0][0] for seen in found])
        lab.observe(game, None, f"{TERM}, end over 100", left, "fades")
        decades = math.log(steps[-1] / steps[0])
        slopes = [-math.log(seen[-1][0] / seen[0][0]) / decades for seen in found]
        lab.observe(game, None, f"-({SLOPE})", Average(slopes), "root")
        others = Average([seen[-1][1] - seen[-1][0] for seen in found])
        lab.observe(game, None, f"{TERM}, least less most", others, "others")
        gain = Average([seen[-1][2] - seen[0][2] for seen in found], bounds=(-1.0, 1.0))
        lab.observe(game, None, f"{AGREE}, end less 100", gain, "values")
