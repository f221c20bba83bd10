"""Random minimax trees: how often UCT, plain Monte Carlo and Monte Carlo with minimax backup fail.

The experiment of Kocsis & Szepesvari (2006), section 3.1. A search fails if the move it recommends
is not one of the best by the exact values; only trees count whose root moves are not all alike.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ponder.core.position import Position
from ponder.core.registry import part_text
from ponder.games.pgame import PGame, move_value
from ponder.jit import U, kernel
from ponder.lab.old_report import Report, Tell
from ponder.lab.ordering import turns, visited
from ponder.lab.trees import levels
from ponder.mcts.backup.extremes import Max
from ponder.mcts.decide import HighestValue
from ponder.mcts.engine import MCTS
from ponder.mcts.presets import flat
from ponder.mcts.select.drawn import EpsilonGreedy
from ponder.mcts.select.ucb import UCB1, UCTDecaying

SHAPES = ((2, 20), (8, 6))
STEPS = (10, 30, 100, 300, 1_000, 3_000, 10_000, 30_000, 100_000)
DECIDE = HighestValue()
SEARCHES = {
    "UCT, decaying exponent": MCTS(select=UCTDecaying(), decide=DECIDE),
    "UCT": MCTS(select=UCB1(c=2.0 * math.sqrt(2.0)), decide=DECIDE),
    "MC": flat(decide=DECIDE),
    "MMMC": MCTS(select=EpsilonGreedy(epsilon=1.0), backup=Max(points=1), decide=DECIDE),
}
"""MMMC: moves drawn uniformly in the tree as well, every node worth its best child."""
PLAIN = ("MC", "MMMC")


@kernel
def fill_leaves(seed, branching, depth, out):
    """The result for MAX of every way from the root, from left to right: 1, 0 or -1."""
    base = U(branching)
    for leaf in range(out.size):
        # the way to the leaf: a 1, then the moves as digits, as the game keeps it
        path = U(out.size) + U(leaf)
        total = 0
        for ply in range(depth - 1, -1, -1):
            value = move_value(seed, path)
            total += -value if ply & 1 else value
            path //= base
        out[leaf] = 1.0 if total > 0 else (-1.0 if total < 0 else 0.0)


class Known(NamedTuple):
    """A tree, the exact values of its root moves for MAX, and what alpha-beta has to look at."""

    game: PGame
    moves: tuple[float, ...]
    leaves: int
    """Visited by alpha-beta from left to right, without knowledge or memory."""


def known(game: PGame) -> Known:
    leaves = np.empty(game.branching**game.depth)
    fill_leaves(U(game.seed), game.branching, game.depth, leaves)
    values = levels(leaves, game.branching, turns(game.depth))
    return Known(game, tuple(values[1].tolist()), visited(leaves, game.branching, game.depth))


def telling_trees(branching: int, depth: int, count: int, seed: int) -> list[Known]:
    """The first `count` trees, from a seed on, whose root moves differ in value."""
    found: list[Known] = []
    number = 100_000 * seed
    while len(found) < count:
        tree = known(PGame(branching, depth, number))
        if len(set(tree.moves)) > 1:
            found.append(tree)
        number += 1
    return found


def failures(engine: MCTS, trees: list[Known], simulations: int, runs: int) -> float:
    """The share of searches that recommend a move which is not among the best."""
    failed = 0
    for tree in trees:
        start = Position(tree.game)
        for run in range(runs):
            found = engine.search(start, simulations=simulations, seed=run)
            failed += tree.moves[found.action] < max(tree.moves)
    return failed / (runs * len(trees))


def run(quick: bool, seed: int, tell: Tell) -> Report:
    shapes = ((2, 14),) if quick else SHAPES
    steps = (30, 1_000, 10_000) if quick else STEPS
    count, runs = (15, 2) if quick else (60, 4)
    rows: list[tuple[Any, ...]] = []
    sound, lines = True, []
    for branching, depth in shapes:
        trees = telling_trees(branching, depth, count, seed)
        leaves = sum(tree.leaves for tree in trees) / len(trees)
        curves: dict[str, list[float]] = {}
        for name, engine in SEARCHES.items():
            tell(f"B = {branching}, D = {depth}, {name}: {count} trees, {runs} runs each")
            curve = [failures(engine, trees, n, runs) for n in steps]
            curves[name] = curve
            rows.append((branching, depth, name, *curve, zero_from(curve, steps)))
        rows.append((branching, depth, "alpha-beta", *[None] * len(steps), round(leaves)))
        uct, decaying, mc, mmmc = (curves[n] for n in ("UCT", "UCT, decaying exponent", *PLAIN))
        sound &= uct[-1] == decaying[-1] == 0.0 < mc[-1]
        sound &= sum(mmmc) > sum(mc)
        where = f"B = {branching}, D = {depth}"
        still = max(uct[-1], decaying[-1])
        clean = zero_from(uct, steps), zero_from(decaying, steps)
        lines.append(
            f"{where}: UCT still fails in {still:.1%}"
            if still
            else f"{where}: UCT stops failing at {clean[0]:,} simulations (decaying {clean[1]:,}; "
            f"alpha-beta needs {leaves:,.0f} leaves), MC still fails in {mc[-1]:.1%}, MMMC in "
            f"{mmmc[-1]:.1%}"
        )
    return Report(
        claim="UCT stops failing with about as many simulations as alpha-beta needs leaves; plain "
        "Monte Carlo levels off at a significant failure rate, and with minimax backup it is "
        "worse still at these sizes",
        source="Kocsis & Szepesvari 2006, section 3.1: B = 2, D = 20 and B = 8, D = 8, "
        "200 trees, 200 runs each",
        columns=(
            "B",
            "D",
            "search",
            *(f"{n:,}" for n in steps),
            "simulations or leaves to 0",
        ),
        rows=tuple(rows),
        holds=sound,
        conclusion="; ".join(lines),
        notes=(
            f"the share of searches whose move is not one of the best; {count} trees whose root "
            f"moves differ in value, {runs} runs each; the move with the highest value is taken",
            *(f"{name}: {part_text(engine)}" for name, engine in SEARCHES.items()),
            "alpha-beta: leaves visited from left to right on the results 1, 0, -1, the mean over "
            "the same trees; no order of moves, no table",
        ),
    )


def zero_from(curve: list[float], steps: tuple[int, ...]) -> int | None:
    """The number of simulations from which on no search failed."""
    clean = [n for i, n in enumerate(steps) if not any(curve[i:])]
    return clean[0] if clean else None
