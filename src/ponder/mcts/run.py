"""A search of a compiled game in progress: arrays prepared, kernels called in pieces."""

from __future__ import annotations

from typing import Any

import numpy as np

from ponder.core.compiled import guarded
from ponder.core.game import Spec, new_states
from ponder.core.position import Position
from ponder.core.registry import part_text
from ponder.core.rng import new_rng
from ponder.errors import GameError, InputError
from ponder.mcts.evaluate.rollout import GameRollout, Rollout
from ponder.mcts.parts import Parts, memory_for, needs_of, parts_of, trace_for
from ponder.mcts.simulate import FULL, NOT_A_NUMBER, SOLVED, TOO_LONG, simulate
from ponder.mcts.tree import ROOT, TreeStore, Work, node_type


class CompiledRun:
    """Simulations of one position of a compiled game; `advance` makes some more."""

    def __init__(
        self,
        position: Position,
        engine: Any,
        seed: int,
        megabytes: float,
        simulations: int | None = None,
    ) -> None:
        self.position = position
        self.rules: Any = position.rules
        spec = self.rules.spec
        self.parts = parts_of(engine, position)
        self.evaluate = engine.evaluate
        self.store = new_store(self.parts, spec, megabytes)
        require_room(self.store, spec.max_actions)
        self.work = new_work(self.parts, spec, position, simulations)
        self.rng = new_rng(seed)
        self.done = 0
        self.full = False
        self.solved = False
        self.store.nodes[ROOT].player = position.current_player
        self.advance(0)  # compiles, before any clock runs

    def advance(self, n: int) -> None:
        """Make n simulations, growing the tree as needed and allowed."""
        while True:
            made, status = guarded(
                self.rules.name,
                simulate,
                self.rules.part,
                self.parts,
                self.store.tree,
                self.work,
                self.rng,
                n,
                not self.full,
            )
            self.done += made
            n -= made
            if status == FULL:
                self.full = not self.store.grow()
            elif status == TOO_LONG:
                raise GameError(
                    f"a game of {self.rules.name} went on for more than "
                    f"{self.rules.spec.max_length} actions, the max_length of its spec"
                )
            elif status == NOT_A_NUMBER:
                raise GameError(bad_value(self.rules, self.evaluate))
            else:
                self.solved = status == SOLVED
                return

    def action(self, parent: int, number: int) -> Any:
        """The action behind a node's number: the number itself."""
        return number


def bad_value(rules: Any, evaluate: Any) -> str:
    """What to say of a utility that cannot be used."""
    if isinstance(evaluate, Rollout | GameRollout):
        return f"{rules.name} gave a utility that is not a number (nan)"
    return (
        f"{part_text(evaluate)} gave {rules.name} a value that is not a number "
        f"from {rules.spec.lowest:g} to {rules.spec.highest:g}, its range of utilities"
    )


def new_store(parts: Parts, spec: Spec, megabytes: float) -> TreeStore:
    """A tree of one node, its nodes with the fields that the parts need."""
    needs = tuple(sorted(set().union(*(needs_of(part) for part in parts))))
    dtype = node_type(needs, spec.players)
    return TreeStore(megabytes, dtype, utilities=(float(spec.lowest), float(spec.highest)))


def new_work(parts: Parts, spec: Spec, position: Position, simulations: int | None = None) -> Work:
    """Scratch arrays for simulations from `position`."""
    states = new_states(spec.state, 2)
    states[:] = position.raw_state[0]
    return Work(
        states=states,
        actions=np.zeros(spec.max_actions, np.int32),
        chances=np.zeros(spec.max_actions),
        utilities=np.zeros(spec.players),
        path=np.zeros(spec.max_length + 2, np.int64),
        totals=np.zeros(spec.players),
        squares=np.zeros(spec.max_actions),
        scores=np.zeros(spec.max_actions),
        trace=trace_for(parts, spec),
        memory=memory_for(parts, spec, simulations),
    )


def require_room(store: TreeStore, max_actions: int) -> None:
    """Refuse a memory cap in which not even the root could be expanded."""
    needed = 2 * max_actions + 2
    if store.limit < needed:
        least = needed * store.dtype.itemsize / (1 << 20)
        raise InputError(f"memory is too small for this game: at least {least:.2g} MB are needed")
