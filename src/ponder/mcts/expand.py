"""Expand rules: when does a leaf get its children, and which of them are open? See
`ponder.mcts.parts`.

Children are always made side by side; a select rule that tries untried children first then goes
on to one more of them with each visit, which is the "one child per visit" of UCT.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ponder.core.making import registered
from ponder.core.position import Position
from ponder.jit import constants, inlined, kernel
from ponder.mcts.children import swap_actions
from ponder.mcts.defaults import of_the_game
from ponder.mcts.evaluate.function import asked
from ponder.mcts.priors import GivenPriors, UniformPriors, write_hints
from ponder.mcts.protocols import PriorsRule, whole
from ponder.mcts.search import shuffle
from ponder.mcts.tree import ROOT

if TYPE_CHECKING:
    from ponder.mcts.engine import MCTS


@registered
class OneChild(NamedTuple):
    """One more child with every visit after a node's first (UCT; Coulom 2006 grows this way)."""

    @inlined
    def wants(self, tree, node, visits):
        return visits > 0

    @inlined
    def has_untried(self, tree, node):
        # one visit made the node, each later one tried a child: no need to look at the children
        return tree.nodes[node].visits <= tree.nodes[node].count


@registered
class NthVisit(NamedTuple):
    """A node gets its children at its n-th visit; until then it is evaluated again and again.

    n = 2 grows as `OneChild` does, and as Crazy Stone did (Coulom 2006). More saves memory, and
    the first choice among the children comes later. The root has its children at once.
    """

    n: int = 2

    def problem(self) -> str | None:
        return None if self.n >= 1 else f"n of nth_visit must be 1 or more, not {self.n}"

    @inlined
    def wants(self, tree, node, visits):
        return visits + 1 >= self.n or node == ROOT


@registered
class EnoughChildren(NamedTuple):
    """As `OneChild`, but only of moves that the game says are enough, in its order.

    The hook `enough_actions` leaves out what is surely not better than another move (all but the
    answer to a threat, say), so that values stay what they are and proofs need fewer nodes. The
    root has all moves. Games without the hook have all moves everywhere.
    """

    @inlined
    def wants(self, tree, node, visits):
        return visits > 0

    @inlined
    def moves(self, game, s, node, out):
        if node == ROOT:
            return game.legal_actions(s, out)
        return game.enough_actions(s, out)

    @inlined
    def in_order(self):
        return True


@registered
class AllChildren(NamedTuple):
    """All children at a node's first visit, each with its prior; the node itself is evaluated.

    (The first simulation expands the root and evaluates a child, which gets its own at its second
    visit.) With visits = n they are made at the n-th visit, as `NthVisit` does: until then a node
    is evaluated again and again, and the n-th visit goes on to a child. The root has its children
    at once.
    So grow searches whose evaluator gives a value and priors at once (AlphaGo Zero and AlphaZero:
    Silver et al. 2017, 2018), and rules which score children that were never visited.
    """

    priors: PriorsRule = UniformPriors()
    visits: int = 1

    def problem(self) -> str | None:
        if self.visits >= 1:
            return None
        return f"visits of all_children must be 1 or more, not {self.visits}"

    @of_the_game
    def refusal(self, position: Position, engine: MCTS) -> str | None:
        given = self.visits > 1 and isinstance(self.priors, GivenPriors)
        if given and asked(engine.evaluate, position) is not None:
            # the answer that has the priors belongs to the leaf, which then has no children yet
            return (
                "all_children(visits=...) makes children after their node was evaluated, when an "
                "evaluator that is asked from outside gives no priors any more: leave out visits, "
                "or use priors=order() or uniform()"
            )
        return whole(self.priors).refusal(position, engine)

    @inlined
    def wants(self, tree, node, visits):
        return visits + 1 >= self.visits or node == ROOT

    @inlined
    def prepare(self, game, s, tree, node, first, count, work, rng):
        self.priors.fill(game, s, tree, first, count, work)
        return count

    @inlined
    def catch_up(self, game, s, tree, first, count, work):
        self.priors.fill(game, s, tree, first, count, work)

    @inlined
    def swap(self, tree, one, other):
        swap_actions(tree, one, other)
        prior = tree.nodes[one].prior
        tree.nodes[one].prior = tree.nodes[other].prior
        tree.nodes[other].prior = prior


@registered
@constants(NEEDS=("hint", "total"))
class Progressive(NamedTuple):
    """Progressive widening, or unpruning (Chaslot et al. 2008; Coulom 2007): few children first.

    `first` children are open from the beginning, the k-th opens when its parent has

        a * b^(k - first) - offset

    visits: the best first by the game's `order`, equal ones in random order, and so all of them
    where the game has no `order`. The defaults are those of MANGO, a Go program. Crazy Stone's
    (the n-th move after t_(n-1) visits, t_0 = 0, t_(n+1) = t_n + 40 * 1.4^n) is the sum of that
    series, progressive(first=1, a=100, b=1.4, offset=100). It pays where there are many children,
    as in Go; with some 30 it gained nothing in Lines of Action. Works with every select rule.
    """

    first: int = 5
    a: float = 50.0
    b: float = 1.3
    offset: float = 0.0

    def problem(self) -> str | None:
        if self.first < 1:
            return f"first of progressive must be 1 or more, not {self.first}"
        if self.a <= 0 or self.b <= 1:
            return f"progressive needs a above 0 and b above 1, not {self.a:g} and {self.b:g}"
        return None

    @inlined
    def wants(self, tree, node, visits):
        return visits > 0

    @inlined
    def prepare(self, game, s, tree, node, first, count, work, rng):
        sort_by_hint(game, s, tree, first, count, work, rng)
        tree.nodes[node].total = count
        return min(self.first, count)

    @inlined
    def widen(self, tree, node):
        # counted here and written once: another thread may be at it too
        count, visits = tree.nodes[node].count, float(tree.nodes[node].visits)
        opened = count
        while opened < tree.nodes[node].total and self.threshold(opened + 1) <= visits:
            opened += 1
        if opened > count:
            tree.nodes[node].count = opened

    @inlined
    def threshold(self, k):
        """Visits of the parent at which its k-th child opens."""
        return self.a * self.b ** (k - self.first) - self.offset

    @inlined
    def total(self, tree, node):
        # nobody counts the outcomes of dice: they are open at once
        return max(tree.nodes[node].total, tree.nodes[node].count)

    @inlined
    def in_order(self):
        return True


@kernel
def sort_by_hint(game, s, tree, first, count, work, rng):
    """Put the likeliest child first, equal ones in random order; each gets its hint."""
    nodes, actions, hints = tree.nodes, work.actions, work.scores
    shuffle(actions, count, rng)
    write_hints(game, s, actions, count, hints)
    for i in range(1, count):  # insertion keeps the order of equal ones
        action, hint = actions[i], hints[i]
        at = i
        while at > 0 and hints[at - 1] < hint:
            actions[at], hints[at] = actions[at - 1], hints[at - 1]
            at -= 1
        actions[at], hints[at] = action, hint
    for i in range(count):
        nodes[first + i].action = actions[i]
        nodes[first + i].hint = hints[i]


@registered
class RootOnly(NamedTuple):
    """Only the root has children: pure Monte Carlo (Abramson 1990), without a tree."""

    @inlined
    def wants(self, tree, node, visits):
        return node == ROOT
