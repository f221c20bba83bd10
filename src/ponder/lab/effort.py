"""How deep alpha-beta gets with as many nodes as minimax needs for depth 4."""

from __future__ import annotations

from ponder.core.position import Position
from ponder.lab.matches import openings
from ponder.lab.plan import Between, Clause, Plan, Size
from ponder.lab.running import Lab
from ponder.lab.samples import Average, Exact
from ponder.search.alphabeta import AlphaBeta, plain_alphabeta
from ponder.search.minimax import Minimax

DEPTH = 4
GAMES = (("connect4", 4), ("othello", 8), ("breakthrough", 8), ("chess", 8))
"""Each with the length of its random openings."""
BARE = plain_alphabeta()
WHOLE = AlphaBeta(quiescence=False, memory=16.0)
REACHED = "depth reached"
NAMES = ("alpha-beta alone", "whole engine, all depths together", "whole engine, its last depth")

PLAN = Plan(
    claim="with the effort of a full tree to depth 4, alpha-beta with good move ordering reaches "
    "depth 6 to 8",
    source="Helmert, Foundations of AI (Basel), G7, Comparison of Game Algorithms",
    clauses=(
        Clause(
            "depth",
            "good move ordering reaches depth 6 to 8",
            "mean over positions of the last depth that costs no more nodes than minimax to depth "
            "4, once the shallower ones have given the order",
            Between(6.0, 8.0),
        ),
        Clause(
            "perfect",
            "the best order without a table reaches it, too",
            "depth of the largest minimal tree with no more nodes, b = 7 and b = 35",
            Between(6.0, 8.0),
        ),
    ),
    sizes={
        "positions": Size(6, 60, 200, "of each game, after random openings"),
        "games": Size(2, 4, 4, "connect4, othello, breakthrough, chess", True),
    },
    notes=(
        "without positions that are solved within the nodes; no quiescence search",
        "alpha-beta alone: moves as generated, straight to the depth",
        "minimal tree: b^ceil(i/2) + b^floor(i/2) - 1 nodes at each ply i",
    ),
)


def depths(game: str, plies: int, count: int, seed: int) -> list[list[int]]:
    """Nodes of minimax, and the depths of NAMES, for each position that is not solved."""
    found = []
    for start in openings(game, plies, count, seed):
        budget = Minimax().search(start, depth=DEPTH).nodes or 0
        alone, whole = reached(start, BARE, budget), reached(start, WHOLE, budget)
        if alone is not None and whole is not None:
            found.append([budget, alone[1], *whole])
    return found


def run(lab: Lab) -> None:
    for game, plies in GAMES[: lab["games"]]:
        found = lab.step(game, depths, game, plies, lab["positions"], lab.seed)
        lab.observe(game, None, "nodes of minimax to depth 4", Average([row[0] for row in found]))
        for i, name in enumerate(NAMES, 1):
            clause = "depth" if name == NAMES[-1] else ""
            bounds = (0.0, 40.0)
            lab.observe(name, game, REACHED, Average([r[i] for r in found], bounds=bounds), clause)
    for branching in (7, 35):
        full = sum(branching**ply for ply in range(DEPTH + 1))
        depth = Exact(perfect(branching, full))
        lab.observe("best order", f"b = {branching}", REACHED, depth, "perfect")


def reached(start: Position, engine: AlphaBeta, budget: int) -> tuple[int, int] | None:
    """The greatest depths with at most `budget` nodes: of all depths together, of the last one.

    An engine that does not deepen has only one depth to pay for. None where the game is solved
    within the nodes: there depth says nothing.
    """
    together = last = DEPTH - 1
    before = 0
    while last < 40:
        depth = last + 1
        found = engine.search(start, depth=depth, nodes=before + budget + 1)
        nodes = found.nodes or 0
        if found.stopped_by == "nodes" or nodes - before > budget:
            break
        if found.stopped_by == "solved":
            return None
        last = depth
        if nodes <= budget:
            together = depth
        if engine.deepen:
            before = nodes
    return together, last


def perfect(branching: int, budget: int) -> int:
    """The depth of the greatest minimal tree (Knuth & Moore 1975) with at most `budget` nodes."""
    depth, nodes = 0, 1
    while nodes <= budget:
        depth += 1
        nodes += int(branching ** -(-depth // 2) + branching ** (depth // 2) - 1)
    return depth - 1
