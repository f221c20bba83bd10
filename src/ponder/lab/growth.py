"""Children at the second visit keep the tree small: nodes and depth against simulations.

A node gets its children at its n-th visit; until then it is evaluated again and again. Coulom's
program took the second visit, "which keeps the stored tree bounded".
"""

from __future__ import annotations

from ponder.core.position import Position
from ponder.core.registry import parse_game
from ponder.lab.plan import Below, Between, Clause, Figure, Plan, Size
from ponder.lab.running import Lab
from ponder.lab.samples import Average, Exact
from ponder.mcts.engine import MCTS
from ponder.mcts.expand import NthVisit
from ponder.mcts.run import CompiledRun
from ponder.mcts.select.ucb import UCB1

GAMES = ("connect4", "othello", "go")
VISITS = (1, 2, 4, 16)
NODES, DEPTH = "nodes for a simulation", "depth of the deepest node"
SAVED = "nodes, second visit as a share of the first"
UNLIKE = "pairs of searches, first and second visit, whose deepest nodes differ in depth"

PLAN = Plan(
    claim="making a node's children at its second visit keeps the tree small, at no cost in "
    "depth: every simulation still makes at most one node grow",
    source="Coulom 2006, section 2; PhD for Dummies: a node's children are created the second time "
    "it is visited, so memory stays bounded",
    clauses=(
        Clause("small", "the tree is at most half as large", SAVED, Below(0.5)),
        Clause(
            "bounded",
            "nodes grow about in proportion to simulations, no faster",
            f"{NODES} at the end as a multiple of that after 1,000, second visit",
            Below(1.25),
        ),
        Clause(
            "depth",
            "it costs no depth: a node is searched below from its second visit on either way",
            UNLIKE,
            Between(0, 0),
        ),
    ),
    sizes={
        "searches": Size(3, 20, 20, "of each game"),
        "simulations": Size(10_000, 100_000, 1_000_000, "of each", least=1_000),
        "games": Size(2, 3, 3, "connect4, othello, go", True),
    },
    notes=("mcts(select=ucb1(c=1.0), expand=nth_visit(n)), from the start of the game",),
    figures=(
        Figure(NODES, "simulations", log_x=True, of="othello"),
        Figure(DEPTH, "simulations", log_x=True, of="othello"),
    ),
)


def grown(game: str, n: int, steps: list[int], searches: int, seed: int) -> list[list[list[int]]]:
    """[nodes, deepest] of every search after each of `steps`."""
    engine = MCTS(select=UCB1(c=1.0), expand=NthVisit(n))
    found = []
    for i in range(searches):
        start, seen = Position(parse_game(game)), []
        run = CompiledRun(start, engine, seed * 1_000 + i, 2_000.0).prepare()
        for step in steps:
            run.advance(step - run.done)
            seen.append([run.store.size, run.store.deepest])
        found.append(seen)
    return found


def run(lab: Lab) -> None:
    steps = [10**k for k in range(2, len(str(lab["simulations"])))]
    for game in GAMES[: lab["games"]]:
        found = {}
        for n in VISITS:
            series = f"{game}: visit {n}"
            sizes = (game, n, steps, lab["searches"], lab.seed)
            found[n] = lab.step(series, grown, *sizes)
            for k, step in enumerate(steps):
                lab.observe(series, step, NODES, Average([s[k][0] / step for s in found[n]]))
                depths = Average([s[k][1] for s in found[n]], bounds=(0.0, 60.0))
                lab.observe(series, step, DEPTH, depths)
        pairs = list(zip(found[2], found[1], strict=True))
        share = Average([a[-1][0] / b[-1][0] for a, b in pairs])
        lab.observe(game, None, SAVED, share, "small")
        growth = [s[-1][0] / steps[-1] / (s[1][0] / steps[1]) for s in found[2]]
        lab.observe(game, None, f"{NODES}, end over 1,000", Average(growth), "bounded")
        unlike = sum(any(x[1] != y[1] for x, y in zip(a, b, strict=True)) for a, b in pairs)
        lab.observe(game, None, UNLIKE, Exact(unlike, len(pairs)), "depth")
