"""A search of a plain Python game in progress: compiled tree, Python rules.

The walk down the tree and the backup are the same kernels that compiled games use; in between
the game's own methods run. States are kept with their nodes, so that a simulation costs one
`apply_action` before its rollout.
"""

from __future__ import annotations

import random
from typing import Any, NamedTuple

import numpy as np

from ponder.core.compiled import TERMINAL
from ponder.core.game import CHANCE, Spec
from ponder.core.position import Position
from ponder.core.registry import part_text
from ponder.core.rng import new_rng
from ponder.errors import GameError, InputError, PonderError
from ponder.jit import entry_point, explained, kernel
from ponder.mcts.batch import hold, new_waiting, position_at, round_size, settle, take_back, widened
from ponder.mcts.evaluate.function import Evaluator, Function
from ponder.mcts.evaluate.rollout import Rollout
from ponder.mcts.evaluate.static import Static
from ponder.mcts.parts import memory_for, parts_of, trace_for
from ponder.mcts.pieces import Pieces
from ponder.mcts.run import new_store, require_room
from ponder.mcts.simulate import backward, descend, make_children
from ponder.mcts.tree import ROOT, Tree, Work

LONGEST = 100_000
"""Actions after which a plain game counts as endless."""


class NoRules(NamedTuple):
    """Stands in for the game: the walk down the tree needs only the tree."""

    def chance_outcomes(self, s, out, p):  # type: ignore[no-untyped-def]
        return 0

    def apply_action(self, s, a):  # type: ignore[no-untyped-def]
        pass


class Leaf(NamedTuple):
    """Where a walk ended: all that the Python side needs, in one answer."""

    depth: int
    node: int
    parent: int  # -1 for the root
    action: int  # which of the parent's actions leads here
    visits: int


NO_RULES = NoRules()


def _stand_in_spec(rules: Any) -> Spec:
    """What the tree must know of a plain game."""
    lowest, highest = rules.utilities
    return Spec(rules.players, 64, LONGEST, np.dtype("i1"), lowest=lowest, highest=highest)


@kernel
def _leaf(tree, work, depth):
    node = work.path[depth]
    parent = work.path[depth - 1] if depth > 0 else np.int64(-1)
    return depth, node, parent, tree.nodes[node].action, tree.nodes[node].visits


@kernel
def _walk(rules, parts, tree, work, rng, depth):
    return _leaf(tree, work, descend(rules, parts, tree, work, rng, depth))


@kernel
def _expand_and_walk(rules, parts, tree, work, rng, depth, player, count):
    """Give the leaf its children, actions 0 .. count - 1, and walk on."""
    for i in range(count):
        work.actions[i] = i
    first = make_children(tree, player, work.actions, count)
    tree.mode.publish(tree, work.path[depth], first, count)
    return _leaf(tree, work, descend(rules, parts, tree, work, rng, depth))


@kernel
def _walk_from_root(rules, parts, tree, work, rng):
    work.path[0] = ROOT
    work.trace.begin()
    return _leaf(tree, work, descend(rules, parts, tree, work, rng, np.int64(0)))


@kernel
def _finish_and_walk(rules, parts, tree, work, rng, depth):
    """One call a simulation: back up the last one, walk down for the next."""
    backward(parts, tree, work, depth)
    return _walk_from_root(rules, parts, tree, work, rng)


class StepwiseRun(Pieces):
    """Simulations of one position of a plain Python game; `advance` makes some more."""

    recycled = dropped = 0

    def __init__(
        self,
        position: Position,
        engine: Any,
        seed: int,
        megabytes: float,
        simulations: int | None = None,
        *,
        moves: tuple[Any, ...] = (),
        tree: Any = None,
        keep: bool = False,
    ) -> None:
        if tree is not None or engine.transpositions:
            raise InputError(
                "plain Python games: a tree cannot be gone on with, nor share positions"
            )
        if not isinstance(engine.evaluate, Rollout | Static | Function):
            raise InputError(
                "plain Python games are evaluated by rollout(), static() or a function, "
                f"not by {part_text(engine.evaluate)}"
            )
        self.position, self.decide, self.seed = position, engine.decide, seed
        self.rules: Any = position.rules
        self.parts = parts_of(engine, position)
        spec = _stand_in_spec(self.rules)
        self.store = new_store(self.parts, spec, megabytes)
        self.players = range(self.rules.players)
        self.work = self._new_work(spec, simulations)
        self.rng = new_rng(seed)
        self.random = random.Random(seed)
        self.done = 0
        self.limit = simulations
        self.static = isinstance(engine.evaluate, Static)
        self.function: Function | None = None
        if isinstance(engine.evaluate, Function):
            self.function = engine.evaluate
            self.evaluator = Evaluator(self.function, spec.players, self.store.utilities, None)
            self.waiting = new_waiting(self.function.batch, len(self.work.path))
        self.walked: Any = self.work.path[:1]
        """The nodes from the root to the leaf of the last simulation."""
        self.full = False
        self.solved = False
        self.carried = self.store.nodes[:0]
        self.states: dict[int, Any] = {ROOT: position.raw_state}
        self.actions: dict[int, tuple[Any, ...]] = {}
        self.chances: dict[int, tuple[float, ...]] = {}
        self.has_chance = hasattr(self.rules.game, "chance_outcomes")
        self.store.nodes[ROOT].player = position.current_player
        self.tree: Tree = self.store.tree
        with explained("the search"):
            # compiles, before any clock runs
            given = (NO_RULES, self.parts, self.tree, self.work, self.rng)
            self.walk = entry_point(_walk, *given, 0)
            self.expand_and_walk = entry_point(_expand_and_walk, *given, 0, 0, 0)
            self.finish_and_walk = entry_point(_finish_and_walk, *given, 0)
            self.walk_from_root = entry_point(_walk_from_root, *given)
            self.leaf = Leaf(0, ROOT, -1, -1, 1)
            facts = position.facts
            if moves:
                facts = facts._replace(actions=moves)
            if not self._expand(self.leaf, facts):
                require_room(self.store, len(position.legal_actions))

    def _new_work(self, spec: Spec, simulations: int | None) -> Work:
        """Scratch arrays; `_make_room` makes longer ones when needed."""
        players, moves = spec.players, len(self.position.legal_actions)
        return Work(
            states=np.zeros(2, np.int8),
            actions=np.zeros(64, np.int32),
            chances=np.zeros(1),
            utilities=np.zeros(players),
            path=np.zeros(64, np.int64),
            totals=np.zeros(players),
            squares=np.zeros(moves),
            scores=np.zeros(64),
            trace=trace_for(self.parts, spec),
            memory=memory_for(self.parts, spec, simulations),
        )

    def advance(self, n: int) -> None:
        """Make n simulations; of a function's whole rounds, until there are n."""
        wanted = self.done + n
        try:
            while self.done < wanted:
                if self.function is not None:
                    self._simulate_batch(self.function, wanted)
                else:
                    self._simulate()
        except PonderError:
            raise
        except Exception as error:
            raise GameError(
                f"the rules of {self.rules.name} raised {type(error).__name__}: {error}"
            ) from error

    def _simulate(self) -> None:
        """Finish the simulation that was walked down last, and walk down for the next."""
        state = self._reach()
        self._finish(self._evaluate(state) if self.static else self._play_out(state))

    def _reach(self) -> Any:
        """Go on from where the last walk ended to the leaf to be evaluated; its state."""
        while True:
            leaf = self.leaf
            state = self._state(leaf)
            if leaf.node in self.chances:  # a chance node: the walk stopped for the dice
                self._roll(leaf)
            elif leaf.visits == 0 or self.full:
                return state
            else:
                facts = self.rules._facts(state)
                if facts.player == TERMINAL or not self._expand(leaf, facts):
                    return state

    def _finish(self, values: Any) -> None:
        """Back up the values of the leaf and walk down for the next one."""
        utilities = self.work.utilities
        for p, utility in zip(self.players, values, strict=True):
            if utility != utility:  # NaN differs from itself
                raise GameError(f"{self.rules.name} gave a utility that is not a number (nan)")
            utilities[p] = utility
        depth = self.leaf.depth
        # the next walk writes its own path over this one
        self.walked = self.work.path[: depth + 1].copy()
        self.leaf = Leaf._make(
            self.finish_and_walk(NO_RULES, self.parts, self.tree, self.work, self.rng, depth)
        )
        self.done += 1

    def _simulate_batch(self, function: Function, wanted: int) -> None:
        """One round: collect leaves, evaluate them and back their values up."""
        most = self.done + round_size(function.batch, self.done, self.limit, wanted - self.done)
        waiting = self.waiting
        states: list[Any] = []
        while len(states) < function.batch and self.done + len(states) < most:
            state = self._reach()
            if self.rules.game.is_terminal(state):
                self._finish(self.rules.game.returns(state))
                continue
            states.append(state)
            if len(self.work.path) > waiting.paths.shape[1]:
                waiting = self.waiting = widened(waiting, len(self.work.path))
            hold(self.tree, self.work, waiting, self.leaf.depth, function.virtual_loss)
            if len(states) < function.batch:
                self._walk_again()
        if not states:
            return
        try:
            positions = [position_at(self.rules, state) for state in states]
            values = self.evaluator.ask(positions, len(states)).values
        except BaseException:
            take_back(self.tree, waiting)
            waiting.count[0] = 0
            self._walk_again()
            raise
        self.walked = waiting.paths[len(states) - 1, : waiting.depths[len(states) - 1] + 1].copy()
        settle(self.parts, self.tree, self.work, waiting, values)
        self.done += len(states)
        self._walk_again()

    def _walk_again(self) -> None:
        self.leaf = Leaf._make(
            self.walk_from_root(NO_RULES, self.parts, self.tree, self.work, self.rng)
        )

    def _evaluate(self, state: Any) -> Any:
        """The result of a finished game, else what the game's `evaluate` says."""
        game = self.rules.game
        if game.is_terminal(state):
            return game.returns(state)
        values = tuple(map(float, game.evaluate(state)))
        lowest, highest = self.rules.utilities
        if len(values) != len(self.players):
            raise GameError(
                f"{self.rules.name}.evaluate gave {len(values)} values, "
                f"but there are {len(self.players)} players"
            )
        for value in values:
            if not lowest <= value <= highest:
                raise GameError(
                    f"{self.rules.name}.evaluate gave {value:g}; "
                    f"utilities are from {lowest:g} to {highest:g}"
                )
        return values

    def _state(self, leaf: Leaf) -> Any:
        """The state of the leaf, kept with its node."""
        state = self.states.get(leaf.node)
        if state is None:
            action = self.actions[leaf.parent][leaf.action]
            state = self.rules.game.apply_action(self.states[leaf.parent], action)
            self.states[leaf.node] = state
        return state

    def _roll(self, leaf: Leaf) -> None:
        """Step to an outcome of the chance node and walk on."""
        chances = self.chances[leaf.node]
        pick = self.random.choices(range(len(chances)), chances)[0]
        self.work.path[leaf.depth + 1] = int(self.tree.nodes[leaf.node].first) + pick
        self.leaf = Leaf._make(
            self.walk(NO_RULES, self.parts, self.tree, self.work, self.rng, leaf.depth + 1)
        )

    def _expand(self, leaf: Leaf, facts: Any) -> bool:
        """Give the leaf its children and walk on; False if there is no room."""
        count = len(facts.actions)
        while self.store.size + count > len(self.tree.nodes) and not self.full:
            self.full = not self.store.grow()
            self.tree = self.store.tree
        if self.full:
            return False
        self._make_room(leaf.depth, count)
        self.actions[leaf.node] = facts.actions
        if facts.player == CHANCE:
            self.chances[leaf.node] = facts.chances
        arrays = (self.tree, self.work, self.rng)
        self.leaf = Leaf._make(
            self.expand_and_walk(NO_RULES, self.parts, *arrays, leaf.depth, facts.player, count)
        )
        return True

    def _make_room(self, depth: int, count: int) -> None:
        """Longer scratch arrays where a path or a list of actions outgrows them."""
        work = self.work
        if depth + 4 > len(work.path) and len(work.path) < LONGEST:
            longer = np.zeros(2 * len(work.path), np.int64)
            longer[: len(work.path)] = work.path
            self.work = work._replace(path=longer)
        if count > len(work.actions):
            self.work = self.work._replace(
                actions=np.zeros(2 * count, np.int32), scores=np.zeros(2 * count)
            )

    def _play_out(self, state: Any) -> Any:
        game, choice, has_chance = self.rules.game, self.random.random, self.has_chance
        is_terminal, legal, apply = game.is_terminal, game.legal_actions, game.apply_action
        for _ in range(LONGEST):
            if is_terminal(state):
                return game.returns(state)
            if has_chance and game.current_player(state) == CHANCE:
                outcomes, chances = zip(*game.chance_outcomes(state), strict=True)
                action = self.random.choices(outcomes, chances)[0]
            else:
                actions = legal(state)
                action = actions[int(choice() * len(actions))]
            state = apply(state, action)
        raise GameError(f"a game of {self.rules.name} did not end in {LONGEST:,} actions")

    def shown(self, last: bool) -> Any:
        """The run as it is reported."""
        if last:
            self.store.trim()
        return self

    def action(self, parent: int, number: int) -> Any:
        """The action behind a node's number: which of the parent's actions it is."""
        return self.actions[parent][number]
