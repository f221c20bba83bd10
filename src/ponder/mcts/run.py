"""A search of a compiled game in progress: arrays prepared, kernels called in pieces."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from typing import Any, Self

import numpy as np

from ponder.core.compiled import guarded
from ponder.core.faults import fault_after, traced
from ponder.core.game import Spec, new_list, new_states
from ponder.core.position import Position
from ponder.core.registry import part_text
from ponder.core.rng import new_rng
from ponder.errors import GameError, InputError
from ponder.jit import entry_point
from ponder.mcts.assembly import assembled
from ponder.mcts.carry import check_same_shape, copy_subtree, node_of, recycle, squares_below
from ponder.mcts.decide import fitted
from ponder.mcts.evaluate.rollout import GameRollout, Rollout
from ponder.mcts.modes import (
    MEGABYTE,
    TABLE_SHARE,
    Alone,
    Transposing,
    grow_together,
    new_graph,
    words_of,
)
from ponder.mcts.parts import (
    Parts,
    memory_for,
    trace_for,
)
from ponder.mcts.pieces import Pieces
from ponder.mcts.search import BROKEN, FULL, NOT_A_NUMBER, SOLVED, TOO_LONG, begin, simulate
from ponder.mcts.tree import (
    MOST_CHILDREN,
    MOST_VISITS,
    ROOT,
    TreeStore,
    Work,
)
from ponder.mcts.watched import RuleFault


class CompiledRun(Pieces):
    """Simulations of one position of a compiled game; `advance` makes some more.

    The constructor refuses what is impossible here; `prepare` makes the arrays and compiles.

    `moves` restricts the root to these actions; `tree` is an earlier search's tree to continue;
    with `keep`, what rules to come may need is noted (`ponder.mcts.keep`).
    """

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
        self.position, self.engine, self.seed = position, engine, seed
        self.decide, self.plan = fitted(engine.decide, position), simulations
        self.megabytes, self.moves, self.earlier = megabytes, moves, tree
        self.inner = position.for_kernels()
        """The same, as kernels take it: of a plain Python game its states and actions are others"""
        self.rules: Any = self.inner.rules
        self.assembly = assembled(engine, self.inner, continues=tree is not None, keep=keep)
        self.parts, self.recycles = self.assembly.parts, self.assembly.recycles
        self.machine: Any = None
        """The machine code of `simulate`, where its types are known beforehand."""
        self.evaluate = engine.evaluate
        self.done = 0
        self.full = False
        self.recycled = 0
        self.dropped = 0
        self.solved = False

    def prepare(self) -> Self:
        """Allocate and compile, before any clock runs."""
        engine, spec, megabytes = self.engine, self.rules.spec, self.megabytes
        kinds = self.assembly.node, self.assembly.own
        self.store = new_store(
            kinds, spec, megabytes, recycles=self.recycles, table=engine.transpositions
        )
        self.work = new_work(self.parts, spec, self.inner, self.plan)
        self.rng = new_rng(self.seed)
        self.store.column("player")[ROOT] = self.position.current_player
        self.carried_squares = np.zeros(0)
        if self.earlier is not None:
            self.carry_on(self.earlier, bool(engine.transpositions))
        if engine.transpositions:
            room = TABLE_SHARE * megabytes * MEGABYTE
            self.store.mode = new_graph(self.work.states, self.rules.own_key, room)
        self.carried = self.store.children(ROOT).copy()
        self.carried_value = float(self.store.column("value")[ROOT])
        self.equip()
        # only now: the works of several threads must begin with none
        self.work.squares[: len(self.carried_squares)] = self.carried_squares
        require_room(self.store, spec.max_actions)
        self.compile()
        moves = self.moves
        if moves and not len(self.carried):
            self.begin_with(moves)
        elif moves and {*map(self.rules.number_of, moves)} != {*self.carried.action.tolist()}:
            raise InputError("a tree is continued as it is: leave out moves, or the tree")
        return self

    def compile(self) -> None:
        """Make the machine code, or take it from an earlier search of the same kind."""
        assembly = self.assembly
        if assembly.machine is None:
            self.advance(0)
        usual = self.parts is assembly.parts and isinstance(self.store.mode, Alone)
        if usual and assembly.serves_again:
            if assembly.machine is None:
                assembly.machine = entry_point(simulate, *self.arguments(0))
            self.machine = assembly.machine

    def arguments(self, n: int) -> tuple[Any, ...]:
        """Those of `simulate`, for n simulations."""
        part, tree = self.rules.part, self.store.tree
        return part, self.parts, tree, self.work, self.rng, n, not self.full

    def equip(self) -> None:
        """What several threads need besides; nothing for one."""

    def carry_on(self, tree: Any, shares: bool) -> None:
        """Begin with the part of an earlier search's tree that is still of use."""
        check_same_shape(tree, self.store.dtype, shares)
        node = node_of(tree, self.position)
        if node < 0:
            raise InputError("this tree is of another position: no node of it stands for this one")
        if tree._store.nodes[node].first < 0:
            return  # nothing below it: begin anew
        copy_subtree(self.parts.expand, tree._store, node, self.store)
        if self.rules.plain:  # another search may have given the actions other numbers
            actions = self.store.nodes.action[1:]
            numbers, places = np.unique(actions, return_inverse=True)
            mine = [self.rules.number_of(tree._action(ROOT, n)) for n in numbers.tolist()]
            actions[:] = np.array(mine, np.int32)[places]
        self.carried_squares = squares_below(tree._store, node)
        # The node belonged to the player who moved there; a root belongs to the player to move, as
        # its children do.
        root, children = self.store.nodes[ROOT], self.store.children(ROOT)
        root.player = self.position.current_player
        root.visits = 1 + int(children.visits.sum())
        root.value = float(children.value.sum())

    def begin_with(self, moves: tuple[Any, ...]) -> None:
        """Give the root these children only."""
        actions = np.array([self.rules.number_of(move) for move in moves], np.int32)
        begin(self.rules.part, self.parts, self.store.tree, self.work, actions, self.rng)

    def simulate(self, n: int) -> tuple[int, int]:
        """Up to n simulations: how many were made, and what prevented more."""
        kernel = simulate if self.machine is None else self.machine
        made: tuple[int, int] = guarded(self.rules.name, kernel, *self.arguments(n))
        return made

    def advance(self, n: int) -> None:
        """Make n simulations, growing the tree as needed and allowed."""
        if not self.rules.plain:
            return self.advance_alone(n)
        with self.rules.lock:  # a copy of this run has the same rules
            if not isinstance(self.store.mode, Transposing):
                self.rules.forget()  # the tree replays actions; a table of positions needs all
            self.advance_alone(n)

    def advance_alone(self, n: int) -> None:
        """The same while nobody else uses the rules."""
        n = min(n, MOST_VISITS - int(self.store.column("visits")[ROOT]))
        while n >= 0:
            try:
                with traced(self.position, self.line, self.seed):
                    made, status = self.simulate(n)
            except RuleFault as fault:
                raise fault.named(self.engine) from None
            self.done += made
            n -= made
            if self.stopped_by(status):
                return

    def stopped_by(self, status: int) -> bool:
        """What ended a piece: False if it is out of the way, and simulations can go on."""
        if status == FULL:
            self.make_room()
            return False
        if status == TOO_LONG:
            raise GameError(
                f"a game of {self.rules.name} went on for more than "
                f"{self.rules.spec.max_length} actions, the max_length of its "
                f"{'class' if self.rules.plain else 'spec'}"
            )
        if status in (NOT_A_NUMBER, BROKEN):
            raise self.fault(status)
        self.solved = status == SOLVED
        return True

    @property
    def counted_out(self) -> bool:
        """Has the root as many visits as can be counted?"""
        return int(self.store.column("visits")[ROOT]) >= MOST_VISITS

    def fault(self, status: int) -> GameError:
        """What was wrong in the simulation that could not be finished."""
        for work in self.all_works():
            try:
                self.rules.facts(work.states[1:2])
            except GameError:
                path = work.path[1 : self.store.last_depth + 1]
                return fault_after(self.position, self.store.nodes.action[path].tolist(), self.seed)
        if status == BROKEN:
            return fault_after(self.position, (), self.seed)
        return GameError(bad_value(self.rules, self.evaluate))

    def line(self) -> list[Any]:
        """The actions of the simulation that could not be finished, as far as the tree goes; there
        may be more behind them, of another one."""
        nodes = self.store.nodes
        for work in self.all_works():
            depth, node = 0, ROOT
            while depth + 1 < len(work.path):
                first, child = int(nodes[node].first), int(work.path[depth + 1])
                if not 0 <= first <= child < first + int(nodes[node].count):
                    break
                depth, node = depth + 1, child
            if depth:
                return [int(nodes[n].action) for n in work.path[1 : depth + 1]]
        return []

    def all_works(self) -> Iterable[Work]:
        """The scratch space of every simulation under way."""
        return (self.work,)

    def make_room(self) -> None:
        """Grow the tree; where the cap forbids it, recycle its least visited parts, or stop."""
        store = self.store
        if grow_together(store) if isinstance(store.mode, Transposing) else store.grow():
            return
        if self.recycles:
            before = store.size
            recycle(self.parts.expand, store)
            self.recycled += 1
            self.dropped += before - store.size
        needed = max(store.capacity // 4, store.mode.room(self.rules.spec.max_actions))
        self.full = store.capacity - store.size < needed

    def copy(self) -> Any:
        """The same search once more: arrays of its own, parts and rules shared."""
        made = copy.copy(self)
        spec = self.rules.spec
        # what rules write to is scratch space, and needs its spare places
        lists = {"actions": new_list(spec, np.int32), "chances": new_list(spec, np.float64)}
        made.work, made.rng = own_arrays(self.work)._replace(**lists), self.rng.copy()
        made.store = self.store.copy()
        if isinstance(made.store.mode, Transposing):
            mode = own_arrays(made.store.mode)
            made.store.mode = mode._replace(words=words_of(made.work.states))
        return made

    @property
    def stores(self) -> list[TreeStore]:
        """The trees of all threads."""
        return [self.store]

    @property
    def engine_text(self) -> str:
        known = self.engine is self.assembly.engine
        return self.assembly.text if known else part_text(self.engine)

    @property
    def backup_text(self) -> str:
        known = self.engine is self.assembly.engine
        return self.assembly.backup_text if known else part_text(self.engine.backup)

    @property
    def nbytes(self) -> int:
        """What a copy takes."""
        return int(self.store.nodes.nbytes)

    @property
    def walked(self) -> Any:
        """The nodes from the root to the leaf of the last simulation."""
        return self.work.path[: self.store.last_depth + 1]

    def shown(self, last: bool) -> Any:
        """The run as it is reported: with the statistics of all threads.

        `last`: no more simulations will be made, and the tree is whoever's asks for it.
        """
        if last:
            self.store.squares = self.work.squares[: len(self.store.children(ROOT))].copy()
            self.store.trim()
        return self

    def action(self, parent: int, number: int) -> Any:
        """The action behind a node's number."""
        return self.rules.action_of(number)


def bad_value(rules: Any, evaluate: Any) -> str:
    """What to say of a utility that cannot be used."""
    if isinstance(evaluate, Rollout | GameRollout):
        return f"{rules.name} gave a utility that is not a number (nan)"
    return (
        f"{part_text(evaluate)} gave {rules.name} a value that is not a number "
        f"from {rules.spec.lowest:g} to {rules.spec.highest:g}, its range of utilities"
    )


def new_store(
    kinds: tuple[Any, Any],
    spec: Spec,
    megabytes: float,
    *,
    recycles: bool = False,
    table: bool = False,
) -> TreeStore:
    """A tree of one node; `kinds`: its nodes, as `node_types` says."""
    dtype, own = kinds
    beside = 4.0 if recycles else 0.0  # where `recycle` notes what stays
    if table:
        beside = own.itemsize * TABLE_SHARE / (1 - TABLE_SHARE)
    utilities = float(spec.lowest), float(spec.highest)
    distinct = int(spec.distinct_actions or spec.max_actions)
    return TreeStore(
        megabytes, dtype, utilities=utilities, beside=beside, distinct=distinct, own=own
    )


def own_arrays(part: Any) -> Any:
    """The tuple with copies of all arrays in it, however deep."""
    if isinstance(part, tuple):
        made = [own_arrays(one) for one in part]
        return part._make(made) if hasattr(part, "_make") else tuple(made)
    return part.copy() if isinstance(part, np.ndarray) else part


def new_work(parts: Parts, spec: Spec, position: Position, simulations: int | None = None) -> Work:
    """Scratch arrays for simulations from `position`."""
    states = new_states(spec.state, 2)
    states[:] = position.raw_state[0]
    return Work(
        states=states,
        actions=new_list(spec, np.int32),
        chances=new_list(spec, np.float64),
        utilities=np.zeros(spec.players),
        path=np.zeros(spec.max_length + 2, np.int64),
        totals=np.zeros(spec.players),
        squares=np.zeros(spec.max_actions),
        scores=np.zeros(spec.max_actions),
        trace=trace_for(parts, spec),
        memory=memory_for(parts, spec, simulations),
    )


def require_room(store: TreeStore, max_actions: int) -> None:
    """Refuse a memory cap in which not even the root, and a child of it by each thread, could be
    expanded; and nodes with more children than are counted."""
    if max_actions > MOST_CHILDREN:
        raise InputError(
            f"mcts is for games of up to {MOST_CHILDREN:,} moves in a position, not {max_actions:,}"
        )
    needed = store.mode.room(max_actions) + max_actions + 2
    if store.limit < needed:
        least = needed * store.node_bytes / MEGABYTE
        raise InputError(
            f"memory is too small for this search: a tree of at least {least:.2g} MB is needed"
        )
