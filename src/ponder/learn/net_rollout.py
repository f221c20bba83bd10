"""`net_rollout`: random games in which moves are drawn by a trained network's policy.

A default policy that was learned offline, in place of uniformly random moves (Browne et al. 2012;
AlphaGo's rollouts had a small network of their own for this, Silver et al. 2016).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ponder.core.game import Spec
from ponder.core.making import registered
from ponder.core.position import Position
from ponder.core.rng import sample
from ponder.errors import InputError
from ponder.jit import copy_record_from, inlined, kernel
from ponder.learn.beside_file import is_beside
from ponder.learn.file import network_for
from ponder.learn.network import Network, hidden, logit, scratch_for, softmax
from ponder.mcts.evaluate.rollout import play_out

if TYPE_CHECKING:
    from ponder.mcts.engine import MCTS
    from ponder.mcts.protocols import EvaluateRule


class NetMoves(NamedTuple):
    """The network's policy over the legal moves, to the power of 1 / temperature."""

    network: Network
    temperature: float

    @inlined
    def action(self, game, s, work, rng):
        return drawn_by_network(self, game, s, work, rng)


@kernel
def drawn_by_network(moves, game, s, work, rng):
    """A legal move by the policy; -1 where there is none."""
    scratch = work.memory.evaluate
    n = game.legal_actions(s, work.actions)
    if n < 1 or n > work.actions.size:
        return -1
    copy_record_from(scratch.states, 0, work.states, 1)  # codes may be of the record's memory
    player = game.current_player(s)
    hidden(moves.network, game, s, scratch, player)
    for i in range(n):
        action = game.seen_action(np.int64(work.actions[i]), player)
        work.scores[i] = logit(moves.network, action, scratch) / moves.temperature
    softmax(work.scores, n)
    return work.actions[sample(rng, work.scores, n)]


@registered
class NetRollout(NamedTuple):
    """One game to the end, its moves drawn by the policy of a trained network.

    `file` names a network as in `net`. Moves are drawn with probabilities P^(1 / temperature): the
    lower the temperature, the surer the likeliest move.
    """

    file: str
    temperature: float = 1.0

    def problem(self) -> str | None:
        if not self.file:
            return "net_rollout needs the file of a network"
        if not self.temperature > 0:
            return f"temperature must be above 0, not {self.temperature:g}"
        return None

    def refusal(self, position: Position, engine: MCTS) -> str | None:
        try:
            if is_beside(self.file):
                return f"{self.file} is a network beside the kernel: net_rollout takes patterns"
            network_for(self.file, position)
        except InputError as error:
            return str(error)
        return None

    def fitted(self, position: Position) -> EvaluateRule:
        return FittedNetRollout(*network_for(self.file, position), self.temperature)

    @inlined
    def estimate(self, game, s, work, rng, longest):
        return True  # `fitted` has put another in its place


class FittedNetRollout(NamedTuple):
    """`NetRollout` with its arrays."""

    network: Network
    cells: int
    temperature: float

    def memory(self, spec: Spec, simulations: int | None) -> Any:
        return scratch_for(self.network, spec, self.cells)

    @inlined
    def estimate(self, game, s, work, rng, longest):
        moves = NetMoves(self.network, self.temperature)
        return play_out(game, moves, s, work, rng, longest)
