"""What self-play does at the root: how it explores, which move it plays, what is learned of it.

Two ways, a field of `ponder.learn.selfplay.Play`:

    Visits        AlphaZero: noise on the priors; a move is drawn by visits, and they are learned
    Improvement   Gumbel AlphaZero: the moves are tried in turn; the improved policy is learned

Where the backup rule proves values, moves that are proven worse than others count no visit.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from ponder.core.position import Position
from ponder.core.rng import uniform
from ponder.jit import constants, inlined, kernel, take_methods
from ponder.learn.config import Training
from ponder.learn.network import value_count
from ponder.learn.referee import referee_of
from ponder.learn.selfplay import Play
from ponder.mcts.backup.mean import Mean
from ponder.mcts.backup.solver import Solver
from ponder.mcts.protocols import FPURule
from ponder.mcts.select.drawn import gamma
from ponder.mcts.select.gumbel import (
    Gumbel,
    improved_policy,
    make_plan,
    root_merit,
    values_weight,
)
from ponder.mcts.select.puct import PUCT, Reduction, exploration_of, shared_terms
from ponder.mcts.tree import ROOT

FORCED = 1e6
"""More than any score: a child that has to be visited."""


@constants(NEEDS=("prior",), TERMS=("value", "prior"))
class SelfPlayPUCT(NamedTuple):
    """`PUCT`, with forced playouts at the root (Wu 2019): a child that was visited at all gets

        sqrt(forced * prior * visits of the root)

    visits at least, so that noise is followed up. `unforced` takes them out of what is learned.
    """

    c_init: float = 1.25
    c_base: float = 19652.0
    fpu: FPURule = Reduction()
    own: bool = True
    forced: float = 0.0

    @inlined
    def shared(self, game, parts, tree, work, depth, n, log):
        exploration, urgency, visited = shared_terms(self, parts, tree, work.path[depth], n)
        forced = self.forced * visited if depth == 0 else 0.0
        return exploration, urgency, forced

    @inlined
    def terms(self, shared, tree, child, visits, inverse, root, mean):
        exploration, urgency, forced = shared
        value = mean if visits > 0 else urgency
        prior = tree.nodes[child].prior
        if visits > 0 and visits * visits < forced * prior:
            value += FORCED
        return value, exploration * prior / (1.0 + visits)


take_methods(SelfPlayPUCT, PUCT)


@kernel
def add_noise(tree, share, concentration, scores, rng):
    """P <- (1 - share) P + share Dirichlet(alpha), at the root's children."""
    nodes = tree.nodes
    first, count = nodes[ROOT].first, nodes[ROOT].count
    alpha = min(1.0, concentration / count)
    total = 0.0
    for i in range(count):
        # gamma(alpha) = gamma(alpha + 1) * u^(1 / alpha), for alpha below 1
        scores[i] = gamma(rng, alpha + 1.0) * (1.0 - uniform(rng)) ** (1.0 / alpha)
        total += scores[i]
    if total <= 0.0:
        return
    for i in range(count):
        prior = nodes[first + i].prior
        nodes[first + i].prior = (1.0 - share) * prior + share * scores[i] / total


@kernel
def unforced(parts, tree, work, rule):
    """Take visits that were only forced back from the root's children, before they are learned.

    The most visited child keeps its own; every other one loses visits as long as its score stays
    below that child's (policy target pruning, Wu 2019). One visit left is none.
    """
    nodes = tree.nodes
    first, count = nodes[ROOT].first, nodes[ROOT].count
    best = first
    total = 0
    for child in range(first, first + count):
        total += nodes[child].visits
        if nodes[child].visits > nodes[best].visits:
            best = child
    exploration = exploration_of(rule, tree, total + 1.0)
    visits = nodes[best].visits
    top = parts.backup.worth(tree, best, 1.0 / visits)
    top += exploration * nodes[best].prior / (1.0 + visits)
    for child in range(first, first + count):
        visits = nodes[child].visits
        if child == best or visits == 0:
            continue
        mean = parts.backup.worth(tree, child, 1.0 / visits)
        spare = int(math.sqrt(rule.forced * nodes[child].prior * total))
        while visits > 0 and spare > 0:
            if mean + exploration * nodes[child].prior / visits >= top:
                break
            visits -= 1
            spare -= 1
        nodes[child].visits = 0 if visits <= 1 else visits


@kernel
def counted(parts, tree, child):
    """Visits of a child of the root, as far as they speak for it: none for a move that is proven
    worse than another; and once the root is proven, only for moves that are proven best."""
    if parts.backup.closed(tree, ROOT, child):
        return 0
    visits = tree.nodes[child].visits
    if parts.backup.settled(tree, ROOT):
        return visits + 1 if parts.backup.settled(tree, child) else 0
    return visits


@kernel
def weigh(parts, tree, out):
    """What counts of every child's visits; all alike where nothing does. Returns the most."""
    first, count = tree.nodes[ROOT].first, tree.nodes[ROOT].count
    most = 0
    for i in range(count):
        out[i] = counted(parts, tree, first + i)
        most = max(most, counted(parts, tree, first + i))
    if most == 0:  # all that was visited is proven lost
        most = 1
        for i in range(count):
            out[i] = 0.0 if parts.backup.closed(tree, ROOT, first + i) else 1.0
    return most


@kernel
def drawn_move(parts, tree, scores, exponent, rng):
    """A child of the root, drawn by its visits to the power of `exponent`."""
    most = weigh(parts, tree, scores)
    first, count = tree.nodes[ROOT].first, tree.nodes[ROOT].count
    total = 0.0
    for i in range(count):
        scores[i] = (scores[i] / most) ** exponent
        total += scores[i]
    x = uniform(rng) * total
    pick = first
    for i in range(count):
        if scores[i] > 0.0:
            pick = first + i
            x -= scores[i]
            if x < 0.0:
                break
    return pick


class Visits(NamedTuple):
    """The way of AlphaZero (Silver et al. 2017, 2018)."""

    noise: float
    """The share of Dirichlet noise in the priors of the root."""
    concentration: float
    """Its parameter is this divided by the number of moves, 1 at most."""

    @inlined
    def begin(self, parts, tree, work, desk, full, simulations, rng):
        """Before the first simulation: noise, unless the move is only to be played."""
        if full and self.noise > 0.0:
            add_noise(tree, self.noise, self.concentration, desk.scores, rng)

    @inlined
    def move(self, parts, tree, work, desk, early, rng):
        """The child whose move is to be played."""
        return drawn_move(parts, tree, desk.scores, 1.0 if early else 3.0, rng)

    @inlined
    def target(self, parts, tree, work, out):
        """What the policy is to learn of each child, in any unit."""
        if parts.select.forced > 0.0:
            unforced(parts, tree, work, parts.select)
        weigh(parts, tree, out)


class Improvement(NamedTuple):
    """The way of Gumbel AlphaZero (Danihelka et al. 2022): see `ponder.mcts.select.gumbel`."""

    @inlined
    def begin(self, parts, tree, work, desk, full, simulations, rng):
        make_plan(parts.select, tree, ROOT, work.memory.select, simulations, rng)

    @inlined
    def move(self, parts, tree, work, desk, early, rng):
        return halving_winner(parts, tree, work.memory.select)

    @inlined
    def target(self, parts, tree, work, out):
        improved_policy(parts.select, parts, tree, ROOT, out)
        first = tree.nodes[ROOT].first
        for i in range(tree.nodes[ROOT].count):
            worse = parts.backup.closed(tree, ROOT, first + i)
            if worse or (parts.backup.settled(tree, ROOT) and counted(parts, tree, first + i) == 0):
                out[i] = 0.0


@kernel
def halving_winner(parts, tree, plan):
    """Of the most visited children the one of the highest merit."""
    nodes = tree.nodes
    first, count = nodes[ROOT].first, nodes[ROOT].count
    weight = values_weight(parts.select, tree, ROOT)
    pick = first
    most = -1
    best = -1e300
    for i in range(count):
        visits = counted(parts, tree, first + i)
        merit = root_merit(parts, tree, first + i, plan.noise[i], weight)
        if visits > most or (visits == most and merit > best):
            most, best, pick = visits, merit, first + i
    return pick


def how_to_play(config: Training, position: Position, length: float) -> tuple[Play, Any, Any]:
    """What the settings mean for games like this, of such a typical length: how they are played, by
    which select rule and with which backup."""
    c, spec = config, position.rules.spec
    play = Play(
        simulations=c.simulations,
        cheap=c.cheap or c.simulations,
        full_share=c.full_share if c.cheap else 1.0,
        warm=math.ceil(c.warm * length),
        opening_share=c.opening_share,
        opening_moves=math.floor(c.opening_moves * length),
        trace=c.trace ** (10.0 / length),  # of a tenth of a game: here of one move
        blunder=0.0 if position.rules.has_dice else c.blunder,
        opposed=value_count(spec) == 1 and spec.players == 2,
        way=Improvement() if c.considered else Visits(c.noise, c.concentration),
        referee=referee_of(position, c.exact_nodes),
    )
    select = (
        Gumbel(considered=c.considered, scale=1.0)
        if c.considered
        else SelfPlayPUCT(c_init=float(c.c_init), forced=float(c.forced))
    )
    return play, select, Solver() if c.exact else Mean()
