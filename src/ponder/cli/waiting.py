"""Nobody waits in silence: what is compiled, how far it is, and how long it usually takes."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from typing import Any

from ponder import cache_times
from ponder.cli.console import LiveLine, say

PATIENCE = cache_times.PATIENCE
"""Seconds of compiling that nobody needs to be told of."""
OFTEN = 0.2
"""Seconds between two looks at the compiler."""


@contextlib.contextmanager
def compiling(
    game: str,
    purpose: str,
    interrupted: str = "",
    last: Callable[[], None] = lambda: None,
    engine: str = "",
    what: str = "",
) -> Iterator[None]:
    """Tell of what is compiled inside the block, if it takes longer than half a second.

    One line, and at a terminal a live one below it; and remember how long it took, as `what` or by
    the other texts. Where Ctrl-C has to end the process, `last` is called and `interrupted` said.
    """
    from ponder.cli import last_words as interrupted_words
    from ponder.core.interrupt import last_words
    from ponder.jit import CompileWatch, watching_compiler

    def end() -> None:
        last()
        say(interrupted or interrupted_words())

    what = what or cache_times.kind_of_work(purpose, game, engine)
    teller = CompileTeller(f"compiling {game} for {purpose}", what)
    watch = teller.watch = CompileWatch(teller.begin)
    try:
        with watching_compiler(watch), last_words(end):
            yield
    finally:
        teller.end()
    cache_times.note(what, watch, PATIENCE)


class CompileTeller:
    """Looks at the compiler now and then, in a thread of its own, once it has begun."""

    watch: Any

    def __init__(self, subject: str, what: str) -> None:
        self.subject, self.what = subject, what
        self._live, self._over = LiveLine(), threading.Event()
        self._thread: threading.Thread | None = None

    def begin(self) -> None:
        """Something is being compiled."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._tell, daemon=True)
            self._thread.start()

    def end(self) -> None:
        self._over.set()
        if self._thread is not None:
            self._thread.join()

    def _tell(self) -> None:
        told, usual, most = False, "", ""
        while not self._over.wait(OFTEN):
            seconds = self.watch.seconds
            if not self.watch.busy or seconds < PATIENCE:
                self._live.wipe()
                continue
            if not told:
                told = True
                known = cache_times.times_of(self.what)
                if known.compile is not None:
                    usual, most = f", usually {known.compile:.0f} s", f" of {known.functions}"
                say(f"{self.subject}{usual} (once; kept on disk)")
            functions = self.watch.functions
            done = f"{functions}{most} function{'' if functions == 1 and not most else 's'}"
            self._live.add(f"compiling: {seconds:.0f} s{usual}, {done}, {self.watch.name}")
        if told:
            self._live.wipe()
