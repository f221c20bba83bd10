"""`net`: a trained network as a part of a search.

A network of kind "patterns" is evaluated inside the kernel, leaf by leaf; any other stands beside
it and is asked about `batch` leaves at a time (`ponder.learn.beside`).

It gives values and priors at once. With ``expand=all_children(priors=given())`` the children of a
new node get their priors from the same evaluation that values the node; with any other expand rule
it is an evaluation function.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ponder.core.game import CHANCE, Spec
from ponder.core.making import registered
from ponder.core.position import Position
from ponder.core.rng import sample
from ponder.errors import InputError
from ponder.jit import constants, copy_record_from, inlined, kernel
from ponder.learn.beside_file import asked_network, is_beside
from ponder.learn.evaluated import with_network
from ponder.learn.file import network_for
from ponder.learn.images import IMAGES, OneImage, images_named, images_refusal
from ponder.learn.network import Network, logit, scratch_for, softmax, write_values
from ponder.mcts.evaluate.function import Function, Outside, batch_problem, refused_batch
from ponder.mcts.evaluate.rollout import Rollout
from ponder.mcts.evaluate.static import Nested, within
from ponder.mcts.protocols import EvaluateRule, whole

if TYPE_CHECKING:
    from ponder.mcts.engine import MCTS


@registered
@constants(PRIORS=True)
class Net(NamedTuple):
    """The values, and the priors, of a trained network.

    `file` is a network's file, the folder of a training run, or the name of one that comes with
    Ponder. With `weight` above 0 every leaf is also valued by the rule `evaluate`, and counts

        (1 - weight) * network + weight * value by `evaluate`

    AlphaGo's lambda (Silver et al. 2016), 0.5 there. The end of a game counts as it is.

    `images`: "one", the board as it is; "random", one of its images under the game's symmetries;
    "average", the mean of all of them.

    Of networks beside the kernel: `batch` leaves are evaluated at a time (see `Function`), and
    `module` says where the code of a module of your own is, FILE.py:NAME.
    """

    file: str
    weight: float = 0.0
    evaluate: EvaluateRule = Rollout()
    images: str = "one"
    batch: int = 16
    module: str = ""

    def problem(self) -> str | None:
        if self.images not in IMAGES:
            return f"images of net is {', '.join(IMAGES[:-1])} or {IMAGES[-1]}, not {self.images!r}"
        if not 0 <= self.weight <= 1:
            return f"weight is the share of the rule inside, from 0 to 1, not {self.weight:g}"
        if not self.file:
            return "net needs the file of a network"
        return batch_problem(self.batch, 1.0)

    def refusal(self, position: Position, engine: MCTS) -> str | None:
        try:
            if not is_beside(self.file):
                if self.module:
                    return f"{self.file} is evaluated inside the kernel: leave out module"
                network_for(self.file, position)
                said = images_refusal(self.images, position)
                if said is None and self.weight > 0:
                    said = whole(self.evaluate).refusal(position, engine)
                return said
            if self.weight > 0 or self.images != "one":
                return (
                    f"{self.file} is a network beside the kernel, where weight must be 0 and "
                    "images one"
                )
            asked_network(self.file, position, self.module)
        except InputError as error:
            return str(error)
        return refused_batch(engine, self.batch)

    def asking(self, position: Position) -> Function | None:
        """How a search asks about its leaves, where the network is beside the kernel."""
        if not is_beside(self.file):
            return None
        return Function(asked_network(self.file, position, self.module), self.batch, raw=True)

    def fitted(self, position: Position) -> EvaluateRule:
        if is_beside(self.file):
            return Outside(self.batch)
        network, cells = network_for(self.file, position)
        images = images_named(self.images)
        if self.weight > 0:
            inner = whole(self.evaluate).fitted(position)
            return FittedBlendedNet(network, cells, self.weight, inner, images)
        return FittedNet(network, cells, images)

    def evaluating(self, position: Position) -> Position:
        """The position as the classical searches take it: evaluated by the network."""
        if self.weight > 0:
            raise InputError("weight blends rollouts in, which alphabeta has none of: leave it out")
        if is_beside(self.file):
            raise InputError(
                f"{self.file} is a network beside the kernel: alphabeta takes one of kind patterns"
            )
        if self.images != "one":
            raise InputError("images of net are for mcts: leave it out")
        return with_network(position, *network_for(self.file, position))

    @inlined
    def estimate(self, game, s, work, rng, longest):
        return True  # `fitted` has put another in its place


@constants(PRIORS=True)
class FittedNet(NamedTuple):
    """`Net` with its arrays."""

    network: Network
    cells: int
    images: Any = OneImage()

    def memory(self, spec: Spec, simulations: int | None) -> Any:
        return scratch_for(self.network, spec, self.cells)

    def given_priors(self) -> Any:
        """What writes the priors of new children in place of `GivenPriors`."""
        return NetPriors(self.network, self.images)

    @inlined
    def estimate(self, game, s, work, rng, longest):
        return value_leaf(
            self.network, self.images, game, s, work, work.memory.evaluate, rng, longest
        )


@constants(PRIORS=True)
class FittedBlendedNet(NamedTuple):
    """`Net` with its arrays, and another rule that values the same leaves."""

    network: Network
    cells: int
    weight: float
    evaluate: Any
    images: Any = OneImage()

    def memory(self, spec: Spec, simulations: int | None) -> Any:
        own = scratch_for(self.network, spec, self.cells)
        return Nested(own, self.evaluate.memory(spec, simulations))

    def given_priors(self) -> Any:
        return NestedNetPriors(self.network, self.images)

    @inlined
    def estimate(self, game, s, work, rng, longest):
        own = work.memory.evaluate.own
        value_leaf(self.network, self.images, game, s, work, own, rng, longest)
        for p in range(work.utilities.size):
            own.other[p] = work.utilities[p]
        ended = self.evaluate.estimate(game, s, within(work), rng, longest)
        for p in range(work.utilities.size):
            mixed = (1.0 - self.weight) * own.other[p] + self.weight * work.utilities[p]
            work.utilities[p] = mixed
        return ended

    @inlined
    def after(self, tree, work, depth):
        self.evaluate.after(tree, within(work), depth)


@constants(NEEDS=("prior",))
class NetPriors(NamedTuple):
    """The network's policy over the legal moves; what illegal ones would get is never looked at."""

    network: Network
    images: Any = OneImage()

    @inlined
    def fill(self, game, s, tree, first, count, work):
        scratch = work.memory.evaluate
        write_priors(self.network, self.images, game, s, tree, first, count, work, scratch)


@constants(NEEDS=("prior",))
class NestedNetPriors(NamedTuple):
    """`NetPriors` where another rule shares the memory."""

    network: Network
    images: Any = OneImage()

    @inlined
    def fill(self, game, s, tree, first, count, work):
        scratch = work.memory.evaluate.own
        write_priors(self.network, self.images, game, s, tree, first, count, work, scratch)


@kernel
def write_priors(net, images, game, s, tree, first, count, work, scratch):
    """The priors of the new children; the evaluation is kept for whoever values their node next."""
    copy_record_from(scratch.states, 0, work.states, 1)
    player = game.current_player(s)
    n = images.count(game)
    for k in range(n):
        images.look(net, game, s, scratch, player, k)
        for i in range(count):
            action = np.int64(tree.nodes[first + i].action)
            work.scores[i] = logit(net, images.seen_action(game, action, player, scratch), scratch)
        softmax(work.scores, count)
        for i in range(count):
            before = tree.nodes[first + i].prior if k > 0 else 0.0
            tree.nodes[first + i].prior = before + work.scores[i] / n
        add_values(net, scratch, player, k, n)
    scratch.fresh[0] = 1


@kernel
def add_values(net, scratch, player, k, n):
    """Image k of n: its share of the values, into scratch.values."""
    write_values(net, scratch, player, scratch.other)
    for p in range(scratch.values.size):
        scratch.values[p] = (scratch.values[p] if k > 0 else 0.0) + scratch.other[p] / n


@kernel
def value_leaf(net, images, game, s, work, scratch, rng, longest):
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
        n = images.count(game)
        for k in range(n):
            images.look(net, game, s, scratch, player, k)
            add_values(net, scratch, player, k, n)
    scratch.fresh[0] = 0
    for p in range(work.utilities.size):
        work.utilities[p] = scratch.values[p]
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
