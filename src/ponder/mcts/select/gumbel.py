"""Gumbel AlphaZero: a policy that improves with however few simulations."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ponder.core.game import Spec
from ponder.core.making import registered
from ponder.core.position import Position
from ponder.core.registry import part_text
from ponder.core.rng import uniform
from ponder.errors import InputError
from ponder.jit import constants, inlined, kernel
from ponder.mcts.children import Account
from ponder.mcts.select.halving import MOST_PLANNED, visit_sequence
from ponder.mcts.tree import half_range

if TYPE_CHECKING:
    from ponder.mcts.engine import MCTS

NEEDS_A_NUMBER = "gumbel plans the whole search: give the number of simulations, not (only) a time"
LEAST = 1e-30
"""A prior below this counts as this: its logarithm is needed."""


class GumbelPlan(NamedTuple):
    """What the rule keeps for the search."""

    sequence: Any  # [simulations] i4: see `ponder.mcts.select.halving.visit_sequence`
    planned: Any  # [1] i8: 1 once the plan is made
    noise: Any  # [max_actions] f8: of the root's children
    policy: Any  # [max_actions] f8: scratch space


def new_plan(spec: Spec, simulations: int) -> GumbelPlan:
    return GumbelPlan(
        np.zeros(simulations, np.int32),
        np.zeros(1, np.int64),
        np.zeros(spec.max_actions),
        np.zeros(spec.max_actions),
    )


@kernel
def make_plan(rule, tree, node, plan, simulations, rng):
    """Noise for every move, and how many visits the child has that simulation i goes to."""
    for i in range(tree.nodes[node].count):
        plan.noise[i] = 0.0
        if rule.scale > 0.0:
            # 1 - u is in (0, 1]: its logarithm is finite, and below 0 but for one u in 2^53
            plan.noise[i] = -rule.scale * math.log(max(-math.log(1.0 - uniform(rng)), LEAST))
    considered = min(np.int64(rule.considered), np.int64(tree.nodes[node].count))
    visit_sequence(considered, plan.sequence[:simulations])
    plan.planned[0] = 1


@kernel
def values_weight(rule, tree, node):
    """sigma(q) = this * q: (c_visit + the most visits of a child) * c_scale / h."""
    nodes = tree.nodes
    most = 0
    for child in range(nodes[node].first, nodes[node].first + nodes[node].count):
        most = max(most, nodes[child].visits)
    return (rule.c_visit + most) * rule.c_scale / half_range(tree)


@kernel
def mixed_value(parts, tree, node):
    """What a child without a visit counts as.

        v_mix = (v + N * sum P q / sum P) / (1 + N)     sums over the visited children

    v is what the evaluator said of the node for the player who chooses there. The root was only
    made, not valued: there the visited children decide alone.
    """
    nodes = tree.nodes
    total = 0
    mass = 0.0
    weighted = 0.0
    for child in range(nodes[node].first, nodes[node].first + nodes[node].count):
        visits = nodes[child].visits
        if visits > 0:
            total += visits
            mass += nodes[child].prior
            weighted += nodes[child].prior * parts.backup.worth(tree, child, 1.0 / visits)
    own = 0.0 if nodes[node].action < 0 else 1.0
    if mass <= 0.0:
        return own * nodes[node].raw
    return (own * nodes[node].raw + total * weighted / mass) / (own + total)


@kernel
def improved_policy(rule, parts, tree, node, out):
    """pi' = softmax(ln P + sigma(completed q)): the policy that the values so far speak for."""
    nodes = tree.nodes
    first, count = nodes[node].first, nodes[node].count
    weight = values_weight(rule, tree, node)
    unknown = mixed_value(parts, tree, node)
    highest = -1e300
    for i in range(count):
        visits = nodes[first + i].visits
        q = parts.backup.worth(tree, first + i, 1.0 / visits) if visits > 0 else unknown
        out[i] = math.log(max(nodes[first + i].prior, LEAST)) + weight * q
        highest = max(highest, out[i])
    total = 0.0
    for i in range(count):
        out[i] = math.exp(out[i] - highest)
        total += out[i]
    for i in range(count):
        out[i] /= total


@kernel
def root_merit(parts, tree, child, noise, weight):
    """g + ln P + sigma(q): by it the moves in turn are compared, and the last two decided."""
    visits = tree.nodes[child].visits
    merit = noise + math.log(max(tree.nodes[child].prior, LEAST))
    if visits > 0:
        merit += weight * parts.backup.worth(tree, child, 1.0 / visits)
    return merit


@kernel
def best_of_turn(rule, parts, tree, node, plan, wanted):
    """Of the children with so many visits the one of the highest merit; -1: there is none."""
    nodes = tree.nodes
    weight = values_weight(rule, tree, node)
    pick = -1
    best = -1e300
    for i in range(nodes[node].count):
        child = nodes[node].first + i
        if nodes[child].visits != wanted or parts.backup.closed(tree, node, child):
            continue
        merit = root_merit(parts, tree, child, plan.noise[i], weight)
        if merit > best:
            best = merit
            pick = child
    return pick


@kernel
def furthest_behind(rule, parts, tree, node, policy):
    """The child whose share of the visits is furthest below its share of pi'."""
    nodes = tree.nodes
    first, count = nodes[node].first, nodes[node].count
    improved_policy(rule, parts, tree, node, policy)
    total = 0
    for i in range(count):
        total += nodes[first + i].visits
    pick = first
    best = -1e300
    for i in range(count):
        if parts.backup.closed(tree, node, first + i):
            continue
        score = policy[i] - nodes[first + i].visits / (1.0 + total)
        if score > best:
            best = score
            pick = first + i
    return pick


@kernel
def gumbel_choice(rule, parts, tree, work, depth, plan):
    """The child to go on to, once the plan is made."""
    node = work.path[depth]
    if depth == 0:
        number = tree.nodes[node].visits - 1  # the root counts a visit for being made
        wanted = plan.sequence[min(max(number, 0), plan.sequence.size - 1)]
        pick = best_of_turn(rule, parts, tree, node, plan, wanted)
        if pick >= 0:
            return pick
    return furthest_behind(rule, parts, tree, node, plan.policy)


@kernel
def note_value(tree, work, depth):
    """Keep what the evaluator said of the leaf, for the player who will choose there."""
    nodes = tree.nodes
    leaf = work.path[depth]
    first = nodes[leaf].first
    if first >= 0 and nodes[first].player >= 0:
        nodes[leaf].raw = work.utilities[nodes[first].player]


@registered
@constants(NEEDS=("prior", "raw"))
class Gumbel(NamedTuple):
    """The tree policy of Gumbel AlphaZero (Danihelka et al. 2022), for few simulations.

    At the root the `considered` moves of the highest g + ln P are tried, g being noise of the
    Gumbel distribution times `scale` (0 in play, 1 in self-play), and sequential halving goes on
    with those of the highest

        g + ln P + sigma(q)     sigma(q) = (c_visit + max visits) * c_scale * q / h

    h half the range of utilities. Below the root the child is visited whose share of the visits is
    furthest below its share of

        pi' = softmax(ln P + sigma(completed q))

    where a child without a visit counts as `mixed_value`. The final choice is decide=improved().
    Needs priors, and the number of simulations beforehand.
    """

    considered: int = 16
    c_visit: float = 50.0
    c_scale: float = 1.0
    scale: float = 0.0

    def problem(self) -> str | None:
        if self.considered < 1:
            return f"considered must be 1 or more, not {self.considered}"
        if self.c_visit < 0 or self.c_scale < 0 or self.scale < 0:
            return "c_visit, c_scale and scale of gumbel must be 0 or more"
        return None

    def memory(self, spec: Spec, simulations: int | None) -> GumbelPlan:
        if simulations is None:
            raise InputError(NEEDS_A_NUMBER)
        if simulations > MOST_PLANNED:
            raise InputError(f"gumbel plans at most {MOST_PLANNED:,} simulations")
        return new_plan(spec, max(1, simulations))

    def refusal(self, position: Position, engine: MCTS) -> str | None:
        if not hasattr(engine.expand, "priors"):
            return (
                "gumbel needs an expand rule that gives every child a prior, and "
                f"{part_text(engine.expand)} does not: use expand=all_children()"
            )
        if engine.threads != 1:
            return "gumbel plans simulation by simulation: use threads=1"
        return None

    @inlined
    def choose(self, game, parts, tree, work, depth, rng):
        plan = work.memory.select
        if plan.planned[0] == 0:
            make_plan(self, tree, work.path[0], plan, plan.sequence.size, rng)
        return gumbel_choice(self, parts, tree, work, depth, plan)

    @inlined
    def mixed(self):
        return True

    @inlined
    def after(self, tree, work, depth):
        note_value(tree, work, depth)

    @inlined
    def catch_up(self, game, s, tree, node, first, count, work):
        # what was said of the node is gone: what its visits were worth stands in for it
        total = 0.0
        visits = 0
        for child in range(first, first + count):
            total += tree.nodes[child].value
            visits += tree.nodes[child].visits
        tree.nodes[node].raw = total / visits if visits > 0 else 0.0

    def explain(self, parts: Any, tree: Any, work: Any, node: int, child: int) -> Account:
        """At the root the merit decides among the moves in turn, below it what is missing."""
        nodes, plan = tree.nodes, work.memory.select
        place, visits = child - int(nodes[node].first), int(nodes[child].visits)
        if int(nodes[node].action) < 0:
            prior = math.log(max(float(nodes[child].prior), LEAST))
            weight = float(values_weight(self, tree, node))
            value = weight * float(parts.backup.worth(tree, child, 1.0 / visits))
            terms = {"noise": float(plan.noise[place]), "ln P": prior, "sigma(q)": value}
            number = int(nodes[node].visits) - 1
            if visits != int(plan.sequence[min(max(number, 0), len(plan.sequence) - 1)]):
                return Account(terms, None, "not in turn")
            return Account(terms, sum(terms.values()))
        improved_policy(self, parts, tree, node, plan.policy)
        below = nodes[int(nodes[node].first) : int(nodes[node].first) + int(nodes[node].count)]
        share = visits / (1.0 + sum(int(one.visits) for one in below))
        terms = {"pi'": float(plan.policy[place]), "visits": -share}
        return Account(terms, sum(terms.values()))
