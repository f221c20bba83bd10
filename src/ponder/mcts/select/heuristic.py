"""UCB1 with the knowledge of the game: progressive bias, implicit minimax."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from ponder.core.game import CHANCE
from ponder.core.making import registered
from ponder.core.position import Position
from ponder.core.rng import below
from ponder.jit import constants, inlined, kernel
from ponder.mcts.children import highest_score
from ponder.mcts.defaults import lacks_hook, of_the_game
from ponder.mcts.priors import write_hints
from ponder.mcts.tree import half_range

if TYPE_CHECKING:
    from ponder.mcts.engine import MCTS


@registered
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

    @of_the_game
    def refusal(self, position: Position, engine: MCTS) -> str | None:
        return lacks_hook("progressive_bias", position, "order", "ucb1()")

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


@registered
@constants(NEEDS=("static",), TERMS=("mean", "static", "exploration"))
class ImplicitMinimax(NamedTuple):
    """Implicit minimax backups (Lanctot et al. 2014).

        (1 - alpha) * mean + alpha * v + c * h * sqrt(ln N / n)

    h is half the range of utilities, 1 for wins and losses of +1 and -1. v is the game's static
    evaluation of the child, backed up by minimax: that of a leaf when it is first reached (the
    true result where the game is over), above it that of the visited child which is best for the
    player to move, and at dice the mean of the outcomes by visits. One value per player, so it
    serves any number of players. Used in selection only. Untried children come first, in random
    order. In the paper 0.1 to 0.6 was good in Breakthrough, and 0.2 never hurt in Lines of Action.
    """

    alpha: float = 0.2
    c: float = 2.0

    def problem(self) -> str | None:
        if not 0 <= self.alpha <= 1:
            return f"alpha of implicit_minimax must be from 0 to 1, not {self.alpha:g}"
        return None if self.c >= 0 else f"c of implicit_minimax must be 0 or more, not {self.c:g}"

    @of_the_game
    def refusal(self, position: Position, engine: MCTS) -> str | None:
        return lacks_hook("implicit_minimax", position, "evaluate", "ucb1()")

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
