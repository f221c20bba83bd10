"""Leaves that alpha-beta visits in random trees, with the worst, a random and the best order."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from ponder.jit import kernel
from ponder.lab.plan import Above, Between, Clause, Figure, Plan, Published, Size
from ponder.lab.running import Lab
from ponder.lab.samples import Average, Exact, Jackknife
from ponder.lab.trees import adversary_leaves, arranged, random_leaves

PEARL = {2: 1.618034, 3: 2.147899, 4: 2.629658, 5: 3.079596, 8: 4.309330}
"""R* of Pearl (1982): x / (1 - x), where x**b + x = 1."""
LEAVES, GROWTH, OFF = "leaves visited", "growth a ply, random order", "exceptions"
MULTIPLE = "growth a ply with random order, as a multiple"

PLAN = Plan(
    claim="worst order O(b^m), random order O(b^0.75m), best order O(b^0.5m)",
    source="Long, Search (III) (Tsinghua): Move Ordering; Knuth & Moore 1975; Pearl 1982 (R*)",
    clauses=(
        Clause("worst", "there are trees in which all b^m leaves are visited", OFF, Between(0, 0)),
        Clause(
            "best",
            "with the best order it is the minimal tree, b^ceil(m/2) + b^floor(m/2) - 1",
            f"{OFF}, tree by tree",
            Between(0, 0),
        ),
        Clause(
            "pearl",
            "with a random order the leaves grow by R* a ply",
            f"{MULTIPLE} of R*",
            Between(0.85, 1.15),
        ),
        Clause(
            "lecture",
            "that is about b^0.75",
            f"{MULTIPLE} of b^0.75",
            Between(0.85, 1.15),
        ),
        Clause(
            "between",
            "random lies between the worst order of a tree and its best",
            "leaves, worst first less random, and random less best, as a share of all",
            Above(0.0),
        ),
    ),
    sizes={
        "cases": Size(
            ((2, 12), (4, 6)),
            ((2, 16), (3, 10), (4, 8), (5, 8), (8, 6)),
            ((2, 16), (3, 10), (4, 8), (5, 8), (8, 6)),
            "branching b and plies m",
            True,
        ),
        "trees": Size(20, 240, 240, "trees of each"),
    },
    notes=(
        "distinct uniform leaves; growth: the root of leaves at m plies over leaves at m - 2, as "
        "even and odd plies differ",
        "worst first: children sorted by exact value, which is not yet the worst case; adversary: "
        "leaf values with which nothing is ever cut off",
    ),
    published=(Published("Pearl", "R*", GROWTH, PEARL),),
    figures=(Figure(GROWTH, "branching b"),),
)


@kernel
def count_leaves(leaves, branching, plies, place, ply, alpha, beta, counted):
    """Fail-soft alpha-beta from left to right, MAX at even plies; counted[0] grows by a leaf each.

    The node is number `place` of its ply. MAX and MIN are written out, as in the lecture.
    """
    if ply == plies:
        counted[0] += 1
        return leaves[place]
    maximise = ply % 2 == 0
    best = -np.inf if maximise else np.inf
    for i in range(branching):
        child = place * branching + i
        if maximise:
            low = max(alpha, best)
            value = count_leaves(leaves, branching, plies, child, ply + 1, low, beta, counted)
            best = max(best, value)
            if best >= beta:
                break
        else:
            high = min(beta, best)
            value = count_leaves(leaves, branching, plies, child, ply + 1, alpha, high, counted)
            best = min(best, value)
            if best <= alpha:
                break
    return best


def visited(leaves: Any, branching: int, plies: int) -> int:
    """Leaves that alpha-beta visits from left to right with an open window."""
    counted = np.zeros(1, np.int64)
    count_leaves(leaves, branching, plies, 0, 0, -np.inf, np.inf, counted)
    return int(counted[0])


def minimal(branching: int, plies: int) -> int:
    """Leaves of the minimal tree (Knuth & Moore 1975)."""
    return int(branching ** -(-plies // 2) + branching ** (plies // 2) - 1)


def turns(plies: int) -> str:
    return ("+-" * plies)[:plies]


def orders(branching: int, plies: int, seed: int) -> dict[str, int]:
    """Leaves visited in one random tree, by order of the children."""
    tree = random_leaves(branching, plies, seed)
    shape = (branching, turns(plies))
    return {
        "worst first": visited(arranged(tree, *shape, best_first=False), branching, plies),
        "random": visited(tree, branching, plies),
        "best first": visited(arranged(tree, *shape, best_first=True), branching, plies),
    }


def counted(branching: int, plies: int, trees: int, seed: int) -> list[dict[str, int]]:
    return [orders(branching, plies, seed * 1_000 + k) for k in range(trees)]


def run(lab: Lab) -> None:
    for branching, plies in lab["cases"]:
        size = f"b = {branching}, m = {plies}"
        full = branching**plies
        found, before = (
            lab.step(
                f"{size}: trees of {deep} plies", counted, branching, deep, lab["trees"], lab.seed
            )
            for deep in (plies, plies - 2)
        )
        everything = visited(adversary_leaves(branching, plies), branching, plies)
        lab.observe(f"{size}: adversary", None, OFF, Exact(int(everything != full)), "worst")
        off = sum(tree["best first"] != minimal(branching, plies) for tree in found)
        lab.observe(f"{size}: best order", None, OFF, Exact(off, len(found)), "best")
        for name in found[0]:
            lab.observe(name, size, LEAVES, spread([tree[name] for tree in found]))
        lab.observe("all", size, LEAVES, Exact(full))
        pairs = [[a["random"], b["random"]] for a, b in zip(found, before, strict=True)]
        lab.observe("ours", branching, GROWTH, Jackknife(growth, pairs))
        for clause, by in (("pearl", PEARL[branching]), ("lecture", branching**0.75)):
            multiple = Jackknife(partial(growth, by=by), pairs)
            lab.observe(f"{clause}, {by:.3f}", size, MULTIPLE, multiple, clause)
        for one, two in (("worst first", "random"), ("random", "best first")):
            apart = [(tree[one] - tree[two]) / full for tree in found]
            lab.observe(f"{one} less {two}", size, "share of all leaves", spread(apart), "between")


def growth(sums: Any, by: float = 1.0) -> Any:
    """By how much the leaves grow a ply, from the sums at m and m - 2 plies; a multiple of `by`."""
    return np.sqrt(sums[..., 0] / sums[..., 1]) / by


def spread(values: list[float]) -> Average | Exact:
    """Counts that never differ are exact."""
    return Average(values) if len(set(values)) > 1 else Exact(values[0], len(values))
