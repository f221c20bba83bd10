"""Priors: how likely is each child the best one, before any visit? For PUCT and its relatives.

A priors part says

    fill(self, game, s, tree, first, count, work)   write nodes[child].prior of these children, of
                                                    a node with state s; they add up to 1

and belongs to an expand rule, in a field called ``priors``.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from ponder.core.making import registered
from ponder.core.position import Position
from ponder.jit import constants, inlined, kernel
from ponder.mcts.defaults import lacks_hook, of_the_game

if TYPE_CHECKING:
    from ponder.mcts.engine import MCTS


@kernel
def write_hints(game, s, actions, count, out):
    """out[0:count]: the game's `order` score of each action, rescaled to [0, 1] among them.

    The likeliest move has 1, the unlikeliest 0; all have 0 where the game sees no difference.
    """
    lowest = 1e300
    highest = -1e300
    for i in range(count):
        score = float(game.order(s, actions[i]))
        out[i] = score
        lowest = min(lowest, score)
        highest = max(highest, score)
    width = highest - lowest
    for i in range(count):
        out[i] = (out[i] - lowest) / width if width > 0.0 else 0.0


@registered
@constants(NEEDS=("prior",))
class UniformPriors(NamedTuple):
    """Every child is as likely as any other."""

    @inlined
    def fill(self, game, s, tree, first, count, work):
        for i in range(count):
            tree.nodes[first + i].prior = 1.0 / count


@registered
@constants(NEEDS=("prior",))
class OrderPriors(NamedTuple):
    """The softmax of the game's `order` scores.

        P(a) ~ exp(h(a) / temperature)

    h is the score rescaled to [0, 1] among the moves of the node, because every game has a scale
    of its own. The default makes the likeliest move e^2 = 7.4 times as likely as the unlikeliest.
    """

    temperature: float = 0.5

    def problem(self) -> str | None:
        if self.temperature <= 0:
            return f"temperature of order must be above 0, not {self.temperature:g}"
        return None

    @of_the_game
    def refusal(self, position: Position, engine: MCTS) -> str | None:
        return lacks_hook("order()", position, "order", "priors=uniform()")

    @inlined
    def fill(self, game, s, tree, first, count, work):
        write_hints(game, s, work.actions, count, work.scores)
        total = 0.0
        for i in range(count):
            # the greatest exponent is 0 or less: nothing overflows
            work.scores[i] = math.exp((work.scores[i] - 1.0) / self.temperature)
            total += work.scores[i]
        for i in range(count):
            tree.nodes[first + i].prior = work.scores[i] / total if total > 0.0 else 1.0 / count


@registered
@constants(NEEDS=("prior",))
class GivenPriors(NamedTuple):
    """The evaluator gives them, together with the value of the node (a policy network).

    Until its answer is there, every child is as likely as any other. An evaluate rule that gives
    priors says so with ``PRIORS = True`` and overwrites nodes[child].prior.
    """

    def refusal(self, position: Position, engine: MCTS) -> str | None:
        if getattr(type(engine.evaluate), "PRIORS", False):
            return None
        return (
            "given() takes the priors of an evaluator that has some, and this one has none: "
            "use priors=uniform() or priors=order()"
        )

    @inlined
    def fill(self, game, s, tree, first, count, work):
        for i in range(count):
            tree.nodes[first + i].prior = 1.0 / count
