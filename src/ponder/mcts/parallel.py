"""Several threads at one search (Cazenave & Jouandeau 2007; Chaslot, Winands & van den Herik 2008).

    tree    one tree, all threads in it, without locks: `ponder.mcts.modes.Shared`
    root    a tree for each thread, made independently; the root's statistics are added at the end.
            The same seed and number of threads give the same result
    leaf    one thread in the tree, all threads play a game from each leaf it reaches; their mean
            is the leaf's evaluation

Kernels run without Python's lock, so threads are enough.
"""

from __future__ import annotations

import copy
import time
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, NamedTuple, Self

import numpy as np

from ponder.core.compiled import guarded
from ponder.core.game import new_states
from ponder.core.position import Position
from ponder.core.registry import part_text
from ponder.core.rng import new_rng
from ponder.jit import add_at, copy_record_from, inlined, kernel, let_others_run, read_now
from ponder.mcts.decide import fitted
from ponder.mcts.keep import KeepRootSums
from ponder.mcts.modes import Shared, nothing_kept
from ponder.mcts.parts import completed
from ponder.mcts.pieces import Pieces
from ponder.mcts.run import CompiledRun
from ponder.mcts.search import DONE, FULL, simulate_rounds
from ponder.mcts.threads import (
    all_at_once,
    apart,
    begin,
    finished,
    have_ready,
    shares,
    thread_count,
    works_of_a_thread,
)
from ponder.mcts.tree import MOST_VISITS, ROOT, TreeStore, Work
from ponder.mcts.watched import RuleFault

PIECE_SECONDS = 0.02
"""Threads wait for each other after every piece: longer pieces than one thread needs."""


MANY = 1 << 40
"""More simulations than there will be, and more helpers than there are."""

AT_ONCE = 8
"""Simulations that each thread has under way in a tree that is large enough for it."""

BLOCK = 1024
"""Nodes that a thread takes from a large tree at once; fewer where the memory cap is low."""


def piece_within(seconds: float | None) -> float:
    """How long a piece may take."""
    return PIECE_SECONDS if seconds is None else min(seconds, PIECE_SECONDS)


def until_time_is_up(
    simulate: Callable[[int], tuple[int, int]], until: float, most: int
) -> tuple[int, int]:
    """Up to `most` simulations of one thread, which looks at the clock by itself; one at least.

    `simulate(n)` says how many it made, and DONE or what prevented more. Waking a helper takes as
    long as a hundred simulations: it is woken once for the whole time, not for each small piece.
    """
    made, status, pace = 0, DONE, 0.0
    while status == DONE and made < most:
        now = time.perf_counter()
        if made and now >= until:
            break
        # nearly all that should fit, again and again: the next ones may take longer
        fitting = int(0.8 * (until - now) / pace) if pace else 1
        done, status = simulate(min(max(fitting, 1), most - made))
        if not done:
            break
        made += done
        pace = (time.perf_counter() - now) / done
    return made, status


class TreeParallelRun(CompiledRun):
    """All threads in one tree."""

    piece_seconds = PIECE_SECONDS

    def __init__(self, position: Position, engine: Any, seed: int, *rest: Any, **more: Any) -> None:
        self.threads = thread_count(engine.threads)
        self.mine: list[tuple[Any, ...]] = []
        self.until: float | None = None
        """When a piece ends by the clock."""
        super().__init__(position, engine, seed, *rest, **more)

    def prepare(self) -> Self:
        super().prepare()
        have_ready(self.threads - 1)  # before any clock runs
        return self

    def equip(self) -> None:
        spec = self.rules.spec
        half = (spec.highest - spec.lowest) / 2
        block = max(spec.max_actions, min(BLOCK, self.store.limit // (16 * self.threads)))
        self.modes = [
            Shared(self.threads, float(half), block, apart(nothing_kept()))
            for _ in range(self.threads)
        ]
        self.store.mode = self.modes[0]
        self.store.info, self.store.block = apart(self.store.info), apart(self.store.block)
        self.left = apart(np.zeros(1, np.int64))
        copies = range(self.threads)
        self.works = [works_of_a_thread(self.work, AT_ONCE) for _ in copies]
        self.blocks = [self.store.block, *(apart(self.store.block) for _ in copies[1:])]
        self.depths = [apart(self.store.depths) for _ in copies]
        # what only one thread writes to: the works, the depths they reached, its random numbers
        self.mine = [
            (
                works,
                apart(np.zeros(AT_ONCE, np.int64)),
                apart(new_rng(self.seed * self.threads + i)),
            )
            for i, works in enumerate(self.works)
        ]

    def proceed(self, most: int | None, seconds: float | None) -> None:
        if most is not None:
            return super().proceed(most, seconds)
        self.until = time.perf_counter() + piece_within(seconds)
        try:
            self.advance(MANY)
        finally:
            self.until = None

    def simulate(self, n: int) -> tuple[int, int]:
        tree, may_grow = self.store.tree, not self.full
        self.left[0] = n

        def work(i: int, left: Any) -> tuple[int, int]:
            made: tuple[int, int] = guarded(
                self.rules.name,
                simulate_rounds,
                self.rules.part,
                self.parts,
                tree._replace(block=self.blocks[i], depths=self.depths[i], mode=self.modes[i]),
                *self.mine[i],
                left,
                may_grow,
            )
            return made

        def watch_the_clock(until: float) -> tuple[int, int]:
            """The first thread has simulations of its own; then it takes those of the others."""
            try:
                return until_time_is_up(lambda few: work(0, np.array([few])), until, n // 2)
            finally:
                self.left[0] = 0

        if n <= 1:  # compiling, or the last one
            return work(0, self.left)
        before = int(self.store.nodes[ROOT].visits)
        first = partial(work, 0, self.left)
        if self.until is not None:
            self.left[0] = n // 2
            first = partial(watch_the_clock, self.until)
        others = [partial(work, i, self.left) for i in range(1, self.threads)]
        outcomes = all_at_once([first, *others])
        # errors first, then a full tree, then the rest
        status = max((s for _, s in outcomes), key=lambda s: (s not in (DONE, FULL), s))
        made = sum(made for made, _ in outcomes)
        if status == DONE and int(self.store.nodes[ROOT].visits) != before + made:
            raise RuleFault(
                "backup",
                "counts visits that were counted when threads entered the "
                "nodes (tree.mode.add counts what is missing)",
            )
        return made, status

    def all_works(self) -> Iterable[Work]:
        return (work for works in self.works for work in works)

    def make_room(self) -> None:
        self.give_up_blocks()
        super().make_room()

    def give_up_blocks(self) -> None:
        """Give what threads have not filled of their blocks back, or leave blank nodes there."""
        store = self.store
        for block in sorted(self.blocks, key=lambda block: -int(block[1])):
            if block[1] == store.size:
                store.info[0] = block[0]
            else:
                store.nodes[block[0] : block[1]] = store.blank[0]
            block[:] = 0

    def shown(self, last: bool) -> Any:
        self.give_up_blocks()
        made = copy.copy(self)
        every = [self.work, *self.all_works()]
        made.work = self.work._replace(
            totals=np.sum([work.totals for work in every], axis=0),
            squares=np.sum([work.squares for work in every], axis=0),
        )
        self.store.depths[0] = max(int(depths[0]) for depths in self.depths)
        return CompiledRun.shown(made, last)

    def copy(self) -> Any:
        return None


class RootParallelRun(Pieces):
    """A tree for each thread; the first one's root gets the others' statistics at the end."""

    piece_seconds = PIECE_SECONDS

    def __init__(
        self,
        position: Position,
        engine: Any,
        seed: int,
        megabytes: float,
        simulations: int | None = None,
        **more: Any,
    ) -> None:
        self.threads = thread_count(engine.threads)
        self.decide, self.seed, self.engine = fitted(engine.decide, position), seed, engine
        each = None if simulations is None else shares(simulations, self.threads)
        self.runs = [
            CompiledRun(
                position,
                engine,
                seed * self.threads + i,
                megabytes / self.threads,
                None if each is None else each[i],
                **more,
            )
            for i in range(self.threads)
        ]
        self.done = 0

    def prepare(self) -> Self:
        for run in self.runs:
            run.prepare()
            run.rng = apart(run.rng)
        have_ready(self.threads - 1)  # before any clock runs
        return self

    # What reports ask of a run: the first tree's, which gets the others' statistics.

    @property
    def position(self) -> Position:  # type: ignore[override]
        return self.runs[0].position

    @property
    def rules(self) -> Any:
        return self.runs[0].rules

    @property
    def parts(self) -> Any:
        return self.runs[0].parts

    @property
    def engine_text(self) -> str:
        return part_text(self.engine)

    @property
    def backup_text(self) -> str:
        return part_text(self.engine.backup)

    @property
    def store(self) -> TreeStore:
        return self.runs[0].store

    @property
    def work(self) -> Work:
        return self.runs[0].work

    @property
    def carried(self) -> Any:
        return self.runs[0].carried

    @property
    def stores(self) -> list[TreeStore]:
        return [run.store for run in self.runs]

    def action(self, parent: int, number: int) -> Any:
        return self.runs[0].action(parent, number)

    @property
    def full(self) -> bool:  # type: ignore[override]
        return all(run.full for run in self.runs)

    @property
    def recycled(self) -> int:
        return sum(run.recycled for run in self.runs)

    @property
    def solved(self) -> bool:  # type: ignore[override]
        return any(run.solved for run in self.runs)

    @property
    def counted_out(self) -> bool:
        """Would the root have more visits than can be counted, all trees added up?"""
        return sum(int(run.store.nodes[ROOT].visits) for run in self.runs) >= MOST_VISITS

    def proceed(self, most: int | None, seconds: float | None) -> None:
        visits = max(int(run.store.nodes[ROOT].visits) for run in self.runs)
        if most is not None or visits > MOST_VISITS // (2 * self.threads):
            return super().proceed(most, seconds)
        began = time.perf_counter()
        whole = piece_within(seconds)
        before = self.done // self.threads

        def alone(run: CompiledRun) -> None:
            def advance(n: int) -> tuple[int, int]:
                before = run.done
                run.advance(n)
                return run.done - before, DONE

            until_time_is_up(advance, began + 0.75 * whole, MANY)

        all_at_once([partial(alone, run) for run in self.runs])
        spent = time.perf_counter() - began
        # as many in each tree, and as many as the slowest thread can make in the time that is left
        fewest, most_made = (end(run.done for run in self.runs) for end in (min, max))
        fitting = int(0.8 * (whole - spent) * (fewest - before) / spent)
        self.advance(self.threads * max(most_made, fewest + fitting) - self.done)

    def advance(self, n: int) -> None:
        """n more simulations in all; each tree's share depends on the total alone."""
        n = min(n, MOST_VISITS - sum(int(run.store.nodes[ROOT].visits) for run in self.runs))
        goal = shares(self.done + max(n, 0), self.threads)
        missing = [wanted - run.done for wanted, run in zip(goal, self.runs, strict=True)]
        all_at_once([partial(run.advance, m) for run, m in zip(self.runs, missing, strict=True)])
        self.done = sum(run.done for run in self.runs)

    def shown(self, last: bool) -> Any:
        """The root statistics of all trees added to the first one's, move by move."""
        made = copy.copy(self)
        # a tree that has solved the root knows best; else the one with most moves open gets all
        made.runs = sorted(
            self.runs, key=lambda run: (not run.solved, -int(run.store.nodes[ROOT].count))
        )
        if not last:  # they go on by themselves
            made.runs[0] = made.runs[0].copy()
        main = made.runs[0]
        tree, root = main.store.tree, main.store.nodes[ROOT]
        mine = tree.nodes[root.first : root.first + main.parts.expand.total(tree, ROOT)]
        place = {int(action): i for i, action in enumerate(mine.action)}
        for run in made.runs[1:]:
            theirs = run.store.children(ROOT)
            squares = run.work.squares.copy()
            squares[: len(run.carried_squares)] -= run.carried_squares
            for j, action in enumerate(theirs.action.tolist()):
                i = place[action]
                add_statistics(mine, i, theirs[j], run.carried[j : j + 1])
                main.work.squares[i] += squares[j]
                if isinstance(main.parts.keep, KeepRootSums):
                    main.work.memory.keep.sums[i] += run.work.memory.keep.sums[j]
                    main.work.memory.keep.counts[i] += run.work.memory.keep.counts[j]
            root.count = max(int(root.count), len(theirs))
            main.work.totals[:] += run.work.totals
            main.store.nodes[ROOT].visits += run.done
            main.store.nodes[ROOT].value += run.store.nodes[ROOT].value - run.carried_value
        main.shown(last)
        return made


def add_statistics(mine: Any, i: int, other: Any, carried: Any) -> None:
    """Add another tree's statistics of the same move to mine[i], without what both began with."""
    names = mine.dtype.names
    visits, more = int(mine[i].visits), int(other.visits)
    if "backed" in names and visits + more > 0:  # a value, not a sum: weigh it by visits
        mine[i].backed[:] = (mine[i].backed * visits + other.backed * more) / (visits + more)
    if "low" in names:  # whatever one tree has proven holds
        mine[i].low[:] = np.maximum(mine[i].low, other.low)
        mine[i].high[:] = np.minimum(mine[i].high, other.high)
    for name in ("value", "visits", "squares", "sums", "amaf_value", "amaf_visits"):
        if name in names:
            mine[i][name] += other[name] - (carried[0][name] if len(carried) else 0)


# ------------------------------------------------------------------ leaf

STOP = -1


class Leaves(NamedTuple):
    """Where the thread in the tree and its helpers meet."""

    states: Any  # [1] the leaf to play from
    turn: Any  # [1] i8: the number of the leaf; STOP to go home
    ready: Any  # [1] i8: helpers that are done with it
    utilities: Any  # [helpers, players] f8: what they found; NaN if the game did not end


class LeafRollouts(NamedTuple):
    """The mean of evaluations by this thread and its helpers, one each."""

    evaluate: Any
    leaves: Leaves

    @inlined
    def estimate(self, game, s, work, rng, longest):
        leaves = self.leaves
        copy_record_from(leaves.states, 0, work.states, 1)
        leaves.ready[0] = 0
        add_at(leaves.turn, 0, 1)  # off they go
        ended = self.evaluate.estimate(game, s, work, rng, longest)
        helpers = leaves.utilities.shape[0]
        while read_now(leaves.ready, 0) < helpers:
            let_others_run()
        for p in range(work.utilities.size):
            for h in range(helpers):
                work.utilities[p] += leaves.utilities[h, p]
            work.utilities[p] /= helpers + 1
        return ended

    @inlined
    def after(self, tree, work, depth):
        self.evaluate.after(tree, work, depth)


@kernel
def help_out(game, rule, leaves, work, rng, me):
    """Evaluate leaf after leaf, until told to stop."""
    seen = np.int64(0)
    longest = work.path.size - 2
    while True:
        turn = read_now(leaves.turn, 0)
        if turn == STOP:
            return
        if turn != seen:
            seen = turn
            work.trace.begin()  # nobody reads it, but it must not grow from leaf to leaf
            copy_record_from(work.states, 1, leaves.states, 0)
            if rule.estimate(game, work.states[1], work, rng, longest):
                for p in range(work.utilities.size):
                    leaves.utilities[me, p] = work.utilities[p]
            else:
                for p in range(work.utilities.size):
                    leaves.utilities[me, p] = np.nan
            add_at(leaves.ready, 0, 1)
        else:
            let_others_run()


class LeafParallelRun(CompiledRun):
    """One thread in the tree, all threads at every leaf."""

    piece_seconds = PIECE_SECONDS

    def __init__(self, position: Position, engine: Any, seed: int, *rest: Any, **more: Any) -> None:
        self.threads = thread_count(engine.threads)
        self.helpers = self.threads - 1
        super().__init__(position, engine, seed, *rest, **more)

    def prepare(self) -> Self:
        super().prepare()
        have_ready(self.helpers)  # before any clock runs
        return self

    def equip(self) -> None:
        spec = self.rules.spec
        self.leaves = Leaves(
            new_states(spec.state, 1),
            np.zeros(1, np.int64),
            np.zeros(1, np.int64),
            np.zeros((self.helpers, spec.players)),
        )
        self.rule = self.parts.evaluate
        self.parts = self.parts._replace(
            evaluate=completed("evaluate", LeafRollouts(self.rule, self.leaves))
        )
        self.helping = [
            (works_of_a_thread(self.work, 1)[0], apart(new_rng(self.seed * 1000 + i)))
            for i in range(1, self.threads)
        ]

    def simulate(self, n: int) -> tuple[int, int]:
        self.leaves.turn[0] = 0
        waiting = [
            begin(partial(self.help, me, work, rng)) for me, (work, rng) in enumerate(self.helping)
        ]
        try:
            return super().simulate(n)
        finally:
            self.leaves.turn[0] = STOP
            for one in waiting:
                finished(one)

    def help(self, me: int, work: Work, rng: Any) -> None:
        """What one helper does. Where the rules raise an error, nobody must wait for it."""
        leaves = self.leaves
        try:
            guarded(self.rules.name, help_out, self.rules.part, self.rule, leaves, work, rng, me)
        except BaseException:
            leaves.utilities[me] = np.nan  # which ends the simulations
            leaves.ready[0] = MANY
            raise


KINDS = {"tree": TreeParallelRun, "root": RootParallelRun, "leaf": LeafParallelRun}
