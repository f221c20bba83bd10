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
from ponder.core.game import CHANCE
from ponder.core.position import Position
from ponder.core.rng import new_rng
from ponder.errors import GameError, InputError, PonderError
from ponder.jit import explained, kernel
from ponder.mcts.evaluate import Rollout
from ponder.mcts.run import require_room
from ponder.mcts.simulate import backward, descend, expand
from ponder.mcts.tree import ROOT, Tree, TreeStore, Work

LONGEST = 100_000
"""Actions after which a plain game counts as endless."""


class NoRules(NamedTuple):
    """Stands in for the game: the walk down the tree needs only the tree."""

    def chance_outcomes(self, s, out, p):  # type: ignore[no-untyped-def]
        return 0

    def apply_action(self, s, a):  # type: ignore[no-untyped-def]
        pass


@kernel
def _walk(rules, select, tree, work, rng, depth):
    return descend(rules, select, tree, work, rng, depth)


@kernel
def _finish_and_walk(rules, select, backup, tree, work, rng, depth):
    """One call a simulation: back up the last one, walk down for the next."""
    backward(backup, tree, work, depth)
    work.path[0] = ROOT
    return descend(rules, select, tree, work, rng, 0)


class StepwiseRun:
    """Simulations of one position of a plain Python game; `advance` makes some more."""

    def __init__(self, position: Position, engine: Any, seed: int, megabytes: float) -> None:
        if not isinstance(engine.evaluate, Rollout):
            raise InputError("plain Python games are evaluated by rollout()")
        self.position = position
        self.rules: Any = position.rules
        self.select, self.backup = engine.select, engine.backup
        self.store = TreeStore(megabytes)
        self.work = self._new_work(64)
        self.rng = new_rng(seed)
        self.random = random.Random(seed)
        self.done = 0
        self.full = False
        self.states: dict[int, Any] = {ROOT: position.raw_state}
        self.actions: dict[int, tuple[Any, ...]] = {}
        self.chances: dict[int, tuple[float, ...]] = {}
        self.has_chance = hasattr(self.rules.game, "chance_outcomes")
        self.store.nodes[ROOT].player = position.current_player
        self.depth = 0
        self.tree: Tree = self.store.tree
        self._expand(ROOT, position.facts)
        self.work.path[0] = ROOT
        with explained("the search"):
            # compiles, before any clock runs: a walk and a backup of nothing, on a tree of its own
            scratch = TreeStore(1)
            _finish_and_walk(
                NoRules(), self.select, self.backup, scratch.tree, self._new_work(64), self.rng, 0
            )
            self.depth = _walk(NoRules(), self.select, self.tree, self.work, self.rng, 0)

    def _new_work(self, longest: int) -> Work:
        players = self.rules.players
        return Work(
            np.zeros(2, np.int8),
            np.zeros(1, np.int32),
            np.zeros(1),
            np.zeros(players),
            np.zeros(longest, np.int64),
            np.zeros(players),
            np.zeros(1 << 12),
        )

    def advance(self, n: int) -> None:
        """Make n simulations."""
        try:
            for _ in range(n):
                self._simulate()
                self.done += 1
        except PonderError:
            raise
        except Exception as error:
            raise GameError(
                f"the rules of {self.rules.name} raised {type(error).__name__}: {error}"
            ) from error

    def _simulate(self) -> None:
        """Finish the simulation that was walked down last, and walk down for the next."""
        path, nodes = self.work.path, self.tree.nodes
        leaf = int(path[self.depth])
        while True:
            state = self._state(leaf)
            if leaf in self.chances:  # a chance node: the walk stopped for the dice
                pick = self.random.choices(range(len(self.chances[leaf])), self.chances[leaf])[0]
                self._step_to(int(nodes[leaf].first) + pick)
            elif nodes[leaf].visits > 0 and nodes[leaf].first < 0 and not self.full:
                facts = self.rules._facts(state)
                if facts.player == TERMINAL or not self._expand(leaf, facts):
                    break
                path, nodes = self.work.path, self.tree.nodes
            else:
                break
            self.depth = _walk(NoRules(), self.select, self.tree, self.work, self.rng, self.depth)
            leaf = int(path[self.depth])
        self.work.utilities[:] = self._play_out(state)
        self.depth = _finish_and_walk(
            NoRules(), self.select, self.backup, self.tree, self.work, self.rng, self.depth
        )

    def _step_to(self, child: int) -> None:
        self.depth += 1
        self.work.path[self.depth] = child

    def _state(self, node: int) -> Any:
        state = self.states.get(node)
        if state is None:
            parent = int(self.work.path[self.depth - 1])
            action = self.actions[parent][self.tree.nodes[node].action]
            state = self.states[node] = self.rules.game.apply_action(self.states[parent], action)
        return state

    def _expand(self, node: int, facts: Any) -> bool:
        count = len(facts.actions)
        while self.store.size + count > len(self.tree.nodes) and not self.full:
            self.full = not self.store.grow()
            self.tree = self.store.tree
        if self.full:
            require_room(self.store, count if node == ROOT else 0)
            return False
        self._make_room_for_depth()
        expand(self.tree, node, facts.player, np.arange(count, dtype=np.int32), count)
        self.actions[node] = facts.actions
        if facts.player == CHANCE:
            self.chances[node] = facts.chances
        return True

    def _make_room_for_depth(self) -> None:
        work = self.work
        if self.depth + 4 > len(work.path) and len(work.path) < LONGEST:
            longer = np.zeros(2 * len(work.path), np.int64)
            longer[: len(work.path)] = work.path
            self.work = work._replace(path=longer)

    def _play_out(self, state: Any) -> Any:
        game, choice = self.rules.game, self.random.random
        is_terminal, legal, apply = game.is_terminal, game.legal_actions, game.apply_action
        plies = 0
        while not is_terminal(state):
            if self.has_chance and game.current_player(state) == CHANCE:
                outcomes, chances = zip(*game.chance_outcomes(state), strict=True)
                action = self.random.choices(outcomes, chances)[0]
            else:
                actions = legal(state)
                action = actions[int(choice() * len(actions))]
            state = apply(state, action)
            plies += 1
            if plies > LONGEST:
                raise GameError(f"a game of {self.rules.name} did not end in {LONGEST:,} actions")
        return game.returns(state)

    def action_of(self, parent: int, child: int) -> Any:
        return self.actions[parent][self.store.nodes[child].action]
