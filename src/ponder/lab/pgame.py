"""Random minimax trees: how often UCT, plain Monte Carlo and Monte Carlo with minimax backup fail.

The experiment of Kocsis & Szepesvari (2006), section 3.1. A search fails if the move it recommends
is not one of the best by the exact values; only trees count whose root moves are not all alike.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ponder.core.position import Position
from ponder.core.protocols import as_number
from ponder.core.registry import part_text
from ponder.games.pgame import PGame, move_value
from ponder.jit import U, kernel
from ponder.lab.plan import Above, Below, Clause, Figure, Plan, Size
from ponder.lab.running import Lab
from ponder.lab.samples import Average, Share
from ponder.mcts.backup.operators import Max
from ponder.mcts.decide import HighestValue
from ponder.mcts.engine import MCTS
from ponder.mcts.presets import flat
from ponder.mcts.select.drawn import EpsilonGreedy
from ponder.mcts.select.ucb import UCB1, UCTDecaying

MOMENTS = (10, 30, 100, 300, 1_000, 3_000, 10_000, 30_000, 100_000)
HUGE = 2
"""Beyond every result."""
DECIDE = HighestValue()
UCT, DECAYING, MC, MMMC = "UCT", "UCT, decaying exponent", "MC", "MMMC"
SEARCHES = {
    DECAYING: MCTS(select=UCTDecaying(), decide=DECIDE),
    UCT: MCTS(select=UCB1(c=2.0 * math.sqrt(2.0)), decide=DECIDE),
    MC: flat(decide=DECIDE),
    MMMC: MCTS(select=EpsilonGreedy(epsilon=1.0), backup=Max(points=1), decide=DECIDE),
}
"""MMMC: moves drawn uniformly in the tree as well, every node worth its best child."""
FAILS = "share of searches that fail"

PLAN = Plan(
    claim="UCT stops failing with about as many simulations as alpha-beta needs leaves; plain "
    "Monte Carlo levels off at a significant failure rate, and with minimax backup it is worse "
    "still at these sizes",
    source="Kocsis & Szepesvari 2006, section 3.1: B = 2, D = 20 and B = 8, D = 8, 200 trees, 200 "
    "runs each",
    clauses=(
        Clause("uct", "UCT stops failing", f"{FAILS} with the most simulations", Below(0.05)),
        Clause(
            "leaves",
            "with about as many simulations as alpha-beta needs leaves",
            f"{FAILS}, UCT with as many simulations as alpha-beta visits leaves in the same tree",
            Below(0.1),
        ),
        Clause("mc", "plain Monte Carlo levels off", f"{FAILS} with the most", Above(0.05)),
        Clause(
            "mmmc",
            "minimax backup makes Monte Carlo worse at these sizes",
            f"{FAILS}, mean over all numbers of simulations, MMMC less MC, tree by tree",
            Above(0.0),
        ),
    ),
    sizes={
        "shapes": Size(((2, 14),), ((2, 20), (8, 6)), ((2, 20), (8, 6)), "B and D", True),
        "trees": Size(30, 800, 800, "whose root moves differ in value, one search of each kind"),
        "leaves": Size(30, 5_000, 5_000, "such trees, searched with alpha-beta's leaves"),
        "most": Size(10_000, 100_000, 100_000, "simulations", least=10),
    },
    notes=(
        "the move with the highest value is taken",
        *(f"{name}: {part_text(engine)}" for name, engine in SEARCHES.items()),
        "alpha-beta: leaves visited from left to right on the results 1, 0, -1; no order of moves, "
        "no table",
    ),
    figures=(
        Figure(FAILS, "simulations", log_x=True, of="B = 2, D = 20"),
        Figure(FAILS, "simulations", log_x=True, of="B = 8, D = 6"),
    ),
)


@kernel
def play_out(game, path, total, ply, alpha, beta, counted):
    """The result for MAX, 1, 0 or -1, of the node that `path` leads to with a sum of `total`.

    Fail-soft alpha-beta from left to right, MAX at even plies; counted[0] grows by a leaf each. The
    tree is made as it is visited: with three values and cuts that is a hundredth of its leaves.
    """
    if ply == game.depth:
        counted[0] += 1
        return np.int64(1) if total > 0 else np.int64(-1) if total < 0 else np.int64(0)
    maximise = ply % 2 == 0
    best = np.int64(-HUGE) if maximise else np.int64(HUGE)
    for a in range(game.branching):
        below = path * U(game.branching) + U(a)
        value = np.int64(move_value(U(game.seed), below))
        if maximise:
            low = max(alpha, best)
            best = max(best, play_out(game, below, total + value, ply + 1, low, beta, counted))
            if best >= beta:
                break
        else:
            high = min(beta, best)
            best = min(best, play_out(game, below, total - value, ply + 1, alpha, high, counted))
            if best <= alpha:
                break
    return best


class KnownTree(NamedTuple):
    """A tree, the exact values of its root moves for MAX, and what alpha-beta has to look at."""

    game: PGame
    moves: tuple[float, ...]
    leaves: int
    """Visited by alpha-beta from left to right, without knowledge or memory."""


def known(game: PGame) -> KnownTree:
    counted, one = np.zeros(1, np.int64), np.int64(1)
    whole = np.int64(-HUGE), np.int64(HUGE)
    moves = []
    for a in range(game.branching):
        path = U(game.branching) + U(a)
        first = np.int64(move_value(U(game.seed), path))  # MAX begins
        moves.append(float(play_out(game, path, first, one, *whole, counted)))
    counted[0] = 0
    play_out(game, U(1), np.int64(0), np.int64(0), *whole, counted)
    return KnownTree(game, tuple(moves), int(counted[0]))


def telling_trees(branching: int, depth: int, count: int, seed: int) -> list[KnownTree]:
    """The first `count` trees, from a seed on, whose root moves differ in value."""
    found: list[KnownTree] = []
    number = 100_000 * seed
    while len(found) < count:
        tree = known(PGame(branching, depth, number))
        if len(set(tree.moves)) > 1:
            found.append(tree)
        number += 1
    return found


def failures(engine: MCTS, trees: list[KnownTree], moments: Any, seed: int) -> list[list[bool]]:
    """Does the search of a tree recommend a move that is not best, at each of its moments?

    `moments` has the numbers of simulations, rising, for each tree; one search passes them all.
    """
    found = []
    for i, (tree, numbers) in enumerate(zip(trees, moments, strict=True)):
        session, made, failed = engine.start(Position(tree.game), seed=seed * 1_000 + i), 0, []
        for n in numbers:
            session.run(simulations=n - made)
            made = n
            failed.append(tree.moves[as_number(session.result().action)] < max(tree.moves))
        found.append(failed)
    return found


def run(lab: Lab) -> None:
    moments = [n for n in MOMENTS if n <= lab["most"]]
    for branching, depth in lab["shapes"]:
        where = f"B = {branching}, D = {depth}"
        count, more = lab["trees"], lab["leaves"]
        lab.tell(f"{where}: {max(count, more):,} trees")
        known_trees = telling_trees(branching, depth, max(count, more), lab.seed)
        trees = known_trees[:count]
        share: dict[str, Any] = {}
        for name, engine in SEARCHES.items():
            series = f"{where}: {name}"
            found = lab.step(series, failures, engine, trees, [moments] * len(trees), lab.seed)
            for n, failed in zip(moments, zip(*found, strict=True), strict=True):
                clause = {UCT: "uct", DECAYING: "uct", MC: "mc"}.get(name, "")
                lab.observe(series, n, FAILS, Share(failed), clause if n == moments[-1] else "")
            share[name] = np.mean(found, axis=1)
        what = f"{where}: {UCT}, alpha-beta's leaves"
        leaves = [tree.leaves for tree in known_trees[:more]]
        found = lab.step(
            what, failures, SEARCHES[UCT], known_trees[:more], [[n] for n in leaves], lab.seed
        )
        lab.observe(what, None, FAILS, Share([failed for (failed,) in found]), "leaves")
        lab.observe(where, None, "leaves of alpha-beta", Average(leaves))
        worse = Average((share[MMMC] - share[MC]).tolist(), bounds=(-1.0, 1.0))
        lab.observe(where, None, f"{FAILS}, MMMC less MC", worse, "mmmc")
