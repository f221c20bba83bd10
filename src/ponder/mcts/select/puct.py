"""PUCT, the tree policy of AlphaZero, and what it takes a child for that was never visited."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

from ponder.core.making import registered
from ponder.core.position import Position
from ponder.core.registry import part_text
from ponder.jit import constants, inlined, kernel
from ponder.mcts.children import highest_score, movers_mean
from ponder.mcts.defaults import of_the_game
from ponder.mcts.protocols import FPURule
from ponder.mcts.tree import half_range

if TYPE_CHECKING:
    from ponder.mcts.engine import MCTS

# First-play urgency: value(self, tree, mean, mass), the value of a child without a visit. mean:
# that of the visits of its siblings, for the player who chooses; mass: their priors added up.


@registered
class Reduction(NamedTuple):
    """A little less than its siblings (KataGo: Wu 2019): the more so the more of them known.

        mean - c * h * sqrt(priors of the visited siblings)      h = half the range of utilities

    c = 0.2 is KataGo's. (First-play urgency as such: Gelly & Wang 2006.)
    """

    c: float = 0.2

    def problem(self) -> str | None:
        return None if self.c >= 0 else f"c of reduction must be 0 or more, not {self.c:g}"

    @inlined
    def value(self, tree, mean, mass):
        return mean - self.c * half_range(tree) * math.sqrt(mass)


@registered
class Loss(NamedTuple):
    """As if it lost (AlphaZero: Silver et al. 2018): the lowest utility of the game."""

    @inlined
    def value(self, tree, mean, mass):
        return tree.lowest


@registered
class Constant(NamedTuple):
    """Always the same `utility` (Gelly & Wang 2006); 0 is a draw in most games.

    One above the highest of the game tries all children first.
    """

    utility: float = 0.0

    @inlined
    def value(self, tree, mean, mass):
        return self.utility


@kernel
@inlined
def exploration_of(rule, tree, n):
    """h C sqrt(N) of a node with n visits."""
    factor = math.log((n + rule.c_base + 1.0) / rule.c_base) + rule.c_init
    return half_range(tree) * factor * math.sqrt(n)


@kernel
@inlined
def shared_terms(rule, parts, tree, node, n):
    """What the children of a node have in common: h C sqrt(N), the value of those without a visit,
    and the visits of all."""
    nodes = tree.nodes
    mass = 0.0
    below = 0
    for child in range(nodes[node].first, nodes[node].first + nodes[node].count):
        if nodes[child].visits > 0:
            mass += nodes[child].prior
            below += nodes[child].visits
    if not rule.own:
        n = below
    urgency = rule.fpu.value(tree, movers_mean(parts, tree, node), mass)
    return exploration_of(rule, tree, n), urgency, below


@registered
@constants(NEEDS=("prior",), TERMS=("value", "prior"))
class PUCT(NamedTuple):
    """PUCT with a prior P for every child (Rosin 2011; Silver et al. 2017, 2018).

        Q + h * C * P * sqrt(N) / (1 + n)     C = ln((N + c_base + 1) / c_base) + c_init

    N visits of the parent, its own first one among them as in AlphaZero, or with own=False those of
    its children alone, as the formula is often printed; n of the child; h half the range of
    utilities, so that the published constants, made for utilities in [-1, 1], fit every game. Q of
    a child without a visit is its first-play urgency, `fpu`: reduction(c), loss() or
    constant(utility). The priors come from the expand rule; ties go to the child that stands
    first, and children stand in random order.
    """

    c_init: float = 1.25
    c_base: float = 19652.0
    fpu: FPURule = Reduction()
    own: bool = True
    added: float = 1.0
    square_root: bool = True

    def problem(self) -> str | None:
        if self.added <= 0:
            return (
                f"added of puct, which keeps the denominator above 0, must be above 0, "
                f"not {self.added:g}"
            )
        if self.c_init < 0 or self.c_base <= 0:
            return (
                "puct needs c_init of 0 or more and c_base above 0, "
                f"not {self.c_init:g} and {self.c_base:g}"
            )
        return None

    @of_the_game
    def refusal(self, position: Position, engine: MCTS) -> str | None:
        if hasattr(engine.expand, "priors"):
            return None
        return (
            f"puct needs an expand rule that gives every child a prior, and "
            f"{part_text(engine.expand)} does not: use expand=all_children(), or "
            "all_children(priors=order()) for games with the hook order"
        )

    @inlined
    def choose(self, game, parts, tree, work, depth, rng):
        return highest_score(self, game, parts, tree, work, depth)

    @inlined
    def mixed(self):
        return True

    @inlined
    def shared(self, game, parts, tree, work, depth, n, log):
        exploration, urgency, below = shared_terms(self, parts, tree, work.path[depth], n)
        if not self.square_root:
            exploration *= math.sqrt(n if self.own else below)
        return exploration, urgency

    @inlined
    def terms(self, shared, tree, child, visits, inverse, root, mean):
        exploration, urgency = shared
        value = mean if visits > 0 else urgency
        return value, exploration * tree.nodes[child].prior / (self.added + visits)

    def numbers(
        self, game: Any, parts: Any, tree: Any, work: Any, node: int, child: int
    ) -> dict[str, float]:
        """N as the formula counts it."""
        first, count = int(tree.nodes[node].first), int(tree.nodes[node].count)
        below = tree.nodes[first : first + count].visits.sum()
        return {} if self.own else {"N": float(below)}
