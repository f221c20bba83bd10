"""`net`: a trained network as a part of a search.

It gives values and priors at once. With ``expand=all_children(priors=given())`` the children of a
new node get their priors from the same evaluation that values the node; with any other expand rule
it is an evaluation function.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ponder.core.game import CHANCE, Spec
from ponder.core.position import Position
from ponder.core.rng import sample
from ponder.errors import InputError
from ponder.jit import constants, copy_record_from, inlined, kernel
from ponder.learn.evaluated import with_network
from ponder.learn.file import load_network, network_refusal
from ponder.learn.network import Network, hidden, logit, scratch_for, softmax, write_values
from ponder.mcts.evaluate.nested import Nested, within
from ponder.mcts.evaluate.rollout import Rollout


@constants(PRIORS=True)
class Net(NamedTuple):
    """The values, and the priors, of a trained network.

    `file` is a network's file, the folder of a training run, or the name of one that comes with
    Ponder. With `weight` above 0 every leaf is also valued by the rule `evaluate`, and counts

        (1 - weight) * network + weight * value by `evaluate`

    AlphaGo's lambda (Silver et al. 2016), 0.5 there. The end of a game counts as it is.
    """

    file: str
    weight: float = 0.0
    evaluate: Any = Rollout()

    def problem(self) -> str | None:
        if not 0 <= self.weight <= 1:
            return f"weight is the share of the rule inside, from 0 to 1, not {self.weight:g}"
        return None if self.file else "net needs the file of a network"

    def refusal(self, position: Position, engine: Any) -> str | None:
        said = network_refusal(self.file, position)
        if said is None and self.weight > 0:
            said = self.evaluate.refusal(position, engine)
        return said

    def fitted(self, position: Position) -> Any:
        network, cells = load_network(self.file, position)
        if self.weight > 0:
            inner = self.evaluate.fitted(position)
            return FittedBlendedNet(network, cells, self.weight, inner)
        return FittedNet(network, cells)

    def evaluating(self, position: Position) -> Position:
        """The position as the classical searches take it: evaluated by the network."""
        if self.weight > 0:
            raise InputError("weight blends rollouts in, which alphabeta has none of: leave it out")
        return with_network(position, *load_network(self.file, position))

    @inlined
    def estimate(self, game, s, work, rng, longest):
        return True  # `fitted` has put another in its place


@constants(PRIORS=True)
class FittedNet(NamedTuple):
    """`Net` with its arrays."""

    network: Network
    cells: int

    def memory(self, spec: Spec, simulations: int | None) -> Any:
        return scratch_for(self.network, spec, self.cells)

    def given_priors(self) -> Any:
        """What writes the priors of new children in place of `GivenPriors`."""
        return NetPriors(self.network)

    @inlined
    def estimate(self, game, s, work, rng, longest):
        return value_leaf(self.network, game, s, work, work.memory.evaluate, rng, longest)


@constants(PRIORS=True)
class FittedBlendedNet(NamedTuple):
    """`Net` with its arrays, and another rule that values the same leaves."""

    network: Network
    cells: int
    weight: float
    evaluate: Any

    def memory(self, spec: Spec, simulations: int | None) -> Any:
        own = scratch_for(self.network, spec, self.cells)
        return Nested(own, self.evaluate.memory(spec, simulations))

    def given_priors(self) -> Any:
        return NestedNetPriors(self.network)

    @inlined
    def estimate(self, game, s, work, rng, longest):
        own = work.memory.evaluate.own
        value_leaf(self.network, game, s, work, own, rng, longest)
        for p in range(work.utilities.size):
            own.values[p] = work.utilities[p]
        ended = self.evaluate.estimate(game, s, within(work), rng, longest)
        for p in range(work.utilities.size):
            mixed = (1.0 - self.weight) * own.values[p] + self.weight * work.utilities[p]
            work.utilities[p] = mixed
        return ended

    @inlined
    def after(self, tree, work, depth):
        self.evaluate.after(tree, within(work), depth)


@constants(NEEDS=("prior",))
class NetPriors(NamedTuple):
    """The network's policy over the legal moves; what illegal ones would get is never looked at."""

    network: Network

    @inlined
    def fill(self, game, s, tree, first, count, work):
        write_priors(self.network, game, s, tree, first, count, work, work.memory.evaluate)


@constants(NEEDS=("prior",))
class NestedNetPriors(NamedTuple):
    """`NetPriors` where another rule shares the memory."""

    network: Network

    @inlined
    def fill(self, game, s, tree, first, count, work):
        write_priors(self.network, game, s, tree, first, count, work, work.memory.evaluate.own)


@kernel
def write_priors(net, game, s, tree, first, count, work, scratch):
    """The priors of the new children; the evaluation is kept for whoever values their node next."""
    copy_record_from(scratch.states, 0, work.states, 1)
    player = game.current_player(s)
    hidden(net, game, s, scratch, player)
    scratch.fresh[0] = 1
    for i in range(count):
        work.scores[i] = logit(
            net, game.seen_action(np.int64(tree.nodes[first + i].action), player), scratch
        )
    softmax(work.scores, count)
    for i in range(count):
        tree.nodes[first + i].prior = work.scores[i]


@kernel
def value_leaf(net, game, s, work, scratch, rng, longest):
    """Utilities of the state s, which is work.states[1]; dice that are to fall are thrown first.

    False if the dice never end.
    """
    rolls = 0
    while not game.is_terminal(s) and game.current_player(s) == CHANCE:
        if rolls > longest:
            return False
        n = game.chance_outcomes(s, work.actions, work.chances)
        game.apply_action(s, work.actions[sample(rng, work.chances, n)])
        rolls += 1
    if game.is_terminal(s):
        game.returns(s, work.utilities)
        return True
    player = game.current_player(s)
    if not is_fresh(scratch, work):
        hidden(net, game, s, scratch, player)
    scratch.fresh[0] = 0
    write_values(net, scratch, player, work.utilities)
    return True


@kernel
def is_fresh(scratch, work):
    """Were the priors of the state in work.states[1] the last thing that was asked for?"""
    if scratch.fresh[0] == 0:
        copy_record_from(scratch.states, 0, work.states, 1)
        return False
    copy_record_from(scratch.states, 1, work.states, 1)
    same = True
    for i in range(scratch.words.shape[1]):
        same = same and scratch.words[0, i] == scratch.words[1, i]
    if not same:  # its children were walked on to
        copy_record_from(scratch.states, 0, work.states, 1)
    return same
