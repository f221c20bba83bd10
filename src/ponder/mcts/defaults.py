"""What a part finds where it says nothing: the defaults of each kind. See `ponder.mcts.parts`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, Self, TypeVar

from ponder.core.game import Spec, hooks_of
from ponder.core.hooks import PLAIN_ARGUMENTS, signature
from ponder.core.position import Position
from ponder.jit import inlined
from ponder.mcts.backup.mean import Mean
from ponder.mcts.children import highest_score, swap_actions, untried
from ponder.mcts.tree import ROOT

if TYPE_CHECKING:
    from ponder.mcts.engine import MCTS


def lacks_hook(rule: str, position: Position, hook: str, instead: str) -> str | None:
    """A sentence, for `refusal`, if the game does not have the hook that the rule calls."""
    if hook in hooks_of(position.game):
        return None
    rules = position.rules
    known = not rules.plain or hook in PLAIN_ARGUMENTS
    own = f", or give it a method {signature(hook, rules.plain)}" if known else ""
    return f"{rule} needs a game with {hook}, which {rules.name} lacks: use {instead}{own}"


Said = TypeVar("Said", bound=Callable[..., Any])


def of_the_game(method: Said) -> Said:
    """Mark a `fitted` or `refusal` that follows from the game and the engine alone, not from the
    position: then the parts are put together once (`ponder.mcts.assembly`)."""
    method.of_the_game = True  # type: ignore[attr-defined]
    return method


def is_of_the_game(method: Any) -> bool:
    return getattr(method, "of_the_game", False)


class NoMemory(NamedTuple):
    """Nothing to keep."""

    unused: int = 0


class PartDefaults:
    """What every part finds where it says nothing."""

    __slots__ = ()
    NEEDS = ()
    TRACE = False

    def memory(self, spec: Spec, simulations: int | None) -> Any:
        return NoMemory()

    @of_the_game
    def fitted(self, position: Position) -> Self:
        return self

    @of_the_game
    def refusal(self, position: Position, engine: MCTS) -> str | None:
        return None


class SelectDefaults(PartDefaults):
    __slots__ = ()

    @inlined
    def choose(self, game, parts, tree, work, depth, rng):
        node = work.path[depth]
        if parts.expand.has_untried(tree, node):
            return untried(parts, tree, node, rng)
        return highest_score(self, game, parts, tree, work, depth)

    @inlined
    def shared(self, game, parts, tree, work, depth, n, log):
        return 0.0

    @inlined
    def score(self, shared, tree, child, visits, inverse, root, mean):
        total = 0.0
        for term in self.terms(shared, tree, child, visits, inverse, root, mean):
            total += term
        return total

    @inlined
    def mixed(self):
        return False

    @inlined
    def prepare(self, game, s, tree, first, count, work):
        pass

    @inlined
    def arrive(self, game, s, tree, leaf, work):
        pass

    @inlined
    def after(self, tree, work, depth):
        pass

    @inlined
    def catch_up(self, game, s, tree, node, first, count, work):
        pass

    @inlined
    def renew(self, tree, work, node):
        pass


class ExpandDefaults(PartDefaults):
    __slots__ = ()

    @inlined
    def moves(self, game, s, node, out):
        return game.legal_actions(s, out)

    @inlined
    def prepare(self, game, s, tree, node, first, count, work, rng):
        return count

    @inlined
    def swap(self, tree, one, other):
        swap_actions(tree, one, other)

    @inlined
    def widen(self, tree, node):
        pass

    @inlined
    def has_untried(self, tree, node):
        return tree.nodes[tree.nodes[node].first + tree.nodes[node].count - 1].visits == 0

    @inlined
    def in_order(self):
        return False

    @inlined
    def total(self, tree, node):
        return tree.nodes[node].count

    @inlined
    def catch_up(self, game, s, tree, first, count, work):
        pass


class EvaluateDefaults(PartDefaults):
    __slots__ = ()

    @inlined
    def after(self, tree, work, depth):
        pass


class BackupDefaults(PartDefaults):
    __slots__ = ()

    @inlined
    def worth(self, tree, child, inverse):
        return tree.nodes[child].value * inverse

    @inlined
    def shown(self, tree, node, owner):
        if tree.nodes[node].player != owner:
            return Mean().shown(tree, node, owner)
        # the root's first visit, for being made, brought no evaluation
        n = tree.nodes[node].visits - (1 if node == ROOT else 0)
        return self.worth(tree, node, 1.0 / n)

    @inlined
    def arrive(self, game, s, tree, leaf, work):
        pass

    @inlined
    def settled(self, tree, node):
        return False

    @inlined
    def recall(self, tree, node, out):
        pass

    @inlined
    def closed(self, tree, node, child):
        return False

    @inlined
    def catch_up(self, game, s, tree, node, work):
        pass

    @inlined
    def renew(self, tree, work, node):
        pass


class InnerDefaults(PartDefaults):
    """A part inside a part, of a kind that has no defaults."""

    __slots__ = ()


DEFAULTS = {
    "select": SelectDefaults,
    "expand": ExpandDefaults,
    "evaluate": EvaluateDefaults,
    "backup": BackupDefaults,
    "priors": InnerDefaults,
    "fpu": InnerDefaults,
}
