"""`load_network`: a trained network as an object that says what it thinks of positions.

from ponder import load_network, position

start = position("connect4")
said = load_network("connect4", start).evaluate(start.play("4"))
print(said.values, {move.name: share for move, share in said.policy.items()})
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np

from ponder.core.game import new_list
from ponder.core.moves import Move
from ponder.core.parts import identical
from ponder.core.position import Position
from ponder.core.protocols import Game
from ponder.core.registry import game_text
from ponder.errors import InputError
from ponder.jit import copy_record_from, kernel
from ponder.learn.beside_file import asked_network, is_beside
from ponder.learn.file import network_for
from ponder.learn.network import hidden, logit, scratch_for, softmax, write_values


@kernel
def evaluate_state(net, game, states, scratch, actions, utilities, priors):
    """The values, and the probabilities of the legal actions, of a state in which a player moves;
    how many actions there are."""
    copy_record_from(scratch.states, 0, states, 0)
    s = scratch.states[0]
    player = game.current_player(s)
    hidden(net, game, s, scratch, player)
    write_values(net, scratch, player, utilities)
    n = game.legal_actions(s, actions)
    for i in range(n):
        priors[i] = logit(net, game.seen_action(np.int64(actions[i]), player), scratch)
    softmax(priors, n)
    return n


class NetworkEvaluation(NamedTuple):
    """What a network thinks of a position."""

    values: tuple[float, ...]
    """A utility for each player."""
    policy: dict[Move, float]
    """The probability of each legal move to be the best; they add up to 1."""


class TrainedNetwork:
    """A network for one game, whatever it is evaluated by."""

    def __init__(self, name: str, start: Position, module: str = "") -> None:
        self.name, self._start, self._module = name, start, module
        self._beside = is_beside(name)
        if self._beside:
            asked_network(name, start, module)  # refuses what does not fit
        else:
            if module:
                raise InputError(f"{name} is evaluated inside the kernel: leave out module")
            network_for(name, start)

    def __repr__(self) -> str:
        return f"<network {self.name} for {game_text(self.game)}>"

    @property
    def game(self) -> Game:
        """The one game that it knows."""
        return self._start.game

    def evaluate(self, position: Position) -> NetworkEvaluation:
        """What it thinks of a position in which a player is to move."""
        if not isinstance(position, Position) or not identical(position.game, self.game):
            raise InputError(f"{self!r} evaluates positions of that game only")
        if position.is_terminal or position.is_chance:
            raise InputError("a network evaluates positions in which a player is to move")
        if self._beside:
            return self._asked(position)
        inner = position.for_kernels()
        network, cells = network_for(self.name, inner)
        spec, rules = inner.rules.spec, inner.rules
        actions, priors = new_list(spec, np.int32), np.zeros(spec.max_actions)
        utilities = np.zeros(spec.players)
        scratch = scratch_for(network, spec, cells)
        n = evaluate_state(
            network, rules.part, inner.raw_state, scratch, actions, utilities, priors
        )
        shares = dict(
            zip(map(rules.action_of, actions[:n].tolist()), priors.tolist(), strict=False)
        )
        policy = {move: shares[move.action] for move in position.legal_moves}
        return NetworkEvaluation(tuple(utilities.tolist()), policy)

    def _asked(self, position: Position) -> NetworkEvaluation:
        utilities, priors = asked_network(self.name, position, self._module)(position.raw_state)
        policy = {move: float(priors[0][move.action]) for move in position.legal_moves}
        return NetworkEvaluation(tuple(utilities[0].tolist()), policy)


def load_network(name: str | Path, start: Position, module: str = "") -> TrainedNetwork:
    """The network `name` for the game of the position `start`.

    `name` is the file of a network, the folder of a training run, or the name of a network that
    comes with Ponder, such as "connect4". `module`, "FILE.py:NAME", says where the code of a module
    of your own is. A network of another game is refused.
    """
    return TrainedNetwork(str(name), start, module)
