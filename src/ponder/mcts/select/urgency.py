"""Crazy Stone's first tree policy: moves drawn at random, the better the likelier."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ponder.core.making import registered
from ponder.core.position import Position
from ponder.core.rng import sample
from ponder.jit import constants, inlined, kernel
from ponder.mcts.children import movers_mean
from ponder.mcts.select.drawn import normalise
from ponder.mcts.select.variance import add_squares

if TYPE_CHECKING:
    from ponder.mcts.protocols import SelectRule

STEEPNESS = 2.4
MOST_GAMES = 500
"""The variance of a backed-up value does not fall below that of so many games."""


@registered
@constants(NEEDS=("squares",))
class Urgency(NamedTuple):
    """The selection of Coulom (2006), in proportion to urgencies.

        u_i   = exp(-2.4 * (mu_0 - mu_i) / sqrt(2 * (sigma_0^2 + sigma_i^2))) + eps_i
        eps_i = (0.1 + 2^-i + a_i) / N
        P(i)  = u_i / sum of all u

    The N moves in order of their value mu, the best being move 0; a_i = 1 for an urgent move (the
    game's hook `urgent`: atari in Go). mu is the child's value as the backup rule sees it; a child
    without a visit takes the mean of its siblings' visits.

        sigma^2 = (squares - S * mean^2 + R^2) / (S + 1)

    with the S games of the child, the sum of their squares and their mean: as if there had been
    one more game of very high variance. R is the whole range of utilities. In the paper they are
    points of Go, from -P to P on P points, and R^2 is written 4 P^2: in_points=True takes that
    number, with P = `points`, whatever the range. floor=False leaves the eps_i out, to see what
    they are worth: without them a move that once looked bad may never be tried again.

    A node with fewer than `points` visits is external: there the game's own policy
    (`rollout_action`) chooses. points = 0 means the number of legal moves at the root. Other nodes
    are internal, and the variance of a child that is one is sigma^2 / min(500, S). Read literally
    an external child keeps its undivided sigma^2, and the variance jumps down when the child
    becomes internal; continuous=True divides both.
    """

    points: int = 0
    continuous: bool = False
    floor: bool = True
    in_points: bool = False

    def problem(self) -> str | None:
        if self.points < 0:
            return f"points of urgency must be 0 (the moves at the root) or more, not {self.points}"
        return None

    def fitted(self, position: Position) -> SelectRule:
        if self.points or position.is_terminal or position.is_chance:
            return self
        return self._replace(points=len(position.legal_actions))

    @inlined
    def choose(self, game, parts, tree, work, depth, rng):
        node = work.path[depth]
        first, count = tree.nodes[node].first, tree.nodes[node].count
        if tree.nodes[node].visits < self.points:
            action = game.rollout_action(work.states[1], work.actions, rng)
            for child in range(first, first + count):
                if tree.nodes[child].action == action:
                    return child
            # an expand rule may not have opened it yet: then by urgency
        self.weights(game, parts, tree, work, depth)
        return first + sample(rng, work.scores, count)

    @inlined
    def weights(self, game, parts, tree, work, depth):
        node = work.path[depth]
        urgencies(self, game, parts, tree, work, node)
        normalise(work, tree.nodes[node].count)

    @inlined
    def after(self, tree, work, depth):
        add_squares(tree, work, depth)

    def numbers(
        self, game: Any, parts: Any, tree: Any, work: Any, node: int, child: int
    ) -> dict[str, float]:
        """mu, sigma and eps of the formula; its N is the number of moves."""
        first, count = int(tree.nodes[node].first), int(tree.nodes[node].count)
        unvisited = movers_mean(parts, tree, node)
        for i in range(count):
            visits = tree.nodes[first + i].visits
            known = parts.backup.worth(tree, first + i, 1.0 / visits) if visits else unvisited
            work.chances[i] = known
        i = child - first
        return {
            "N": float(count),
            "mean": float(work.chances[i]),
            "spread": math.sqrt(spread_of(self, tree, child)),
            "floor": float(floor_of(self, game, tree, work, work.chances, child, i, count)),
        }


@kernel
def urgencies(rule, game, parts, tree, work, node):
    """work.scores: the urgency of each child, 0 for those that the backup rule has closed."""
    nodes = tree.nodes
    first = nodes[node].first
    count = np.int64(nodes[node].count)  # unsigned and signed numbers would make floats
    values = work.chances  # free while a player is to move
    unvisited = movers_mean(parts, tree, node)
    best = -1
    for i in range(count):
        child = first + i
        values[i] = unvisited
        if nodes[child].visits > 0:
            values[i] = parts.backup.worth(tree, child, 1.0 / nodes[child].visits)
        closed = parts.backup.closed(tree, node, child)
        if not closed and (best < 0 or values[i] > values[best]):
            best = i
    spread = spread_of(rule, tree, first + max(best, 0))
    for i in range(count):
        child = first + i
        if parts.backup.closed(tree, node, child):
            work.scores[i] = 0.0
            continue
        floor = floor_of(rule, game, tree, work, values, child, i, count)
        distance = (values[best] - values[i]) / math.sqrt(
            2.0 * (spread + spread_of(rule, tree, child))
        )
        work.scores[i] = math.exp(-STEEPNESS * distance) + floor


@kernel
def floor_of(rule, game, tree, work, values, child, i, count):
    """eps_i of the child that stands at i among count: see `Urgency`."""
    if not rule.floor:
        return 0.0
    rank = 0
    for j in range(count):
        # of equals, the one that stands first
        rank += (values[j] > values[i]) | ((values[j] == values[i]) & (j < i))
    floor = 0.1 + 0.5**rank
    if game.urgent(work.states[1], tree.nodes[child].action):
        floor += 1.0
    return floor / count


@kernel
def spread_of(rule, tree, child):
    """The variance of a child's value: see `Urgency`."""
    games = tree.nodes[child].visits
    width = 2.0 * rule.points if rule.in_points else tree.highest - tree.lowest
    if games == 0:
        return width * width
    total = tree.nodes[child].value
    sigma2 = (tree.nodes[child].squares - total * total / games + width * width) / (games + 1.0)
    if rule.continuous or games >= rule.points:
        return sigma2 / min(MOST_GAMES, games)
    return sigma2
