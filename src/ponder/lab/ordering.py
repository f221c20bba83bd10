"""Leaves that alpha-beta visits in random trees, with the worst, a random and the best order."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ponder.jit import kernel
from ponder.lab.old_report import Report, Tell
from ponder.lab.trees import adversary_leaves, arranged, random_leaves

CASES = ((2, 16), (3, 10), (4, 8), (5, 8), (8, 6))
QUICK = ((2, 12), (4, 6))
PEARL = {2: 1.618034, 3: 2.147899, 4: 2.629658, 5: 3.079596, 8: 4.309330}
"""R* of Pearl (1982): x / (1 - x), where x**b + x = 1."""
COLUMNS = ("b", "m", "order", "leaves", "of b^m", "exponent", "growth a ply", "published")


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


def run(quick: bool, seed: int, tell: Tell) -> Report:
    trees = 20 if quick else 60
    rows: list[tuple[Any, ...]] = []
    off = 0.0
    sound = True
    for branching, plies in QUICK if quick else CASES:
        tell(f"{trees} trees with {branching}^{plies} leaves")
        # Even and odd plies differ: growth is measured over two of them.
        means = {}
        for deep in (plies, plies - 2):
            found = [orders(branching, deep, seed * 1000 + k) for k in range(trees)]
            means[deep] = {name: float(np.mean([f[name] for f in found])) for name in found[0]}
            means[deep]["adversary"] = visited(adversary_leaves(branching, deep), branching, deep)
        full = branching**plies
        published = {
            "adversary": f"b^m = {full:,}",
            "worst first": "at most b^m",
            "random": f"R* = {PEARL[branching]:.3f}, b^0.75 = {branching**0.75:.3f}",
            "best first": f"{minimal(branching, plies):,} leaves, b^0.5 = {branching**0.5:.3f}",
        }
        for name, expected in published.items():
            leaves = means[plies][name]
            growth = math.sqrt(leaves / means[plies - 2][name])
            exponent = math.log(leaves) / (plies * math.log(branching))
            rows.append((branching, plies, name, leaves, leaves / full, exponent, growth, expected))
            if name == "random":
                off = max(off, abs(growth / PEARL[branching] - 1))
        sound &= means[plies]["adversary"] == full
        sound &= means[plies]["best first"] == minimal(branching, plies)
        sound &= means[plies]["worst first"] > means[plies]["random"] > minimal(branching, plies)
    holds = bool(sound and off < 0.15)
    return Report(
        claim="worst order O(b^m), random order O(b^0.75m), best order O(b^0.5m)",
        source="the lecture, Move Ordering; Knuth & Moore 1975; Pearl 1982 (R*)",
        columns=COLUMNS,
        rows=tuple(rows),
        holds=holds,
        conclusion=(
            "the adversary's tree takes all b^m leaves and the best order exactly "
            f"b^ceil(m/2) + b^floor(m/2) - 1: {'yes' if sound else 'no'}; the growth a ply with "
            f"random order is within {off:.0%} of R*"
        ),
        notes=(
            f"means of {trees} trees, distinct uniform leaves; exponent: log(leaves) / (m log b); "
            "growth: over the last two plies",
            "worst first: children sorted by exact value, which is not yet the worst case; "
            "adversary: leaf values with which nothing is ever cut off",
        ),
    )
