"""Progressive bias: a heuristic that fades as a child gets visits."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from ponder.core.position import Position
from ponder.core.rng import below
from ponder.jit import constants, inlined, kernel
from ponder.mcts.children import highest_score
from ponder.mcts.priors import refused_hook, write_hints
from ponder.mcts.tree import half_range


@constants(NEEDS=("hint",), TERMS=("mean", "exploration", "bias"))
class ProgressiveBias(NamedTuple):
    """UCB1 with progressive bias (Chaslot et al. 2008).

        mean + c * h * sqrt(ln N / n) + weight * h * H / (n + 1)

    H is the game's `order` score of the move, rescaled to [0, 1] among the moves of its node; h is
    half the range of utilities, 1 for wins and losses of +1 and -1. Untried children come first,
    the likeliest one first, equal ones in random order. (Chaslot writes H when the parent reaches
    30 visits, to save time; here it is written when the children are made.)
    """

    c: float = 2.0
    weight: float = 1.0

    def problem(self) -> str | None:
        if self.c < 0 or self.weight < 0:
            return (
                "progressive_bias needs c and weight of 0 or more, "
                f"not {self.c:g} and {self.weight:g}"
            )
        return None

    def refusal(self, position: Position, engine: Any) -> str | None:
        return refused_hook("progressive_bias", position, "order", "ucb1() needs nothing")

    @inlined
    def prepare(self, game, s, tree, first, count, work):
        write_hints(game, s, work.actions, count, work.scores)
        for i in range(count):
            tree.nodes[first + i].hint = work.scores[i]

    @inlined
    def catch_up(self, game, s, tree, node, first, count, work):
        self.prepare(game, s, tree, first, count, work)

    @inlined
    def choose(self, game, parts, tree, work, depth, rng):
        child = likeliest_untried(tree, work.path[depth], rng)
        if child >= 0:
            return child
        return highest_score(self, game, parts, tree, work, depth)

    @inlined
    def shared(self, game, parts, tree, work, depth, n, log):
        half = half_range(tree)
        return self.c * half * math.sqrt(log), self.weight * half

    @inlined
    def terms(self, shared, tree, child, visits, inverse, root, mean):
        exploration, weight = shared
        return mean, exploration * root, weight * tree.nodes[child].hint / (visits + 1.0)


@kernel
def likeliest_untried(tree, node, rng):
    """The child without a visit that has the greatest hint, equal ones alike; -1 without any."""
    nodes = tree.nodes
    first = nodes[node].first
    best = -1.0
    equals = 0
    pick = -1
    for child in range(first, first + nodes[node].count):
        if nodes[child].visits == 0 and nodes[child].hint >= best:
            equals = equals + 1 if nodes[child].hint == best else 1
            best = nodes[child].hint
            if below(rng, equals) == 0:
                pick = child
    return pick
