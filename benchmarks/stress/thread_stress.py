"""Several threads in one tree: is any visit lost?

    python benchmarks/stress/thread_stress.py [SIMULATIONS] [RUNS]

Long searches of small games with 2 and 4 threads, SIMULATIONS (10 million) in all, and RUNS (3,000)
short ones: 50 to 500 simulations, 2 to 8 threads, other seeds and parts each time, with trees kept
between moves, at memory caps, with proofs. After every search the sums of the whole tree are
checked. Prints what was counted; ends with status 1 if anything did not add up.
"""

from __future__ import annotations

import random
import sys
from typing import Any

import numpy as np

from ponder import position
from ponder.core.registry import parse_engine
from ponder.mcts.parallel import AT_ONCE

GAMES = ("tictactoe", "connect4", "tree('[[3,12,8],[2,[4,[6,1]]],[14,5,2]]')")
PARTS = (
    "",
    "backup=solver()",
    "select=rave()",
    "backup=solver(), select=puct(), expand=all_children()",
    "recycle=False",
)


def complaints(result: Any, carried: int, *, whole: bool) -> list[str]:
    """What does not add up in the tree of a search that began with `carried` visits.

    `whole`: nothing was dropped or left unexpanded for want of memory, and nothing is proven (where
    it is, simulations end), so that visits which did not go on to a child are those of a node's
    own evaluations.
    """
    nodes, n = result.tree._store.nodes, result.simulations
    found = []
    if nodes[0].visits != 1 + carried + n:
        found.append(f"the root has {nodes[0].visits} visits, not {1 + carried + n}")
    rows = sum(row.visits for row in result.moves)
    if rows != carried + n:
        found.append(f"the moves have {rows} visits, not {carried + n}")
    inner = np.flatnonzero(nodes.first >= 0)
    below = np.zeros(len(nodes) + 1, np.int64)
    below[1:] = np.cumsum(nodes.visits)
    first = nodes.first[inner]
    children = below[first + nodes.count[inner]] - below[first]
    own = nodes.visits[inner] - children
    if (own < 0).any():
        found.append(f"{(own < 0).sum()} nodes have fewer visits than their children")
    if whole and (own > own_limit(result)).any():
        found.append(f"{(own > own_limit(result)).sum()} nodes lost visits on the way down")
    seen = nodes.visits > 0
    low, high = result.tree._store.utilities
    means = nodes.value[seen] / nodes.visits[seen]
    if ((means < low - 1e-9) | (means > high + 1e-9)).any():
        found.append("a mean is out of range")
    if nodes.first.max() + 1 > len(nodes) or nodes.first.min() < -1:
        found.append("a node has no children where it says")
    return found


def own_limit(result: Any) -> int:
    """Evaluations of its own that an expanded node may have: one, and those of threads that met.

    All simulations that threads have under way may evaluate a leaf whose children are being made.
    """
    return 1 + AT_ONCE * max(2, parse_engine(result.engine).threads)


def long_searches(total: int) -> tuple[int, list[str]]:
    each, made, found = total // (2 * len(GAMES)), 0, []
    for game in GAMES:
        for threads in (2, 4):
            engine = parse_engine(f"mcts(threads={threads})")
            result = engine.search(position(game), simulations=each, memory=4096, seed=made)
            made += result.simulations
            wrong = complaints(result, 0, whole=True)
            found += [f"{game}, {threads} threads: {text}" for text in wrong]
            print(f"{game[:12]:12} {threads} threads {result.simulations:>11,} simulations", end="")
            print(f" {result.tree.size:>11,} nodes  {'; '.join(wrong) or 'all there'}", flush=True)
    return made, found


def short_runs(runs: int) -> tuple[int, list[str]]:
    dice, made, done, found = random.Random(1), 0, 0, []
    while done < runs:
        game, parts = dice.choice(GAMES), dice.choice(PARTS)
        if "rave" in parts and game.startswith("tree"):
            continue
        text = ", ".join(part for part in (f"threads={dice.randint(2, 8)}", parts) if part)
        small = dice.random() < 0.5
        engine, here, tree = parse_engine(f"mcts({text})"), position(game), None
        while not here.is_terminal and done < runs:
            n, seed = dice.randint(50, 500), dice.randrange(1 << 30)
            # with 8 threads there must be room for the children of 8 nodes
            memory = 0.03 if small else 64
            result = engine.search(here, simulations=n, seed=seed, memory=memory, tree=tree)
            root = result.tree._store.nodes[0]
            carried = int(root.visits) - 1 - result.simulations
            wrong = complaints(result, carried, whole=not small and "solver" not in parts)
            before = 0 if tree is None else visits_of(tree, here)
            if carried != before:
                wrong.append(f"{carried} visits were carried on, not {before}")
            if result.simulations != n and result.stopped_by != "solved":
                wrong.append(f"{result.simulations} simulations were made, not {n}")
            found += [f"mcts({text}) on {here}: {text_}" for text_ in wrong]
            done, made = done + 1, made + result.simulations
            tree, here = result.tree, here.play(result.action)
    return made, found


def visits_of(tree: Any, here: Any) -> int:
    """The visits of the moves of `here` in an earlier search's tree, one move before."""
    for child in tree.root.children:
        if child.action == here.last_action:
            return sum(c.visits for c in child.children) if child.is_expanded else 0
    return 0


def main() -> int:
    total, runs = (
        int(sys.argv[1]) if len(sys.argv) > 1 else 10_000_000,
        int(sys.argv[2]) if len(sys.argv) > 2 else 3000,
    )
    made, wrong = long_searches(total)
    print(f"{made:,} simulations in long searches, {len(wrong)} complaints")
    more, also = short_runs(runs)
    print(f"{runs:,} short searches, {more:,} simulations, {len(also)} complaints")
    for text in [*wrong, *also][:20]:
        print(text)
    return 1 if wrong or also else 0


if __name__ == "__main__":
    sys.exit(main())
