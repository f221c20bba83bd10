"""Three players, each for itself: two of them can still gain together, and why.

A may take 4 for sure (and leave 4 to each of the others), or leave the choice to B, who can give A
and itself 6 and C nothing, or keep 5 and leave A 1. Nobody has promised anything: B gives A 6
because that is what is best for B. Max^n sees it, since it asks at every node what the player to
move wants; paranoid search, which takes everybody else for an opponent of A, does not.
"""

from __future__ import annotations

import json
import random
from typing import Any

from ponder.core.position import Position
from ponder.games.tree import TreeGame
from ponder.lab.plan import Above, Between, Clause, Plan, Size
from ponder.lab.running import Lab
from ponder.lab.samples import Average, Exact, Share
from ponder.search.maxn import MaxN
from ponder.search.paranoid import Paranoid

ALONE = {"returns": [4, 4, 4]}


def leave_to_b(*leaves: list[int]) -> Any:
    """A takes 4, or B chooses one of these."""
    theirs = {"player": 1, "moves": [{"returns": leaf} for leaf in leaves]}
    return {"player": 0, "moves": [ALONE, theirs]}


TOGETHER = leave_to_b([6, 6, 0], [1, 5, 6])
NO_REASON = leave_to_b([6, 4, 2], [1, 5, 6])
"""The same for A; but now B is better off leaving A 1."""
FOUND = "utility"
GAIN = "utility of a player, all playing max^n less all playing paranoid"

PLAN = Plan(
    claim="with three players each maximises its own component; cooperation can arise from that, "
    "without anybody having agreed to anything",
    source="Long, Search (III) (Tsinghua): Multi-Player Games: utility tuples",
    clauses=(
        Clause("maxn", "max^n trusts B, and both get 6", f"{FOUND} of A and of B", Between(6, 6)),
        Clause("paranoid", "a search that trusts nobody gets 4", f"{FOUND} of A", Between(4, 4)),
        Clause(
            "why",
            "it is B's own gain that makes it: without it A keeps to itself",
            f"{FOUND} of A where B has more from leaving A 1",
            Between(4, 4),
        ),
        Clause(
            "often",
            "it is no freak: in random trees two or more gain by max^n more often than lose",
            "1 if two or three gain, -1 if two or three lose, mean over trees",
            Above(0.0),
        ),
        Clause("gain", "the players gain on average", GAIN, Above(0.0)),
    ),
    sizes={
        "trees": Size(40, 400, 400, "random trees: 3 moves at each of 3 plies, utilities 0 to 9")
    },
    notes=("paranoid play: every player in turn searches as if the others were one opponent",),
)


def start_of(tree: Any) -> Position:
    return Position(TreeGame(json.dumps(tree), players=3))


def random_tree(rng: random.Random, plies: int, player: int = 0) -> Any:
    if plies == 0:
        return {"returns": [rng.randrange(10) for _ in range(3)]}
    below = [random_tree(rng, plies - 1, (player + 1) % 3) for _ in range(3)]
    return {"player": player, "moves": below}


def result(here: Position, engine: Any) -> list[float]:
    """What everybody gets when each move is searched by the one to make it."""
    while not here.is_terminal:
        here = here.play(engine.search(here, depth=9).action)
    return [float(u) for u in here.returns]


def played(trees: int, seed: int) -> list[list[list[float]]]:
    found = []
    for k in range(trees):
        start = start_of(random_tree(random.Random(seed * 100_003 + k), 3))
        found.append([result(start, MaxN()), result(start, Paranoid())])
    return found


def run(lab: Lab) -> None:
    def show() -> dict[str, list[float]]:
        return {
            "max^n": result(start_of(TOGETHER), MaxN()),
            "paranoid": result(start_of(TOGETHER), Paranoid()),
            "max^n, no reason for B": result(start_of(NO_REASON), MaxN()),
        }

    clauses = {"max^n": "maxn", "paranoid": "paranoid", "max^n, no reason for B": "why"}
    for name, utilities in lab.step("the tree of A, B and C", show).items():
        for who, utility in zip("ABC", utilities, strict=True):
            judged = who == "A" or (who == "B" and name == "max^n")
            lab.observe(name, who, FOUND, Exact(utility), clauses[name] if judged else "")
    found = lab.step("random trees", played, lab["trees"], lab.seed)
    gains = [[a - b for a, b in zip(*pair, strict=True)] for pair in found]
    sides = [(sum(g > 0 for g in row) >= 2) - (sum(g < 0 for g in row) >= 2) for row in gains]
    lab.observe(
        "random trees", None, "two gain less two lose", Average(sides, bounds=(-1, 1)), "often"
    )
    lab.observe("two or more gain", None, "share of trees", Share([side > 0 for side in sides]))
    lab.observe("two or more lose", None, "share of trees", Share([side < 0 for side in sides]))
    trees = [i for i, row in enumerate(gains) for _ in row]
    lab.observe(
        "random trees", None, GAIN, Average([g for row in gains for g in row], trees), "gain"
    )
