"""Minimax play against opponents that are not perfect, and what it costs to assume they are."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np

from ponder.core.position import Position
from ponder.lab.plan import Above, Between, Clause, Plan, Size
from ponder.lab.running import Lab
from ponder.lab.samples import Average, Exact
from ponder.lab.trees import RandomTree, levels
from ponder.search.expectiminimax import Expectiminimax
from ponder.search.minimax import Minimax

TURNS = "+-+-"
BROKEN, VALUE, GAIN = "counterexamples", "mean value for MAX", "value for MAX, tree by tree"

PLAN = Plan(
    claim="V(pi_max, pi_min) <= V(pi_max, pi_opp) for all opponents, and >= V(pi_agent, pi_min) "
    "for all agents; against weak opponents others may do better",
    source="Long, Search (III) (Tsinghua): Minimax Properties",
    clauses=(
        Clause(
            "opponents", "no opponent holds pi_max below the minimax value", BROKEN, Between(0, 0)
        ),
        Clause("agents", "no agent gets more against pi_min", BROKEN, Between(0, 0)),
        Clause("search", "minimax search finds that very value", BROKEN, Between(0, 0)),
        Clause(
            "better",
            "against random moves another policy does better than pi_max",
            "value of the best reply less that of pi_max, both against random moves",
            Above(0.0),
        ),
        Clause(
            "punished",
            "a perfect opponent makes that policy pay for it",
            "minimax value less that of the best reply to random moves, against pi_min",
            Above(0.0),
        ),
    ),
    sizes={
        "small": Size(10, 100, 100, "trees of 2^4 leaves, against all policies"),
        "large": Size(20, 300, 300, "trees of 5^4 leaves"),
        "policies": Size(20, 100, 100, "random opponents and agents for each large tree"),
    },
    notes=(
        "values of leaves uniform in -0.9 .. 0.9; with 2 branches all 1,024 opponents and all 32 "
        "agents, which covers the mixed ones",
    ),
)

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


def look(branching: int, seed: int, opponents: int) -> dict[str, Any]:
    """One tree: exceptions to the laws, and the values of the policies."""
    tree = RandomTree(branching, TURNS, seed)
    leaves = tree.leaves()
    exact = levels(leaves, branching, TURNS)
    pi_max, pi_min = (best_policy(exact, branching, turn) for turn in "+-")
    if opponents:
        rng = np.random.default_rng(seed)
        others = [[random_policy(branching, turn, rng) for _ in range(opponents)] for turn in "-+"]
    else:
        others = [all_policies(branching, turn) for turn in "-+"]
    value = played(leaves, branching, pi_max, pi_min)
    theirs = [played(leaves, branching, pi_max, other) for other in others[0]]
    ours = [played(leaves, branching, other, pi_min) for other in others[1]]
    # A random opponent is a chance node: expectimax is the best reply to it.
    chance = tree._replace(turns=TURNS.replace("-", "?"))
    reply = Expectiminimax(table=False).search(Position(chance), depth=len(TURNS))
    trusting = best_policy(levels(leaves, branching, chance.turns), branching, "+")
    return {
        "low": sum(v < value for v in theirs),
        "high": sum(v > value for v in ours),
        "wrong": int(Minimax().search(Position(tree), depth=len(TURNS)).value != value),
        "pi_max, pi_min": value,
        "pi_max, other opponents": float(np.mean(theirs)),
        "other agents, pi_min": float(np.mean(ours)),
        "pi_max, random moves": against_random(leaves, branching, pi_max),
        "best reply to random moves": reply.value,
        "that reply, pi_min": played(leaves, branching, trusting, pi_min),
    }


def look_at_all(branching: int, trees: int, opponents: int, seed: int) -> list[dict[str, Any]]:
    return [look(branching, seed * 100_000 + k, opponents) for k in range(trees)]


def run(lab: Lab) -> None:
    cases = ((2, lab["small"], 0), (5, lab["large"], lab["policies"]))
    for branching, trees, opponents in cases:
        size = f"{branching}^{len(TURNS)}"
        found = lab.step(
            f"{trees} trees of {size}", look_at_all, branching, trees, opponents, lab.seed
        )
        for clause, key in (("opponents", "low"), ("agents", "high"), ("search", "wrong")):
            broken = Exact(sum(tree[key] for tree in found), trees)
            lab.observe(f"{size}: {clause}", None, BROKEN, broken, clause)
        for name in found[0]:
            if name not in ("low", "high", "wrong"):
                lab.observe(name, size, VALUE, Average([tree[name] for tree in found]))
        for clause, one, two in (
            ("better", "best reply to random moves", "pi_max, random moves"),
            ("punished", "pi_max, pi_min", "that reply, pi_min"),
        ):
            gain = Average([tree[one] - tree[two] for tree in found])
            lab.observe(f"{one} less {two}", size, GAIN, gain, clause)
