"""P-games once more, in whole numbers of Python: the move values, and the truth by alpha-beta."""

from __future__ import annotations

MASK = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15


def splitmix64(x: int) -> int:
    """One step of Vigna's splitmix64 from state x."""
    x = (x + GOLDEN) & MASK
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & MASK
    return x ^ (x >> 31)


def move_value(seed: int, path: int) -> int:
    return splitmix64((path * GOLDEN + splitmix64(seed)) & MASK) >> 57


def value(branching: int, depth: int, seed: int, path: int, total: int, ply: int) -> int:
    """The value for MAX: 1, 0 or -1. Stops at a win, which nothing can improve."""
    if ply == depth:
        return (total > 0) - (total < 0)
    sign = -1 if ply % 2 else 1
    best = -1
    for a in range(branching):
        below = path * branching + a
        worth = sign * move_value(seed, below)
        best = max(best, sign * value(branching, depth, seed, below, total + worth, ply + 1))
        if best == 1:
            break
    return sign * best


def root_values(branching: int, depth: int, seed: int) -> list[int]:
    """The value for MAX of each first move."""
    return [
        value(branching, depth, seed, branching + a, move_value(seed, branching + a), 1)
        for a in range(branching)
    ]


def telling_seeds(branching: int, depth: int, count: int) -> dict[int, set[int]]:
    """The first seeds whose root moves differ in value, with the best moves of each."""
    found: dict[int, set[int]] = {}
    seed = 0
    while len(found) < count:
        values = root_values(branching, depth, seed)
        if min(values) < max(values):
            found[seed] = {a for a, v in enumerate(values) if v == max(values)}
        seed += 1
    return found
