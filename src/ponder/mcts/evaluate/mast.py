"""Move-average sampling: random games that learn which moves are good in general."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ponder.core.game import Spec
from ponder.core.position import Position
from ponder.core.rng import below, uniform
from ponder.jit import constants, inlined, kernel
from ponder.mcts.evaluate.rollout import epsilon_problem, play_out

MOST_ENTRIES = 1 << 22
"""Players times distinct actions: more would be tables of more than 64 megabytes."""


class MastTable(NamedTuple):
    """Of each player and action: utilities of the simulations that contain it."""

    sums: Any  # [players, distinct_actions] f8
    counts: Any  # [players, distinct_actions] i8


@kernel
def add_moves(table, work):
    """Add the simulation to the averages of the moves in it, once each."""
    trace = work.trace
    for i in range(trace.length[0]):
        player, action = trace.players[i], trace.actions[i]
        if trace.first[player, action] < 0:
            trace.first[player, action] = i
            table.sums[player, action] += work.utilities[player]
            table.counts[player, action] += 1
    for i in range(trace.length[0]):
        trace.first[trace.players[i], trace.actions[i]] = -1


class MastMoves(NamedTuple):
    """With probability epsilon a uniform move, else the one with the best average so far."""

    epsilon: float

    def action(self, game, s, work, rng):
        if uniform(rng) < self.epsilon:
            return np.int64(game.random_action(s, work.actions, rng))
        table = work.memory.evaluate
        player = game.current_player(s)
        n = game.legal_actions(s, work.actions)
        if n < 1 or n > work.actions.size:
            return np.int64(-1)  # the rules are broken
        best, ties, pick = -1e300, 0, work.actions[0]
        for i in range(n):
            a = work.actions[i]
            if a < 0 or a >= table.counts.shape[1]:
                return np.int64(-1)
            count = table.counts[player, a]
            score = table.sums[player, a] / count if count > 0 else 1e300
            if score > best:
                best, ties, pick = score, 0, a
            if score == best:
                ties += 1
                if below(rng, ties) == 0:  # of k equal ones each stays with probability 1 / k
                    pick = a
        return np.int64(pick)


@constants(TRACE=True)
class Mast(NamedTuple):
    """One game to the end by the move-average sampling technique (Finnsson & Bjornsson 2008).

        Q(player, action) = mean utility of the player over all simulations that contain the action

    whether in the tree or after it, and however often in one simulation. With probability epsilon
    a move is uniform, else it has the highest Q; actions that have not occurred count as the best,
    and ties are broken at random. 0.4 after Tak, Winands & Bjornsson 2012, who found it better
    than Gibbs sampling.
    """

    epsilon: float = 0.4

    def problem(self) -> str | None:
        return epsilon_problem(self.epsilon)

    def refusal(self, position: Position, engine: Any) -> str | None:
        spec = position.rules.spec
        if spec.players * (spec.distinct_actions or spec.max_actions) > MOST_ENTRIES:
            return f"mast keeps a table of all actions, and {position.rules.name} has too many"
        return None

    def memory(self, spec: Spec, simulations: int | None) -> Any:
        shape = (spec.players, spec.distinct_actions or spec.max_actions)
        return MastTable(np.zeros(shape), np.zeros(shape, np.int64))

    @inlined
    def estimate(self, game, s, work, rng, longest):
        return play_out(game, MastMoves(self.epsilon), s, work, rng, longest)

    @inlined
    def after(self, tree, work, depth):
        add_moves(work.memory.evaluate, work)
