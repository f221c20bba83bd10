"""Implicit minimax: a second value, of the evaluation function, backed up beside the first."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from ponder.core.game import CHANCE
from ponder.core.position import Position
from ponder.jit import constants, inlined, kernel
from ponder.mcts.priors import refused_hook
from ponder.mcts.tree import half_range


@constants(NEEDS=("static",), TERMS=("mean", "static", "exploration"))
class ImplicitMinimax(NamedTuple):
    """Implicit minimax backups (Lanctot et al. 2014).

        (1 - alpha) * mean + alpha * v + c * h * sqrt(ln N / n)

    h is half the range of utilities, 1 for wins and losses of +1 and -1. v is the game's static
    evaluation of the child, backed up by minimax: that of a leaf when it is first reached (the
    true result where the game is over), above it that of the visited child which is best for the
    player to move, and at dice the mean of the outcomes by visits. One value a player, so it
    serves any number of players. Used in selection only. Untried children come first, in random
    order. In the paper 0.1 to 0.6 was good in Breakthrough, and 0.2 never hurt in Lines of Action.
    """

    alpha: float = 0.2
    c: float = 2.0

    def problem(self) -> str | None:
        if not 0 <= self.alpha <= 1:
            return f"alpha of implicit_minimax must be from 0 to 1, not {self.alpha:g}"
        return None if self.c >= 0 else f"c of implicit_minimax must be 0 or more, not {self.c:g}"

    def refusal(self, position: Position, engine: Any) -> str | None:
        return refused_hook("implicit_minimax", position, "evaluate", "ucb1() needs nothing")

    @inlined
    def shared(self, game, parts, tree, work, depth, n, log):
        return self.c * half_range(tree) * math.sqrt(log)

    @inlined
    def terms(self, shared, tree, child, visits, inverse, root, mean):
        static = tree.nodes[child].static[tree.nodes[child].player]
        return (1.0 - self.alpha) * mean, self.alpha * static, shared * root

    @inlined
    def arrive(self, game, s, tree, leaf, work):
        if tree.nodes[leaf].visits == 0:
            self.catch_up(game, s, tree, leaf, 0, 0, work)

    @inlined
    def catch_up(self, game, s, tree, node, first, count, work):
        # the utilities are about to be written anew: free until then
        if game.is_terminal(s):
            game.returns(s, work.utilities)
        else:
            game.evaluate(s, work.utilities)
        for p in range(work.utilities.size):
            tree.nodes[node].static[p] = work.utilities[p]

    @inlined
    def renew(self, tree, work, node):
        if tree.nodes[node].first >= 0:
            back_up_static(tree, node)

    @inlined
    def after(self, tree, work, depth):
        for d in range(depth - 1, -1, -1):
            back_up_static(tree, work.path[d])


@kernel
def back_up_static(tree, node):
    """The node's static values from those of its visited children."""
    nodes = tree.nodes
    first = nodes[node].first
    player = nodes[first].player
    if player == CHANCE:
        average_static(tree, node)
        return
    best = -1
    for child in range(first, first + nodes[node].count):
        if nodes[child].visits > 0 and (
            best < 0 or nodes[child].static[player] > nodes[best].static[player]
        ):
            best = child
    if best >= 0:
        for p in range(nodes[node].static.size):
            nodes[node].static[p] = nodes[best].static[p]


@kernel
def average_static(tree, node):
    """At dice: the mean of the outcomes met so far, by how often they were met."""
    nodes = tree.nodes
    first = nodes[node].first
    for p in range(nodes[node].static.size):
        total = 0.0
        visits = 0
        for child in range(first, first + nodes[node].count):
            total += nodes[child].visits * nodes[child].static[p]
            visits += nodes[child].visits
        if visits > 0:
            nodes[node].static[p] = total / visits
