"""A Monte Carlo tree search in progress: stepped, switched, rewound, forked, saved."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from typing import Any, Self, Unpack

import numpy as np

from ponder.core.copies import Copies
from ponder.core.driver import drive
from ponder.core.events import Event
from ponder.core.history import Change, History
from ponder.core.limits import Limit, StopReason
from ponder.core.parts import canonical
from ponder.core.position import Position
from ponder.core.result import SearchResult
from ponder.core.session import Capability, Session
from ponder.errors import InputError
from ponder.mcts.batch import BatchRun, OutsideRun
from ponder.mcts.evaluate.function import Function, Outside, as_rule, asked
from ponder.mcts.events import events_of, tree_of
from ponder.mcts.parallel import KINDS
from ponder.mcts.parts import parts_of
from ponder.mcts.protocols import PartsByName
from ponder.mcts.report import report
from ponder.mcts.run import CompiledRun, own_arrays
from ponder.mcts.switch import switched
from ponder.mcts.threads import thread_count
from ponder.mcts.tree import ROOT
from ponder.mcts.view import SearchTree, snapshot

DEFAULT_MEMORY = 1024.0
"""Megabytes of tree, unless told otherwise."""

SWITCHED = ("select", "expand", "evaluate", "backup", "decide")
"""What `change` takes."""


class MCTSSession(Session[Any]):
    """See `ponder.core.session`; `tree` is an earlier search's tree to continue.

    With `switchable`, what any rule may need is kept from the first simulation on, so that
    `change` is done at once; without it, the first change runs the history again. With `once`
    it is run and reported and no more; `until_full` ends the run when the tree may not grow any
    more. What is kept takes room beside the memory cap, so that it changes nothing.
    """

    def __init__(
        self,
        history: History,
        *,
        tree: SearchTree | None = None,
        switchable: bool = False,
        once: bool = False,
        until_full: bool = False,
    ) -> None:
        super().__init__(history, Capability(0) if once else capabilities_of(history, tree))
        self._tree, self._switchable, self._until_full = tree, switchable, until_full
        if switchable:
            self._require(Capability.CHANGE)

    def _new_run(self) -> Any:
        history = self._history
        engine: Any = history.engine
        kind = run_kind(engine, history.position)
        # a search that ends when the tree is full must let it become full
        built = engine._replace(recycle=False) if self._until_full else engine
        run = kind(
            history.position,
            built,
            history.seed,
            history.memory or engine.memory or DEFAULT_MEMORY,
            history.plan,
            moves=history.moves,
            tree=self._tree,
            **({"keep": True} if self._switchable else {}),
        )
        run.engine, run.until_full = engine, self._until_full
        return run

    def _report(self, run: Any, seconds: float, reason: StopReason) -> SearchResult:
        return report(run, seconds, reason, last=False)

    def _report_last(self, run: Any, seconds: float, reason: StopReason) -> SearchResult:
        return report(run, seconds, reason)

    def _extra_share(self) -> float:
        return float(getattr(self._run.decide, "extra", 0.0))

    def state_arrays(self) -> tuple[Any, ...]:
        return self._run.store.nodes, self._run.rng

    def tree(self) -> SearchTree:
        """A copy of the tree as it is now."""
        self._require(Capability.REWIND)
        with self._turn:
            run = self._run.copy()
        found: SearchTree = report(run, 0.0, "stop").tree
        return found

    def live_tree(self) -> SearchTree:
        """The tree itself, to look at until the session goes on; `tree` makes a copy of it."""
        self._require(Capability.TREE)
        run = self._run.shown(False)
        tree = tree_of(run)
        tree._store = copy.copy(run.store)  # the same nodes
        tree._store.squares = run.work.squares[: len(run.store.children(ROOT))].copy()
        tree.memory = own_arrays(tree.memory)  # rules that are asked for reasons may write there
        return tree

    def nodes(self, most: int = 2000, deepest: int | None = None) -> Any:
        """The most visited part of the tree, at most so many nodes: see `snapshot.FIELDS`.

        `deepest`: no nodes below this depth.
        """
        self._require(Capability.TREE)
        for given in (most, 1 if deepest is None else deepest):
            if isinstance(given, bool) or not isinstance(given, int) or given < 1:
                raise InputError(f"nodes takes whole numbers above 0, not {given!r}")
        with self._turn:
            run = self._run.shown(False)
            return snapshot(run.parts, run.store, most, deepest)

    def cut(self) -> list[str]:
        """The root moves that the select rule has given up for good, by name."""
        self._require(Capability.TREE)
        with self._turn:
            run = self._run.shown(False)
            below = run.store.children(ROOT)
            actions = [run.action(ROOT, number) for number in below.action[below.cut != 0].tolist()]
        return [self.position.action_name(action) for action in actions]

    def events(
        self, since: int = 0, until: int | None = None, reasons: bool = False
    ) -> list[Event]:
        """What has happened after the moment `since` (up to `until`): see `ponder.mcts.events`.

        With `reasons` every choice comes with what the select rule made of each child.
        """
        self._require(Capability.EVENTS)
        last = self.moment if until is None else min(until, self.moment)
        self._check_moment(since, last)
        return list(events_of(self, since, last, reasons))

    def twin_at(self, changes: tuple[Change, ...], moment: int) -> Self:
        """Another session at an earlier moment, which notes the moves of every simulation."""
        twin = self._twin()
        if not self._switchable and Capability.CHANGE in self._capabilities:
            twin._switchable, twin._copies = True, Copies()
        twin._replay(changes, moment)
        return twin

    # ------------------------------------------------------------ evaluated from outside

    def leaves(self) -> Any:
        """The states that wait to be evaluated; `answer` goes on.

        An array of records, or of a plain Python game a list of positions. None may wait, where
        the simulations of a round all ended the game. With priors=given() the first one asked for
        is the root.
        """
        self._require(Capability.CALLER_EVALUATED)
        with self._turn:
            return self._run.leaves()

    def answer(self, values: Any, priors: Any = None) -> None:
        """A utility for each player of each of the `leaves`; with priors=given(), the
        probabilities of moves as well: as a function of `ponder.evaluate.Function` gives them."""
        self._require(Capability.CALLER_EVALUATED)
        with self._turn:
            self._run.answer(values, priors)

    # ------------------------------------------------------------ switching

    def change(self, **parts: Unpack[PartsByName]) -> None:  # type: ignore[override]
        """Switch parts from this moment on: ``change(backup=Max())``.

        A new backup rule is applied to the whole tree at once; the random numbers go on.
        """
        super().change(**parts)

    def _apply_change(self, run: Any, parts: dict[str, Any]) -> Any:
        for name in parts:
            if name not in SWITCHED:
                raise InputError(f"change takes {', '.join(SWITCHED)}, not {name}")
        parts = {name: as_rule(part) for name, part in parts.items()}
        now: Any = self.engine
        engine = canonical(now._replace(**parts))
        if set(parts) == {"decide"}:
            run.decide, run.engine = engine.decide, engine
            return run
        outside = "evaluate" in parts and asked(engine.evaluate, self.position) is not None
        if outside or run_kind(engine, self.position) is not type(run):
            raise InputError("evaluate can be switched only between compiled rules, not functions")
        if not self._switchable:
            parts_of(engine, run.inner)  # refuses what is impossible, before anything is done
            run = self._keeping(int(run.done))
        return switched(run, engine)

    def _keeping(self, moment: int) -> Any:
        """The same search once more, with what rules to come may need."""
        kept = self._switchable, self._copies
        self._switchable, self._copies = True, Copies()
        try:
            run = self._prepared()
            if moment and drive(run, Limit(simulations=moment), exact=True) == "interrupt":
                raise KeyboardInterrupt
        except BaseException:
            self._switchable, self._copies = kept
            raise
        return run

    def _replay(self, changes: tuple[Change, ...], moment: int) -> None:
        if changes and not self._switchable:  # what was kept without it is of no use
            self._switchable, self._copies = True, Copies()
        super()._replay(changes, moment)


def capabilities_of(history: History, tree: SearchTree | None) -> Capability:
    """What a session of this engine and position can do."""
    engine: Any = history.engine
    if thread_count(engine.threads) != 1:
        return Capability.TREE  # threads are not repeatable
    rule = asked(engine.evaluate, history.position)
    if isinstance(rule, Outside):  # the answers are nowhere to be had again
        return Capability.TREE | Capability.CALLER_EVALUATED
    found = Capability.STEP | Capability.REWIND | Capability.TREE
    if rule is None or rule.batch == 1:
        found |= Capability.EVENTS  # of one simulation after the other
    if not engine.transpositions and tree is None:  # a tree has the fields of its own parts
        found |= Capability.CHANGE
    if tree is None and not isinstance(engine.evaluate, Function):
        found |= Capability.SAVE
    return found


def run_kind(engine: Any, position: Position) -> Any:
    """Which kind of run makes the simulations."""
    if position.rules.plain and engine.threads != 1:
        one_thread("plain Python games are searched")
    rule = asked(engine.evaluate, position)
    if isinstance(rule, Outside):
        return OutsideRun
    if rule is not None:
        return BatchRun if engine.threads == 1 else one_thread("a Python function is asked")
    return CompiledRun if thread_count(engine.threads) == 1 else KINDS[engine.parallel]


def one_thread(what: str) -> Any:
    raise InputError(f"{what} by one thread: leave out threads")


class Sessions:
    """Many sessions evaluated in one batch: the same two calls as on one.

    many = Sessions(MCTS(evaluate=Outside(batch=8)).start(start, seed=i) for i in range(64))
    many.answer(network(many.leaves()))
    """

    def __init__(self, sessions: Iterable[MCTSSession]) -> None:
        self.sessions = list(sessions)
        self._counts: list[int] = []

    def leaves(self) -> Any:
        """The states that wait in all sessions, one session after the other."""
        found = [session.leaves() for session in self.sessions]
        self._counts = [len(states) for states in found]
        if any(isinstance(states, list) for states in found):  # positions of plain Python games
            return [state for states in found for state in states]
        return np.concatenate(found)

    def answer(self, values: Any, priors: Any = None) -> None:
        """What all of them are worth, in the same order."""
        at = 0
        if len(values) != sum(self._counts):
            raise InputError(f"{sum(self._counts)} states wait for an answer, not {len(values)}")
        for session, n in zip(self.sessions, self._counts, strict=True):
            if n:
                row = slice(at, at + n)
                session.answer(values[row], None if priors is None else priors[row])
            at += n
        self._counts = []
