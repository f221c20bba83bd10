"""Searches whose leaves are evaluated by a Python function, several at a time.

Leaves are collected one after the other. A leaf that waits for its value counts on the whole path
to it as a visit with a disappointing result (virtual loss), so that the next walk goes elsewhere.
When the batch is full the function is called once, the virtual losses are taken back, and all
values are backed up in the order in which the leaves were found. The last leaf of a batch needs no
virtual loss: with a batch of one the search is the same, bit for bit, as with a compiled evaluator
that gives the same values.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ponder.core.compiled import guarded
from ponder.core.game import CHANCE, new_states
from ponder.core.position import Position
from ponder.errors import GameError, InputError
from ponder.jit import copy_record_from, kernel
from ponder.mcts.evaluate.function import Answer, Evaluator, Function, asked, probabilities
from ponder.mcts.priors import GivenPriors
from ponder.mcts.run import CompiledRun, own_arrays
from ponder.mcts.search import (
    DONE,
    NOT_A_NUMBER,
    backward,
    no_number,
    obstacle,
    reach,
)
from ponder.mcts.tree import ROOT


class Waiting(NamedTuple):
    """The leaves that wait for their values."""

    paths: Any  # [batch, longest path] i8
    debts: Any  # [batch, longest path] f8: what each node on the path was given meanwhile
    depths: Any  # [batch] i8
    lost: Any  # [batch] i1: is there a virtual loss to take back?
    count: Any  # [1] i8


def new_waiting(batch: int, longest: int) -> Waiting:
    return Waiting(
        np.zeros((batch, longest), np.int64),
        np.zeros((batch, longest)),
        np.zeros(batch, np.int64),
        np.zeros(batch, np.int8),
        np.zeros(1, np.int64),
    )


ROUND = 4
"""Batches' worth of simulations that one round may begin, where many end the game at once."""


def round_size(batch: int, done: int, limit: int | None, n: int) -> int:
    """How many simulations a round may begin at most, n being asked for.

    Rounds depend on the batch and on the limit alone: a search is cut into pieces by the clock, and
    the same seed must give the same batches whatever the clock says. Batches of one are the same
    however they are cut, and one simulation a round can be recorded.
    """
    if batch == 1:
        return 1
    if limit is None:
        return ROUND * batch
    return min(ROUND * batch, limit - done if done < limit else n)


@kernel
def hold(tree, work, waiting, depth, virtual_loss):
    """Keep the path to a leaf; unless it fills the batch, count a virtual loss on it."""
    nodes = tree.nodes
    slot = waiting.count[0]
    waiting.count[0] = slot + 1
    waiting.depths[slot] = depth
    waiting.lost[slot] = slot + 1 < waiting.depths.size
    for i in range(depth + 1):
        node = work.path[i]
        waiting.paths[slot, i] = node
        if waiting.lost[slot]:
            visits, value = nodes[node].visits, nodes[node].value
            mean = value / visits if visits > 0 else tree.lowest
            debt = virtual_loss * tree.lowest + (1.0 - virtual_loss) * mean
            waiting.debts[slot, i] = debt
            nodes[node].visits = visits + 1
            nodes[node].value = value + debt


@kernel
def take_back(tree, waiting):
    """Take all virtual losses back."""
    nodes = tree.nodes
    for slot in range(waiting.count[0] - 1, -1, -1):
        if waiting.lost[slot]:
            for i in range(waiting.depths[slot] + 1):
                node = waiting.paths[slot, i]
                nodes[node].visits -= 1
                nodes[node].value -= waiting.debts[slot, i]


@kernel
def settle(parts, tree, work, waiting, values):
    """Back up the values of all waiting leaves; none wait afterwards."""
    take_back(tree, waiting)
    nodes = tree.nodes
    for slot in range(waiting.count[0]):
        depth = waiting.depths[slot]
        work.trace.begin()
        for i in range(depth + 1):
            node = waiting.paths[slot, i]
            work.path[i] = node
            if i > 0 and nodes[node].player != CHANCE:
                work.trace.note(nodes[node].player, nodes[node].action)
        for p in range(work.utilities.size):
            work.utilities[p] = values[slot, p]
        backward(parts, tree, work, depth)
    waiting.count[0] = 0


@kernel
def collect(game, parts, tree, work, rng, n, may_grow, waiting, states, virtual_loss):
    """Begin up to n simulations, until the batch is full; finish those that end the game.

    Returns how many are finished, and DONE or what prevented more.
    """
    finished = 0
    while finished + waiting.count[0] < n and waiting.count[0] < waiting.depths.size:
        status = obstacle(parts, tree, work, may_grow)
        if status != DONE:
            return finished, status
        depth = reach(game, parts, tree, work, rng, may_grow)
        if depth < 0:
            return finished, -depth
        s = work.states[1]
        leaf = work.path[depth]
        if parts.backup.settled(tree, leaf):
            parts.backup.recall(tree, leaf, work.utilities)
        elif game.is_terminal(s):
            game.returns(s, work.utilities)
        else:
            copy_record_from(states, waiting.count[0], work.states, 1)
            hold(tree, work, waiting, depth, virtual_loss)
            continue
        if no_number(work.utilities):
            tree.depths[1] = depth
            return finished, NOT_A_NUMBER
        backward(parts, tree, work, depth)
        finished += 1
    return finished, DONE


def position_at(rules: Any, state: Any) -> Position:
    """A position with this state, of which nobody remembers how it came about."""
    made = Position.__new__(Position)
    made._rules, made._state = rules.for_people(state)
    made._before, made._action, made._origin = None, None, ""
    return made


class BatchRun(CompiledRun):
    """Simulations of a compiled game with a `Function` as the evaluator."""

    def equip(self) -> None:
        spec, rule = self.rules.spec, asked(self.evaluate, self.inner)
        assert rule is not None  # as `run_kind` has found
        self.raw = isinstance(rule, Function) and rule.raw
        self.limit = self.plan
        self.batch, self.virtual_loss = rule.batch, rule.virtual_loss
        self.waiting = new_waiting(self.batch, len(self.work.path))
        self.states = new_states(spec.state, self.batch)
        actions = None if self.rules.plain else spec.distinct_actions or spec.max_actions
        utilities = (float(spec.lowest), float(spec.highest))
        self.evaluator = Evaluator(rule, spec.players, utilities, actions)
        self.root_has_priors = not self.takes_priors

    @property
    def takes_priors(self) -> bool:
        return isinstance(getattr(self.parts.expand, "priors", None), GivenPriors)

    def simulate(self, n: int) -> tuple[int, int]:
        """Whole rounds until n simulations are made: how many, and what prevented more."""
        if n and not self.root_has_priors:
            self.give_root_priors()
        made = 0
        while True:
            most = round_size(self.batch, self.done + made, self.limit, n - made) if n > 0 else 0
            finished, status = self.collect(most)
            made += finished + self.finish_batch()
            if status != DONE or made >= n:
                return made, status

    def collect(self, most: int) -> tuple[int, int]:
        """Begin up to `most` simulations, until the batch is full: how many needed no evaluation,
        and what prevented more."""
        made: tuple[int, int] = guarded(
            self.rules.name,
            collect,
            self.rules.part,
            self.parts,
            self.store.tree,
            self.work,
            self.rng,
            most,
            not self.full,
            self.waiting,
            self.states,
            self.virtual_loss,
        )
        return made

    def finish_batch(self) -> int:
        """Evaluate the leaves that wait and back their values up; how many they were."""
        n = int(self.waiting.count[0])
        if not n:  # nothing to ask; the kernel is compiled all the same
            settle(self.parts, self.store.tree, self.work, self.waiting, np.zeros((0, 0)))
            return 0
        try:
            answer = self.ask(self.states[:n])
        except BaseException:
            self.give_up()
            raise
        return self.back_up(answer)

    def back_up(self, answer: Answer) -> int:
        """Take the values (and priors) of all leaves that wait; how many they were."""
        n = int(self.waiting.count[0])
        if self.takes_priors:
            for slot in range(n):
                leaf = int(self.waiting.paths[slot, self.waiting.depths[slot]])
                self.set_priors(leaf, answer.priors[slot])
        settle(self.parts, self.store.tree, self.work, self.waiting, answer.values)
        return n

    def give_up(self) -> None:
        """The leaves that wait will not be evaluated: as if they had not been reached."""
        take_back(self.store.tree, self.waiting)
        self.waiting.count[0] = 0

    def ask(self, states: Any) -> Answer:
        """What the function says of these states."""
        n = len(states)
        leaves = states.copy() if self.raw else self.positions(states)
        return self.with_priors(self.evaluator.ask(leaves, n))

    def positions(self, states: Any) -> list[Position]:
        """The states as positions of which nobody remembers how they came about."""
        own = states.copy()
        return [position_at(self.rules, own[i : i + 1]) for i in range(len(own))]

    def with_priors(self, answer: Answer) -> Answer:
        """The answer; refused if it lacks the priors that the expand rule takes from it."""
        if self.takes_priors and answer.priors is None:
            raise GameError(
                f"{self.evaluator.name} gave values alone; priors=given() "
                "needs a tuple of values and probabilities of moves"
            )
        return answer

    def copy(self) -> Any:
        made = super().copy()
        made.waiting, made.states = own_arrays(self.waiting), self.states.copy()
        return made

    def give_root_priors(self) -> None:
        """The root is not a leaf of any simulation: ask for its probabilities by itself."""
        if self.store.nodes[ROOT].first < 0:
            self.begin_with(self.position.legal_actions)
        self.set_priors(ROOT, self.ask(self.inner.raw_state).priors[0])
        self.root_has_priors = True

    def set_priors(self, node: int, row: Any) -> None:
        """Give the children of a node, if it has some, the function's probabilities."""
        children = self.store.children(node)
        if len(children) and children[0].player != CHANCE:
            children.prior = probabilities(
                row, list(map(self.rules.action_of, children.action.tolist()))
            )


class OutsideRun(BatchRun):
    """Simulations whose leaves somebody else evaluates: `leaves`, then `answer`, in turns."""

    def simulate(self, n: int) -> tuple[int, int]:
        if n:
            raise InputError("this search is evaluated from outside: use leaves() and answer()")
        return super().simulate(0)  # compiles

    @property
    def asks_for_root(self) -> bool:
        """Is the root's own answer wanted first? It is no leaf of any simulation."""
        return not self.root_has_priors

    def leaves(self) -> Any:
        """The states that wait for an answer; a new round, if none does.

        A round may end without one, where all its simulations ended the game.
        """
        if self.asks_for_root:
            return self.given_out(self.inner.raw_state)
        most = ROUND * self.batch
        while not self.waiting.count[0] and most > 0:
            finished, status = self.collect(most)
            self.done += finished
            most -= finished
            if self.stopped_by(status):
                break
        return self.given_out(self.states[: int(self.waiting.count[0])])

    def given_out(self, states: Any) -> Any:
        """An array of records; of a plain Python game, positions."""
        return self.positions(states) if self.rules.plain else states.copy()

    def answer(self, values: Any, priors: Any) -> None:
        """What the states that `leaves` gave are worth."""
        n = 1 if self.asks_for_root else int(self.waiting.count[0])
        if n == 0:
            raise InputError("nothing waits for an answer: ask for leaves() first")
        answer = self.with_priors(self.evaluator.checked(values, priors, n))
        if not self.asks_for_root:
            self.done += self.back_up(answer)
            return
        if self.store.nodes[ROOT].first < 0:
            self.begin_with(self.position.legal_actions)
        self.set_priors(ROOT, answer.priors[0])
        self.root_has_priors = True
