"""Monte Carlo tree search, assembled from parts: select, evaluate, backup, decide.

    >>> from ponder import MCTS, position
    >>> from ponder.select import UCB1
    >>> result = MCTS(select=UCB1(c=1.4)).search(position("tictactoe"), simulations=1000, seed=1)
    >>> result.simulations
    1000

Begin reading here; `ponder.mcts.simulate` holds the loop itself, `ponder.mcts.tree` the data.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Sequence
from threading import Event
from typing import Any, NamedTuple

from ponder.core.interrupt import interruptible
from ponder.core.limits import DEFAULT_SECONDS, Limit, limit_problem, merged, own_limit
from ponder.core.parts import canonical
from ponder.core.position import Position, check_searchable
from ponder.core.registry import misplaced, part_text
from ponder.core.result import SearchResult
from ponder.errors import InputError
from ponder.mcts.arguments import check_arguments
from ponder.mcts.backup.mean import Mean
from ponder.mcts.batch import BatchRun
from ponder.mcts.decide import MostVisits
from ponder.mcts.evaluate.function import Function, as_rule
from ponder.mcts.evaluate.rollout import Rollout
from ponder.mcts.expand import OneChild
from ponder.mcts.parallel import KINDS, MOST_THREADS, thread_count
from ponder.mcts.recording import Recording
from ponder.mcts.remembering import Remembering
from ponder.mcts.report import Progress, report, root_rows, snapshot
from ponder.mcts.run import CompiledRun
from ponder.mcts.select.ucb import UCB1
from ponder.mcts.stepwise import StepwiseRun
from ponder.mcts.view import SearchTree

DEFAULT_MEMORY = 1024.0
"""Megabytes of tree, unless told otherwise."""

Run = CompiledRun | StepwiseRun


class MCTS(NamedTuple):
    """A Monte Carlo tree search; every part is a switch.

    `seconds`, `simulations` and `memory` (megabytes) are the engine's own limits, used where
    `search` is given none. `threads` work at it together (0: as many as there are), in the way
    that `parallel` says: `ponder.mcts.parallel`. With `transpositions` positions that several
    move orders reach are searched once: `ponder.mcts.modes.Graph`. A tree that reaches its memory
    cap gives up its least visited parts (`recycle`), or grows no more. With `reuse` a player of
    a match goes on with its tree from move to move (`ponder play` always does).
    """

    select: Any = UCB1()
    expand: Any = OneChild()
    evaluate: Any = Rollout()
    backup: Any = Mean()
    decide: Any = MostVisits()
    simulations: int | None = None
    seconds: float | None = None
    memory: float | None = None
    threads: int = 1
    parallel: str = "tree"
    transpositions: bool = False
    recycle: bool = True
    reuse: bool = False

    def problem(self) -> str | None:
        """A sentence if an option is not usable."""
        if self.threads < 0:
            return f"threads must be 1 or more, or 0 (auto) for all there are, not {self.threads}"
        if self.threads > MOST_THREADS:
            return f"threads must be {MOST_THREADS} or fewer, not {self.threads}"
        if self.parallel not in KINDS:
            return f"parallel must be {', '.join(KINDS)}, not {self.parallel!r}"
        if self.transpositions and self.threads != 1 and self.parallel == "tree":
            return "transpositions and threads in one tree do not go together: parallel='root' does"
        if not callable(getattr(self.decide, "best", None)):
            return misplaced("decide", self.decide)
        return limit_problem(self)

    def new_game(self) -> Any:
        """The player for one seat of a new game."""
        return Remembering(self) if self.reuse else self

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
        moves: Sequence[Any] | None = None,
        tree: SearchTree | None = None,
        trace: Recording | None = None,
    ) -> SearchResult:
        """Search `position` until a limit is reached, `stop` is set, or Ctrl-C is pressed.

        Limits are given as a `Limit` or by keyword; without any, the engine's own, else one
        second. The same seed and number of simulations give the same result bit for bit (not
        with several threads in one tree). Only `moves`, where they are given, are considered.
        `tree`, the tree of an earlier search of this position or of one before it, is gone on
        with. `trace` records every simulation.
        """
        check_searchable(position)
        check_arguments(seed, moves, tree, trace)
        engine = canonical(self._replace(evaluate=as_rule(self.evaluate)))
        limit = merged(
            limit, own_limit(self), seconds=seconds, simulations=simulations, memory=memory
        )
        if limit.nodes or limit.depth:
            raise InputError("mcts is limited by seconds, simulations and memory")
        until_full = limit.is_empty and limit.memory is not None
        if limit.is_empty and not until_full:
            limit = Limit(seconds=DEFAULT_SECONDS, memory=limit.memory)
        seed = secrets.randbits(32) if seed is None else int(seed)
        kind = run_kind(engine, position)
        chosen = tuple(dict.fromkeys(position.parse_action(move) for move in moves or ()))
        cap = limit.memory or DEFAULT_MEMORY
        # a search that ends when the tree is full must let it become full
        built = engine._replace(recycle=False) if until_full else engine
        if trace is not None:
            check_recordable(engine)
        run: Run = kind(position, built, seed, cap, limit.simulations, moves=chosen, tree=tree)
        if trace is not None:
            trace.begin(position, part_text(engine), seed, run)
        began = time.perf_counter()
        watch = Watch(limit, until_full, stop or Event(), progress, trace)
        stopped_by = drive(run, engine, seed, watch, began)
        return report(run, engine, seed, time.perf_counter() - began, stopped_by)


MCTS.WORDS = {"threads": {"auto": 0}}  # type: ignore[attr-defined]


def run_kind(engine: MCTS, position: Position) -> Any:
    """Which kind of run makes the simulations."""
    if not position.rules.compiled:
        return StepwiseRun if engine.threads == 1 else one_thread("plain Python games are searched")
    if isinstance(engine.evaluate, Function):
        return BatchRun if engine.threads == 1 else one_thread("a Python function is asked")
    return CompiledRun if thread_count(engine.threads) == 1 else KINDS[engine.parallel]


def check_recordable(engine: MCTS) -> None:
    """Refuse to record a search that does not make one simulation after the other."""
    if thread_count(engine.threads) != 1:
        raise InputError("recordings are made by one thread: leave out threads")
    if isinstance(engine.evaluate, Function) and engine.evaluate.batch != 1:
        raise InputError(
            "recordings are made of one simulation after the other: "
            f"the function needs batch=1, not {engine.evaluate.batch}"
        )


def one_thread(what: str) -> Any:
    raise InputError(f"{what} by one thread: leave out threads")


class Watch(NamedTuple):
    """What a search in progress looks at between pieces."""

    limit: Limit
    until_full: bool
    stop: Event
    progress: Callable[[Progress], None] | None
    trace: Recording | None


def drive(run: Run, engine: MCTS, seed: int, watch: Watch, began: float) -> str:
    """Run pieces of a few milliseconds until something ends the search; says what."""
    limit, until_full, stop, progress, trace = watch
    piece, told = 1, began
    pace = 0.0  # seconds for a simulation, in the last piece
    with interruptible() as interrupt:
        while True:
            if interrupt.is_set():
                return "interrupt"
            if stop.is_set():
                return "stop"
            if run.solved:
                return "solved"
            if limit.simulations is not None and run.done >= limit.simulations:
                piece = more_simulations(run, engine, limit.simulations)
                if not piece:
                    return "simulations"
            if until_full and run.full:
                return "memory"
            now = time.perf_counter()
            if limit.seconds is not None and now - began >= limit.seconds and run.done:
                used = (now - began) / limit.seconds
                if not undecided(run, engine, used):
                    return "seconds"
            if progress is not None and now - told > 0.1:
                told = now
                progress(snapshot(run, engine, seed, now - began))
            if limit.simulations is not None and run.done < limit.simulations:
                piece = min(piece, limit.simulations - run.done)
            if limit.seconds is not None and pace > 0.0:
                left = limit.seconds - (now - began)
                if left > 0.0:  # a whole piece could end long after the limit
                    piece = max(1, min(piece, int(left / pace)))
            if trace is not None:
                run.advance(1)
                trace.note(run)
                continue
            run.advance(piece)
            spent = time.perf_counter() - now
            pace = spent / piece
            # More while a piece proves short, far more if very short; fewer when it proves long.
            if spent < run.piece_seconds:
                piece *= 8 if 16 * spent < run.piece_seconds else 2
            elif spent > 2 * run.piece_seconds:
                piece = max(1, piece // 2)


def undecided(run: Run, engine: MCTS, used: float) -> bool:
    """Does the decide rule ask for more, and may it? `used`: the share of the limit, 1 or more."""
    if not hasattr(engine.decide, "agreed") or used >= 1.0 + engine.decide.extra:
        return False
    return not engine.decide.agreed(root_rows(run))


def more_simulations(run: Run, engine: MCTS, limit: int) -> int:
    """How many simulations the decide rule gets past the limit, before it is asked again.

    The same number whatever the clock says, so that a seed gives the same result.
    """
    if not undecided(run, engine, run.done / limit):
        return 0
    return max(1, min(limit // 100, int(limit * (1.0 + engine.decide.extra)) - run.done))
