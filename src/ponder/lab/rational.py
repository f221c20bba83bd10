"""Minimax play against opponents that are not perfect, and what it costs to assume they are."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np

from ponder.core.position import Position
from ponder.lab.report import Report, Tell
from ponder.lab.trees import RandomTree, levels
from ponder.search.expectiminimax import Expectiminimax
from ponder.search.minimax import Minimax

TURNS = "+-+-"
COLUMNS = ("trees", "play", "pairs", "against the claim", "mean value for MAX", "published")
Policy = tuple[Any, ...]
"""For each ply of one player: the choice at each of its nodes, from left to right."""


def best_policy(values: list[Any], branching: int, turn: str) -> Policy:
    """What the exact values, ply by ply, tell the player to choose at each of its nodes."""
    pick = np.argmax if turn == "+" else np.argmin
    return tuple(
        pick(below.reshape(-1, branching), axis=1)
        for at, below in zip(TURNS, values[1:], strict=True)
        if at == turn
    )


def all_policies(branching: int, turn: str) -> list[Policy]:
    """Every pure policy of the player; a mixed one is an average of these."""
    sizes = [branching**ply for ply, at in enumerate(TURNS) if at == turn]
    choices = product(range(branching), repeat=sum(sizes))
    return [tuple(np.split(np.array(c), np.cumsum(sizes)[:-1])) for c in choices]


def random_policy(branching: int, turn: str, rng: Any) -> Policy:
    sizes = [branching**ply for ply, at in enumerate(TURNS) if at == turn]
    return tuple(rng.integers(0, branching, size) for size in sizes)


def played(leaves: Any, branching: int, agent: Policy, opponent: Policy) -> float:
    """V(agent, opponent): follow both policies from the root."""
    place, plies = 0, {"+": iter(agent), "-": iter(opponent)}
    for turn in TURNS:
        place = place * branching + int(next(plies[turn])[place])
    return float(leaves[place])


def against_random(leaves: Any, branching: int, agent: Policy) -> float:
    """The mean value of a policy of MAX against uniformly random moves."""
    values, policies = np.asarray(leaves), list(agent)
    for turn in reversed(TURNS):
        children = values.reshape(-1, branching)
        if turn == "-":
            values = children.mean(axis=1)
        else:
            values = children[np.arange(children.shape[0]), policies.pop()]
    return float(values[0])


def run(quick: bool, seed: int, tell: Tell) -> Report:
    rows: list[tuple[Any, ...]] = []
    faults = 0
    small, large, opponents = (10, 20, 20) if quick else (100, 300, 100)
    for branching, trees, every in ((2, small, True), (5, large, False)):
        rng = np.random.default_rng(seed)
        tell(f"{trees} trees with {branching} branches")
        low, high, agents, enemies = 0, 0, [], []
        value, found, mean, best, punished = [], [], [], [], []
        for k in range(trees):
            tree = RandomTree(branching, TURNS, seed=seed * 100_000 + k)
            leaves = tree.leaves()
            exact = levels(leaves, branching, TURNS)
            pi_max = best_policy(exact, branching, "+")
            pi_min = best_policy(exact, branching, "-")
            if every:
                others = [all_policies(branching, turn) for turn in "-+"]
            else:
                others = [
                    [random_policy(branching, turn, rng) for _ in range(opponents)] for turn in "-+"
                ]
            both = played(leaves, branching, pi_max, pi_min)
            value.append(both)
            found.append(Minimax().search(Position(tree), depth=len(TURNS)).value)
            theirs = [played(leaves, branching, pi_max, other) for other in others[0]]
            ours = [played(leaves, branching, other, pi_min) for other in others[1]]
            low += sum(v < both for v in theirs)
            high += sum(v > both for v in ours)
            enemies += theirs
            agents += ours
            mean.append(against_random(leaves, branching, pi_max))
            # A random opponent is a chance node: expectimax is the best reply to it.
            chance = tree._replace(turns=TURNS.replace("-", "?"))
            reply = Expectiminimax(table=False).search(Position(chance), depth=len(TURNS))
            best.append(reply.value)
            trusting = best_policy(levels(leaves, branching, chance.turns), branching, "+")
            punished.append(played(leaves, branching, trusting, pi_min))
        which = "all" if every else "random"
        size = f"{trees} of {branching}^{len(TURNS)}"
        faults += low + high + sum(a != b for a, b in zip(value, found, strict=True))
        faults += sum(p > v for p, v in zip(punished, value, strict=True))
        faults += sum(b < m - 1e-12 for b, m in zip(best, mean, strict=True))
        rows += [
            (size, "pi_max, pi_min", trees, 0, float(np.mean(value)), "V(pi_max, pi_min)"),
            (size, f"pi_max, {which} opponents", len(enemies), low, float(np.mean(enemies)), ">="),
            (size, f"{which} agents, pi_min", len(agents), high, float(np.mean(agents)), "<="),
            (size, "pi_max, random moves", trees, None, float(np.mean(mean)), ">="),
            (size, "best reply to random moves", trees, None, float(np.mean(best)), "better"),
            (size, "that reply, pi_min", trees, None, float(np.mean(punished)), "<="),
        ]
    price = float(np.mean(best) - np.mean(mean))
    risk = float(np.mean(value) - np.mean(punished))
    gift = float(np.mean(mean) - np.mean(value))
    return Report(
        claim="V(pi_max, pi_min) <= V(pi_max, pi_opp) for all opponents, and "
        ">= V(pi_agent, pi_min) for all agents; against weak opponents others may do better",
        source="the lecture, Minimax Properties",
        columns=COLUMNS,
        rows=tuple(rows),
        holds=faults == 0 and price > 0,
        conclusion=(
            f"{faults} counterexamples; on the larger trees random moves give minimax play "
            f"{gift:+.3f} more than perfect ones, and knowing that they are random another "
            f"{price:+.3f}, the price of assuming a perfect opponent; trusting in that costs "
            f"{risk:.3f} against a perfect one"
        ),
        notes=(
            "values of leaves uniform in -0.9 .. 0.9; with 2 branches all 1,024 opponents and all "
            "32 agents, which covers the mixed ones",
        ),
    )
