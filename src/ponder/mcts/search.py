"""Monte Carlo tree search, assembled from parts: select, evaluate, backup, decide.

    >>> from ponder import MCTS, UCB1, position
    >>> result = MCTS(select=UCB1(c=1.4)).search(position("tictactoe"), simulations=1000, seed=1)
    >>> result.simulations
    1000

Begin reading here; `ponder.mcts.simulate` holds the loop itself, `ponder.mcts.tree` the data.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from threading import Event
from typing import Any, NamedTuple

from ponder.core.interrupt import interruptible
from ponder.core.limits import DEFAULT_SECONDS, Limit
from ponder.core.parts import canonical
from ponder.core.position import Position, check_searchable
from ponder.core.registry import part_text
from ponder.core.result import MoveRow, SearchResult
from ponder.errors import InputError
from ponder.mcts.backup.mean import Mean
from ponder.mcts.decide import MostVisits
from ponder.mcts.evaluate.rollout import Rollout
from ponder.mcts.expand import OneChild
from ponder.mcts.run import CompiledRun
from ponder.mcts.select.ucb import UCB1
from ponder.mcts.stepwise import StepwiseRun
from ponder.mcts.tree import MEGABYTE, ROOT
from ponder.mcts.view import SearchTree, most_visited_line

DEFAULT_MEMORY = 1024.0
"""Megabytes of tree, unless told otherwise."""

PIECE_SECONDS = 0.005
"""How long a piece of kernel work should take: clock and stop are looked at between pieces."""

Run = CompiledRun | StepwiseRun


class Progress(NamedTuple):
    """What a progress callback is told, a few times a second."""

    simulations: int
    seconds: float
    best: str
    value: float


class MCTS(NamedTuple):
    """A Monte Carlo tree search; every part is a switch.

    `seconds`, `simulations` and `memory` (megabytes) are the engine's own limits, used where
    `search` is given none.
    """

    select: Any = UCB1()
    expand: Any = OneChild()
    evaluate: Any = Rollout()
    backup: Any = Mean()
    decide: Any = MostVisits()
    simulations: int | None = None
    seconds: float | None = None
    memory: float | None = None

    def problem(self) -> str | None:
        """A sentence if a limit is not usable."""
        try:
            Limit(seconds=self.seconds, simulations=self.simulations, memory=self.memory)
        except InputError as error:
            return str(error)
        return None

    def search(
        self,
        position: Position,
        limit: Limit | None = None,
        *,
        seconds: float | None = None,
        simulations: int | None = None,
        memory: float | None = None,
        seed: int | None = None,
        stop: Event | None = None,
        progress: Callable[[Progress], None] | None = None,
    ) -> SearchResult:
        """Search `position` until a limit is reached, `stop` is set, or Ctrl-C is pressed.

        Limits are given as a `Limit` or by keyword; without any, the engine's own, else one
        second. The same seed and number of simulations give the same result bit for bit.
        """
        engine = canonical(self)
        given = limit or Limit(seconds=seconds, simulations=simulations, memory=memory)
        own = Limit(seconds=self.seconds, simulations=self.simulations, memory=self.memory)
        limit = given.over(own)
        if limit.nodes or limit.depth:
            raise InputError("mcts is limited by seconds, simulations and memory")
        until_full = limit.is_empty and limit.memory is not None
        if limit.is_empty and not until_full:
            limit = Limit(seconds=DEFAULT_SECONDS, memory=limit.memory)
        check_searchable(position)
        seed = secrets.randbits(32) if seed is None else seed
        kind = CompiledRun if position.rules.compiled else StepwiseRun
        run: Run = kind(position, engine, seed, limit.memory or DEFAULT_MEMORY, limit.simulations)
        began = time.perf_counter()
        stopped_by = drive(run, engine, limit, until_full, stop or Event(), progress, began)
        return report(run, engine, seed, time.perf_counter() - began, stopped_by)


def drive(
    run: Run,
    engine: MCTS,
    limit: Limit,
    until_full: bool,
    stop: Event,
    progress: Callable[[Progress], None] | None,
    began: float,
) -> str:
    """Run pieces of a few milliseconds until something ends the search; says what."""
    piece, told = 1, began
    with interruptible() as interrupt:
        while True:
            if interrupt.is_set():
                return "interrupt"
            if stop.is_set():
                return "stop"
            if limit.simulations is not None and run.done >= limit.simulations:
                return "simulations"
            if run.solved:
                return "solved"
            if until_full and run.full:
                return "memory"
            now = time.perf_counter()
            if limit.seconds is not None and now - began >= limit.seconds and run.done:
                return "seconds"
            if progress is not None and now - told > 0.1:
                told = now
                progress(snapshot(run, engine, now - began))
            if limit.simulations is not None:
                piece = min(piece, limit.simulations - run.done)
            run.advance(piece)
            spent = time.perf_counter() - now
            # Twice as many while a piece proves short; half as many when it proves long.
            if spent < PIECE_SECONDS:
                piece *= 2
            elif spent > 2 * PIECE_SECONDS:
                piece = max(1, piece // 2)


def root_rows(run: Run) -> list[MoveRow]:
    """One row a root move, in the game's order of moves."""
    position, children = run.position, run.store.children(ROOT)
    columns = (children[name].tolist() for name in ("action", "visits", "value"))
    rows = []
    for number, visits, value, squares in zip(
        *columns, run.work.squares[: len(children)].tolist(), strict=True
    ):
        action, mean, spread = run.action(ROOT, number), None, None
        if visits:
            mean = value / visits
            spread = max(0.0, squares / visits - mean * mean) ** 0.5
        rows.append(MoveRow(action, position.action_name(action), visits, mean, spread))
    order = {action: i for i, action in enumerate(position.legal_actions)}
    return sorted(rows, key=lambda row: order[row.action])


def snapshot(run: Run, engine: MCTS, seconds: float) -> Progress:
    rows = root_rows(run)
    best = rows[engine.decide.best(rows)] if rows else MoveRow(None, "", 0, None)
    return Progress(run.done, seconds, best.name, best.value or 0.0)


def report(run: Run, engine: MCTS, seed: int, seconds: float, stopped_by: str) -> SearchResult:
    """The result of a finished search."""
    run.store.trim()
    position = run.position
    rows = root_rows(run)
    if rows:
        chosen = engine.decide.best(rows)
        action = rows[chosen].action
        ranked = sorted(
            range(len(rows)),
            key=lambda i: (i != chosen, -rows[i].visits, -(rows[i].value or 0.0)),
        )
    else:  # stopped before the first simulation
        action, ranked = position.legal_actions[0], []
    values = tuple((run.work.totals / max(run.done, 1)).tolist())
    notes = []
    if run.full:
        cap = run.store.limit * run.store.dtype.itemsize / MEGABYTE
        notes.append(f"the tree reached its memory cap ({cap:.0f} MB) and stopped growing")
    tree = SearchTree(run.store, position, run.action)
    return SearchResult(
        position=position,
        engine=part_text(engine),
        action=action,
        value=values[position.current_player],
        values=values,
        line=most_visited_line(tree, action),
        moves=tuple(rows[i] for i in ranked),
        seconds=seconds,
        stopped_by=stopped_by,
        seed=seed,
        depth=run.store.deepest,
        simulations=run.done,
        memory=run.store.bytes_used,
        notes=tuple(notes),
        tree=tree,
    )
