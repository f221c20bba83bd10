"""All moves as first: RAVE and GRAVE. A move is judged by all games in which it came later, too."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from ponder.core.making import registered
from ponder.core.position import Position
from ponder.core.rng import below
from ponder.jit import constants, inlined, kernel
from ponder.mcts.defaults import of_the_game
from ponder.mcts.tree import half_range

if TYPE_CHECKING:
    from ponder.mcts.engine import MCTS

# amaf_visits and amaf_value of a child: the simulations through its parent in which the player who
# chooses there played the child's action then or at any later turn, in the tree or after it, each
# counted once; and the sum of that player's utilities in them.


@registered
@constants(NEEDS=("amaf_value", "amaf_visits"), TRACE=True, TERMS=("mean", "amaf", "exploration"))
class RAVE(NamedTuple):
    """Rapid action value estimation (Gelly & Silver 2007, 2011): UCT-RAVE, and with c = 0 MC-RAVE.

        (1 - beta) * Q + beta * Q~ + c * h * sqrt(ln N / n)

    h is half the range of utilities, 1 for wins and losses of +1 and -1.
    Q~ is the mean of the n~ simulations in which the same player plays the move then or later.

        beta = sqrt(k / (3 N + k))              with b = 0: 1/2 when the parent has k visits
        beta = n~ / (n + n~ + 4 b^2 n n~)       with b > 0: minimum mean squared error, where b is
                                                the bias of Q~ for utilities rescaled to [0, 1]

    A child without a visit is its Q~ alone (and takes n = 1 in the last term); children of which
    nothing is known come first, in random order. c = 0 was best in Go.
    """

    k: float = 1000.0
    c: float = 0.0
    b: float = 0.0

    def problem(self) -> str | None:
        if self.k <= 0 or self.c < 0 or self.b < 0:
            return (
                "rave needs k above 0, c and b of 0 or more, "
                f"not {self.k:g}, {self.c:g} and {self.b:g}"
            )
        return None

    @of_the_game
    def refusal(self, position: Position, engine: MCTS) -> str | None:
        return refused_amaf("rave", position)

    @inlined
    def choose(self, game, parts, tree, work, depth, rng):
        return best_known(self, game, parts, tree, work, depth, rng)

    @inlined
    def shared(self, game, parts, tree, work, depth, n, log):
        return math.sqrt(self.k / (3.0 * n + self.k)), self.c * half_range(tree) * math.sqrt(log)

    @inlined
    def reference(self, shared, tree, child):
        """The node whose AMAF statistics speak for the child."""
        return child

    @inlined
    def terms(self, shared, tree, child, visits, inverse, root, mean):
        beta, exploration = shared
        n = tree.nodes[child].amaf_visits
        if n == 0:
            beta = 0.0
        elif visits == 0:
            beta = 1.0
        elif self.b > 0.0:
            beta = n / (visits + n + 4.0 * self.b * self.b * visits * n)
        return blend(tree, child, beta, visits, root, mean, exploration)

    @inlined
    def after(self, tree, work, depth):
        add_amaf(tree, work, depth)


@registered
@constants(NEEDS=("amaf_value", "amaf_visits"), TRACE=True, TERMS=("mean", "amaf", "exploration"))
class GRAVE(NamedTuple):
    """Generalised RAVE (Cazenave 2015): few visits borrow the AMAF statistics of an ancestor.

        (1 - beta) * Q + beta * Q~          beta = n~ / (n~ + n + bias * n~ * n)

    Q~ and n~ are those of the same move at the closest node of the path, this one or above, that
    has more than `ref` visits (the root if none has) and where the same player is to move: there
    they are kept with its children. A move that was not possible there speaks for itself.
    Children of which nothing is known come first, in random order.
    """

    ref: int = 50
    bias: float = 1e-5

    def problem(self) -> str | None:
        if self.ref < 0 or self.bias < 0:
            return f"grave needs ref and bias of 0 or more, not {self.ref} and {self.bias:g}"
        return None

    def refusal(self, position: Position, engine: MCTS) -> str | None:
        return refused_amaf("grave", position)

    @inlined
    def choose(self, game, parts, tree, work, depth, rng):
        return best_known(self, game, parts, tree, work, depth, rng)

    @inlined
    def shared(self, game, parts, tree, work, depth, n, log):
        return trusted_ancestor(tree, work, depth, self.ref), work.path[depth]

    @inlined
    def reference(self, shared, tree, child):
        return same_move(tree, shared[0], shared[1], child)

    @inlined
    def terms(self, shared, tree, child, visits, inverse, root, mean):
        amaf = self.reference(shared, tree, child)
        n = tree.nodes[amaf].amaf_visits
        beta = 0.0
        if n > 0:
            beta = n / (n + visits + self.bias * n * visits)
        return blend(tree, amaf, beta, visits, root, mean, 0.0)

    @inlined
    def after(self, tree, work, depth):
        add_amaf(tree, work, depth)


@kernel
@inlined
def blend(tree, amaf, beta, visits, root, mean, exploration):
    """The three terms, given beta and the node that holds the AMAF statistics."""
    nodes = tree.nodes
    quick = nodes[amaf].amaf_value / nodes[amaf].amaf_visits if beta > 0.0 else 0.0
    bonus = exploration * (root if visits > 0 else 1.0)
    return (1.0 - beta) * mean, beta * quick, bonus


@kernel
@inlined
def best_known(rule, game, parts, tree, work, depth, rng):
    """A random child of those of which nothing is known; else the one with the highest score."""
    nodes, numbers = tree.nodes, tree.numbers
    node = work.path[depth]
    n = nodes[node].visits
    shared = rule.shared(game, parts, tree, work, depth, n, math.log(n))
    first = nodes[node].first
    pick = first
    best = -1e300
    unknown = 0
    for child in range(first, first + nodes[node].count):
        if parts.backup.closed(tree, node, child):
            continue
        visits = nodes[child].visits
        if visits == 0 and nodes[rule.reference(shared, tree, child)].amaf_visits == 0:
            unknown += 1
            if below(rng, unknown) == 0:
                pick = child
        elif unknown == 0:
            inverse = 0.0
            root = numbers[0].root
            if visits > 0:
                inverse = 1.0 / visits
                root = math.sqrt(inverse)
            mean = parts.backup.worth(tree, child, inverse) if visits > 0 else 0.0
            score = rule.score(shared, tree, child, visits, inverse, root, mean)
            if score > best:
                best = score
                pick = child
    return pick


@kernel
def add_amaf(tree, work, depth):
    """Add the simulation to the AMAF statistics along the path.

    The path has no dice in it, so the i-th move of the trace leads from path[i]. From the last
    move to the first, each move is marked as played by its player; at a node of the path the marks
    are then the moves of this turn and all later ones.
    """
    nodes, trace = tree.nodes, work.trace
    length = trace.length[0]
    for i in range(length - 1, -1, -1):
        trace.first[trace.players[i], trace.actions[i]] = i
        if i >= depth:
            continue
        node = work.path[i]
        first = nodes[node].first
        player = nodes[first].player
        utility = work.utilities[player]
        for child in range(first, first + nodes[node].count):
            if trace.first[player, nodes[child].action] >= 0:
                nodes[child].amaf_visits += 1
                nodes[child].amaf_value += utility
    for i in range(length):
        trace.first[trace.players[i], trace.actions[i]] = -1


@kernel
def trusted_ancestor(tree, work, depth, ref):
    """The closest node with more than `ref` visits in which the player of path[depth] moves.

    If there is none: the one nearest to the root in which that player moves.
    """
    nodes = tree.nodes
    player = nodes[nodes[work.path[depth]].first].player
    found = work.path[depth]
    for d in range(depth, -1, -1):
        node = work.path[d]
        if nodes[nodes[node].first].player == player:
            found = node
            if nodes[node].visits > ref:
                return found
    return found


@kernel
def same_move(tree, ancestor, node, child):
    """The ancestor's child with the action of `child`; the child itself if it has none."""
    nodes = tree.nodes
    if ancestor == node:
        return child
    action = nodes[child].action
    first = nodes[ancestor].first
    count = nodes[ancestor].count
    at = child - nodes[node].first  # few moves came or went: it is not far from the same place
    for _ in range(count):
        if at >= count:
            at = 0
        if nodes[first + at].action == action:
            return first + at
        at += 1
    return child


def refused_amaf(rule: str, position: Position) -> str | None:
    """A sentence where "the same move later" means nothing."""
    if position.rules.has_dice:
        return (
            f"{rule} compares a move with the same move later in the game, and "
            f"{position.rules.name} has dice between: use ucb1() or another rule without AMAF"
        )
    return None
