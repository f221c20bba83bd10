"""Sequential halving at the root: a plan for the whole search."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ponder.core.game import Spec
from ponder.core.making import registered
from ponder.core.position import Position
from ponder.errors import InputError
from ponder.jit import inlined, kernel
from ponder.mcts.children import Account, untried
from ponder.mcts.protocols import SelectRule, whole
from ponder.mcts.select.ucb import UCB1
from ponder.mcts.select.variance import new_seen

if TYPE_CHECKING:
    from ponder.mcts.engine import MCTS

MOST_PLANNED = 1_000_000_000
"""Simulations: each takes four bytes of the plan."""

NEEDS_A_NUMBER = (
    "sequential_halving plans the whole search: give the number of simulations, not (only) a time"
)


@kernel
def visit_sequence(considered, out):
    """Fill `out`: how many visits the child has that simulation i goes to.

    All `considered` children in rounds; after each phase the better half goes on, two at least.
    The form of DeepMind's mctx: of n simulations each of the ceil(log2 m) phases gets its share.
    """
    n = out.size
    if considered <= 1:
        for i in range(n):
            out[i] = i
        return
    phases = 0
    while (1 << phases) < considered:
        phases += 1
    made = 0
    visits = 0  # of those still considered
    while made < n:
        rounds = max(1, n // (phases * considered))
        for _ in range(rounds):
            for _ in range(considered):
                if made < n:
                    out[made] = visits
                    made += 1
            visits += 1
        considered = max(2, considered // 2)


@kernel
@inlined
def visits_in_turn(tree, work, node):
    """How many visits the child has that the plan wants next."""
    plan = work.memory.select
    if plan.planned[0] == 0:
        visit_sequence(np.int64(tree.nodes[node].count), plan.sequence)
        plan.planned[0] = 1
    number = tree.mode.before(tree, node) - 1  # the root counts a visit for being made
    return plan.sequence[min(max(number, 0), plan.sequence.size - 1)]


@kernel
@inlined
def best_in_turn(parts, tree, node, wanted):
    """Of the children with so many visits, not 0, the one with the highest mean; -1: none."""
    nodes = tree.nodes
    pick = -1
    best = -1e300
    for child in range(nodes[node].first, nodes[node].first + nodes[node].count):
        visits = nodes[child].visits
        if visits != wanted or visits == 0 or parts.backup.closed(tree, node, child):
            continue
        mean = parts.backup.worth(tree, child, 1.0 / visits)
        if mean > best:
            best = mean
            pick = child
    return pick


class Halving(NamedTuple):
    """What sequential halving keeps for the search."""

    sequence: Any  # [simulations] i4: see `visit_sequence`
    planned: Any  # [1] i8: 1 once the sequence is filled
    seen: Any  # for the rule below the root, as `ponder.mcts.select.variance.Seen` has it


@registered
class SequentialHalving(NamedTuple):
    """Sequential halving (Karnin, Koren & Somekh 2013) at the root, the rule `select` below it.

    The simulations are divided into ceil(log2 K) phases for K root moves; in each phase all moves
    still considered get the same number of visits, and the better half of them goes on. Small
    *simple* regret, the loss of the final move, where UCB1 minimises what is lost on the way.
    Needs the number of simulations beforehand.

    Of the children with the number of visits that is next in the plan, the one with the highest
    mean is visited; ties go to the child tried first, and untried children are taken in random
    order. Where no child has that number (the backup rule has closed some), the rule below the
    root decides. The final choice, the best mean among the most visited moves, is what
    `most_visits` does.
    """

    select: SelectRule = UCB1()

    def problem(self) -> str | None:
        if isinstance(self.select, SequentialHalving):
            return "sequential_halving is a rule for the root: below it needs another, such as ucb1"
        return None

    def memory(self, spec: Spec, simulations: int | None) -> Halving:
        if simulations is None:
            raise InputError(NEEDS_A_NUMBER)
        if simulations > MOST_PLANNED:
            raise InputError(f"sequential_halving plans at most {MOST_PLANNED:,} simulations")
        sequence = np.zeros(simulations, np.int32)
        return Halving(sequence, np.zeros(1, np.int64), new_seen(spec.players))

    def fitted(self, position: Position) -> SequentialHalving:
        return self._replace(select=whole(self.select).fitted(position))

    def refusal(self, position: Position, engine: MCTS) -> str | None:
        return whole(self.select).refusal(position, engine)

    @inlined
    def choose(self, game, parts, tree, work, depth, rng):
        if depth > 0:
            return self.select.choose(game, parts, tree, work, depth, rng)
        node = work.path[depth]
        wanted = visits_in_turn(tree, work, node)
        if wanted == 0 and parts.expand.has_untried(tree, node):
            return untried(parts, tree, node, rng)
        pick = best_in_turn(parts, tree, node, wanted)
        if pick < 0:
            return self.select.choose(game, parts, tree, work, depth, rng)
        return pick

    @inlined
    def prepare(self, game, s, tree, first, count, work):
        self.select.prepare(game, s, tree, first, count, work)

    @inlined
    def arrive(self, game, s, tree, leaf, work):
        self.select.arrive(game, s, tree, leaf, work)

    @inlined
    def after(self, tree, work, depth):
        self.select.after(tree, work, depth)

    @inlined
    def catch_up(self, game, s, tree, node, first, count, work):
        self.select.catch_up(game, s, tree, node, first, count, work)

    @inlined
    def renew(self, tree, work, node):
        self.select.renew(tree, work, node)

    def deciding(self, parts: Any, tree: Any, work: Any, depth: int) -> Any:
        """The rule that chooses at path[depth]: this one or the one below the root."""
        node = int(work.path[depth])
        if depth == 0:
            wanted = visits_in_turn(tree, work, node)
            if wanted == 0 or best_in_turn(parts, tree, node, wanted) >= 0:
                return self
        return self.select

    def explain(self, parts: Any, tree: Any, work: Any, node: int, child: int) -> Account:
        """The mean decides among the children whose turn it is by the plan."""
        visits, wanted = int(tree.nodes[child].visits), int(visits_in_turn(tree, work, node))
        terms = {"mean": float(parts.backup.worth(tree, child, 1.0 / visits))}
        if visits != wanted:
            return Account(terms, None, "not in turn")
        return Account(terms, terms["mean"])
