"""Compiling ahead: the shipped games with the engines that are taken when none is named.

`ponder cache --fill` does it, and so does the explorer in the background when it is first started.
What is there already is left out; two that do it at the same time share the work.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from ponder.errors import InputError, PonderError

SWITCH = "PONDER_AHEAD"
"""Environment variable: 0 and the explorer compiles nothing ahead."""


class AheadWork(NamedTuple):
    """One kind of search to be compiled."""

    game: str
    engine: str
    purpose: str
    """As `ponder.cache_times.kind_of_work` takes it."""
    search: Callable[[str, str], str]
    """Makes a short one; what ended it."""


def works(games: Sequence[str]) -> list[AheadWork]:
    """What searches of these games need: on the command line, and in the explorer."""
    from ponder.cli.options import DEFAULT_ENGINE

    kinds = (("search", search_once), ("explore", search_in_explorer))
    return [AheadWork(game, DEFAULT_ENGINE, *kind) for game in games for kind in kinds]


def shipped() -> list[str]:
    """The games that come with Ponder."""
    from ponder.core.registry import GAMES

    return sorted(GAMES)


def search_once(game: str, engine: str) -> str:
    """As `ponder search` does."""
    from ponder.arena.warming import first_decision
    from ponder.cli import options
    from ponder.core.limits import Limit

    here = first_decision(options.position_of(game, "", ""))
    searcher = options.engine_of(engine)
    return str(searcher.search(here, Limit(simulations=1), seed=1).stopped_by)


def search_in_explorer(game: str, engine: str) -> str:
    """As a page of the explorer does, where parts can be switched."""
    from ponder.core.limits import Limit
    from ponder.core.start import position
    from ponder.explorer.live import begun, history_of

    position(game)  # a file of the user's own, if it is one
    session = begun(history_of({"game": game, "engine": engine, "seed": 1}))
    return session.run(Limit(simulations=1))


def fill(games: Sequence[str], say: Callable[[str], None]) -> dict[str, int]:
    """Compile what is not there yet, at low priority: how many kinds of searches.

    InputError for a game that there is not; a game that cannot be searched is told and left out.
    """
    from ponder import cache_times
    from ponder.cache_times import kind_of_work
    from ponder.core.start import game as game_named
    from ponder.jit import COMPILED, CompileWatch, watching_compiler

    if not COMPILED:
        raise InputError("nothing is compiled while NUMBA_DISABLE_JIT is set: unset it")
    for game in games:
        game_named(game)
    with contextlib.suppress(AttributeError, OSError):
        os.nice(19)
    made, every = {"compiled": 0, "there": 0, "left_out": 0}, works(games)
    for number, work in enumerate(every, 1):
        what = kind_of_work(work.purpose, work.game, work.engine)
        if cache_times.is_compiled(what):
            made["there"] += 1
            continue
        say(f"{number} of {len(every)}: {what}")
        watch = CompileWatch()
        try:
            with watching_compiler(watch):
                ended = work.search(work.game, work.engine)
            if ended == "interrupt":
                raise KeyboardInterrupt
        except PonderError as error:
            say(f"left out: {error}")
            made["left_out"] += 1
            continue
        cache_times.note(what, watch)
        made["compiled"] += 1
    return made


@contextlib.contextmanager
def in_background() -> Iterator[None]:
    """While the block runs, another process compiles the shipped games; it ends with this one."""
    if os.environ.get(SWITCH) == "0":
        yield
        return
    from ponder.core.processes import module_command

    with subprocess.Popen(
        module_command("ponder.cli.ahead"),
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:
        try:
            yield
        finally:
            process.kill()


def main() -> None:
    """The process in the background: it ends when its standard input does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who began it ends it
    from ponder.core.processes import end_with_input

    end_with_input()
    with contextlib.suppress(PonderError):  # in plain mode, or without a folder
        fill(shipped(), lambda text: None)


if __name__ == "__main__":
    main()
