"""`--tier`: does a search run in plain Python, compiled, or at once and then compiled?

The mode is one of a whole process, chosen before Numba is imported. So a search that begins in
plain mode is taken over by the same command line in this process's place, compiled: it runs the
history again to the same moment, compares, and goes on (`Continued`). At a terminal, where somebody
watches, a second process compiles meanwhile (`ponder.cli.compile_only`); elsewhere the change comes
as soon as it is known that compiling is quicker.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from ponder import cache_times
from ponder.cache_folder import cache_place
from ponder.cli import last_words
from ponder.cli.console import LiveLine, has_control_codes, say
from ponder.core.effort import LongHistory
from ponder.core.interrupt import CAN_MASK, begin_again, unheard
from ponder.core.processes import NO_JIT, module_command
from ponder.core.tiers import BEGINNING, PROBE, Forecast, difference, digest, needs_compiler
from ponder.core.tiers import attended_by as attended
from ponder.errors import GameError, InputError

if TYPE_CHECKING:
    from ponder.core.limits import Limit
    from ponder.core.session import Session

LOOK = 0.05
"""Seconds between two looks at a plain search."""
NOT_READY = "the compiler was not ready"
REST = 5.0
"""Seconds that a search may take to come to rest before it is begun anew without its tree."""


class Handed(NamedTuple):
    """What a compiled process must know of the search that it takes over."""

    seed: int | None
    moment: int
    digest: str
    """Of the plain search at that moment; empty: there is none to be compared."""
    fault: str = ""
    """What the game raised in plain Python, where that ended it."""
    found: str = ""
    """What is said if Ctrl-C comes before the search is taken over."""


class Role:
    """What this process is: set by the modules that begin it."""

    program = False
    """Is it the command line of a person or a script? Else modes are not chosen."""
    handed: Handed | None = None
    """The search that it takes over."""
    compiles_only = False
    """Is it here to compile what another process needs?"""
    what = ""
    """Which kind of work that is."""


class Compiled(BaseException):
    """Raised where a process that compiles only has done so."""


class SearchWanted(NamedTuple):
    """A search that is asked for on the command line, before anything of it is known."""

    what: str
    """The kind of work, as `ponder.cache_times.kind_of_work` names it."""
    budget: int | None = None
    """Simulations or nodes that were asked for."""
    clock: bool = False
    """Is it limited by time?"""
    compiled_only: bool = False
    """Is there a reason to compile, such as --safe?"""
    events: bool = False
    """Are the events of the search needed, too?"""


class Tier:
    """The mode that was chosen; as a block, it looks after the search inside."""

    def seed(self, given: int | None) -> int | None:
        """The seed of the search: that of the plain one, if this process takes it over."""
        return given

    @contextlib.contextmanager
    def searching(self) -> Iterator[None]:
        """The block in which the search is prepared and run."""
        yield

    def notes(self) -> tuple[str, ...]:
        """What is to be said of a search that was ended."""
        return ()

    def said(self) -> str:
        """What is to be said of how a search was done, beside its result; empty if nothing."""
        return ""


def chosen(tier: str, wanted: SearchWanted) -> Tier:
    """Choose the mode of this process; to be called before anything that compiles is imported."""
    if tier != "auto":
        _require(tier)
        return Tier()
    if Role.compiles_only:
        return CompileOnly(wanted)
    if Role.handed is not None:
        return Continued(Role.handed)
    if not _begins_plain(wanted):
        return Tier()
    os.environ[NO_JIT] = "1"
    return PlainFirst(wanted)


def _require(tier: str) -> None:
    """Be in plain mode, or not, as the person asks."""
    if "numba" not in sys.modules and NO_JIT not in os.environ:
        os.environ[NO_JIT] = "1" if tier == "plain" else "0"
    from ponder.jit import COMPILED

    if (tier == "compiled") == COMPILED:
        return
    if os.environ.get(NO_JIT):
        raise InputError(
            f"--tier {tier} contradicts {NO_JIT}={os.environ[NO_JIT]}: leave out one of them"
        )
    raise InputError(f"--tier {tier} comes too late in a process that has begun otherwise")


def _begins_plain(wanted: SearchWanted) -> bool:
    """Is plain mode tried first? Only where it can be left again, and the code is not there."""
    if (
        not (Role.program and CAN_MASK)
        or "numba" in sys.modules
        or NO_JIT in os.environ
        or wanted.compiled_only
    ):
        return False
    cache_place()  # a folder that is refused is refused now, not when the compiler is wanted
    if cache_times.is_compiled(wanted.what):
        return False
    if watched():
        return True
    return not needs_compiler(estimate(wanted, wanted.budget, wanted.clock))


def watched() -> bool:
    """Does somebody look at what goes on?"""
    return has_control_codes(sys.stderr)


def estimate(wanted: SearchWanted, left: int | None, clock: bool) -> Forecast:
    """What is known before the search has begun."""
    known = cache_times.times_of(wanted.what)
    return Forecast(left, known.plain, cache_times.usual_compile(wanted.what), 0.0, clock)


class PlainFirst(Tier):
    """A search in plain mode that is given to compiled code when that is quicker.

    A thread looks at it now and then: speed and what is left say whether the compiler is wanted.
    """

    def __init__(self, wanted: SearchWanted) -> None:
        self.wanted = wanted
        self.session: Session[Any] | None = None
        self.compiler: subprocess.Popen[bytes] | None = None
        self._limit: Limit | None = None
        self._first, self._rest = 0, 0.0
        self._began, self._busy = time.monotonic(), time.process_time() + BEGINNING
        self._leaving, self._over = threading.Event(), threading.Event()
        self._lock = threading.Lock()
        self._ended = ""

    # ------------------------------------------------------------ the block

    @contextlib.contextmanager
    def searching(self) -> Iterator[None]:
        thread = threading.Thread(target=self._watch, daemon=True)
        thread.start()
        try:
            with attended(self):
                yield
        except LongHistory:
            self._begin_anew()  # at the speed of plain Python: compiled code judges by its own
            raise
        except GameError as error:
            if self.session is not None and not self.session.position.rules.plain:
                self._change_over(self.session, str(error))  # is it the mode, or the game?
            raise
        finally:
            with self._lock:
                self._over.set()
            thread.join()
            if self.compiler is not None:
                self.compiler.kill()
                self.compiler.wait()

    def notes(self) -> tuple[str, ...]:
        if self.session is None or self._ended != "interrupt":
            return ()
        made = self._made(self.session)
        return (made if self.compiler is None else f"{made}; {NOT_READY}",)

    @staticmethod
    def _made(session: Session[Any]) -> str:
        return f"{session.moment:,} {session.unit} in plain Python"

    def said(self) -> str:
        if self._ended == "interrupt":  # its note says more
            return ""
        usual = cache_times.usual_compile(self.wanted.what)
        return f"searched in plain Python: compiling takes about {usual:.0f} s (--tier compiled)"

    # ------------------------------------------------------------ attending (ponder.core.tiers)

    def is_set(self) -> bool:
        return self._leaving.is_set()

    def begins(self, session: Session[Any], limit: Limit) -> Limit:
        self._limit, self._first = limit, session.moment
        self._began, self._busy = time.monotonic(), time.process_time()
        self.session = session
        return replace(limit, seconds=None)  # seconds are those of compiled search

    def ended(self, session: Session[Any], reason: str) -> None:
        self._ended = reason
        self._remember(session)
        if self._leaving.is_set() and reason == "stop":
            self._change_over(session)

    def _remember(self, session: Session[Any]) -> None:
        spent, made = time.monotonic() - self._began, session.moment - self._first
        known = cache_times.times_of(self.wanted.what).plain
        if spent > PROBE / 3 and made > 1:
            rate = made / spent
            if known is None or not 0.7 < rate / known < 1.4:
                cache_times.remember(self.wanted.what, plain=round(rate, 1))

    # ------------------------------------------------------------ deciding

    def _watch(self) -> None:
        """The thread that looks at the search."""
        while not self._over.wait(LOOK):
            if self._ended:
                continue
            if not self._leaving.is_set():
                if self.compiler is not None:
                    if self.compiler.poll() is not None:
                        self._leave()
                elif needs_compiler(self._now()):
                    self._have_compiled()
            elif time.monotonic() > self._rest:
                self._begin_anew()

    def _now(self) -> Forecast:
        """What is known now."""
        # of the processor: a busy machine makes both ways long
        spent = max(0.0, time.process_time() - self._busy)
        session, limit = self.session, self._limit
        if session is None or limit is None:  # a game of somebody's may take long to begin
            return estimate(self.wanted, None, False)._replace(spent=spent)
        if not self._repeatable():
            return estimate(self.wanted, None, True)
        made = session.moment - self._first
        budget = getattr(limit, session.unit) if limit.depth is None else None
        left = None if budget is None else max(0, budget - made)
        known = estimate(self.wanted, left, budget is None and limit.seconds is not None)
        if spent > PROBE and made > 0:
            known = known._replace(rate=made / (time.monotonic() - self._began))
        return known._replace(spent=spent)

    def _repeatable(self) -> bool:
        """Does compiled code come to the same tree? Not where several threads search, or a Python
        function is asked, which may say something else the next time."""
        if self.session is None:
            return True
        return self.session.engine.traits.repeatable

    def _leave(self) -> None:
        self._rest = time.monotonic() + (0.0 if self.session is None else REST)
        self._leaving.set()

    # ------------------------------------------------------------ changing over

    def _have_compiled(self) -> None:
        """In another process while this one searches, where that is of use; else in its place."""
        if watched() and cache_times.can_keep() and self._repeatable():
            with contextlib.suppress(OSError):  # no more processes
                self._compile()
                return
        self._leave()

    def _compile(self) -> None:
        """Have another process compile what the same command line needs."""
        usual = cache_times.usual_compile(self.wanted.what)
        counted = "; the seconds are counted once it is compiled" if self.wanted.clock else ""
        say(
            f"compiling in another process, usually {usual:.0f} s (once; kept on disk); "
            f"plain Python searches meanwhile{counted}"
        )
        environment = {name: text for name, text in os.environ.items() if name != NO_JIT}
        with unheard():
            self.compiler = subprocess.Popen(
                module_command("ponder.cli.compile_only", *sys.argv[1:]),
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env=environment,
            )

    def _begin_anew(self) -> None:
        """Compiled, without what plain Python has done; nothing if that is over."""
        with self._lock:
            if not self._over.is_set():
                self._begin_again(Handed(None, 0, ""))

    def _change_over(self, session: Session[Any], fault: str = "") -> None:
        from ponder.core.result import best_name

        same = "" if fault or not self._repeatable() else digest(session)
        best = "" if fault or not session.moment else best_name(session.result())
        found = f"interrupted: {self._made(session)}{best and f', best {best}'}; {NOT_READY}"
        with self._lock:
            self._begin_again(Handed(session.seed, session.moment, same, fault, found))

    def _begin_again(self, handed: Handed) -> None:
        """The same command line in this process's place, compiled."""
        if self.compiler is not None:
            self.compiler.kill()
        del os.environ[NO_JIT]
        sys.stdout.flush()
        sys.stderr.write(LiveLine.wiped())
        sys.stderr.flush()
        begin_again(module_command("ponder.cli.continued", json.dumps(handed), *sys.argv[1:]))


class Continued(Tier):
    """The compiled process: it goes through the moment at which plain mode was left."""

    def __init__(self, handed: Handed) -> None:
        self.handed = handed

    def seed(self, given: int | None) -> int | None:
        return given if self.handed.seed is None else self.handed.seed

    @contextlib.contextmanager
    def searching(self) -> Iterator[None]:
        with attended(self):
            yield
        if self.handed.fault:
            say(f"warning: {difference(self.game, f'in plain Python {self.handed.fault}')}")

    game = ""

    def is_set(self) -> bool:
        return False

    def begins(self, session: Session[Any], limit: Limit) -> Limit:
        from ponder.core.registry import game_text

        self.game = game_text(session.position.game)
        handed = self.handed
        if handed.digest:
            session._go_to(handed.moment)
            if digest(session) != handed.digest:
                how = f"the first {handed.moment:,} steps are others"
                say(f"warning: {difference(self.game, how)}")
        last_words("interrupted")  # from here on there is a result to be shown
        return limit

    def ended(self, session: Session[Any], reason: str) -> None:
        pass


class CompileOnly(Tier):
    """The process that compiles for another one: the search begins, and that is all."""

    def __init__(self, wanted: SearchWanted) -> None:
        Role.what, self.events = wanted.what, wanted.events

    @contextlib.contextmanager
    def searching(self) -> Iterator[None]:
        with attended(self):
            yield
        raise Compiled  # whatever the command would do with a result

    def is_set(self) -> bool:
        return False

    def begins(self, session: Session[Any], limit: Limit) -> Limit:
        session._go_to(session.moment + 1)
        session.result()
        from ponder.core.session import Capability

        if self.events and Capability.EVENTS in session.capabilities:
            session.events()
        raise Compiled

    def ended(self, session: Session[Any], reason: str) -> None:
        pass
