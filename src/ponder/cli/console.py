"""What people see: lines on stderr, one live line while something runs, boards with colour."""

from __future__ import annotations

import _thread
import contextlib
import os
import queue
import re
import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, TextIO

from ponder.errors import PonderError

if TYPE_CHECKING:
    from ponder.core.driver import Progress

# The symbols that boards use for the pieces of players 0, 1, 2, 3, and for nothing.
PIECES = {"x": 0, "X": 0, "o": 1, "O": 1, "z": 2, "#": 3}
PIECES |= dict.fromkeys("KQRBNP", 0) | dict.fromkeys("kqrbnp", 1)
STYLES = ("bold blue", "bold yellow", "bold green", "bold magenta")
EMPTY = (".", "·")


def say(text: str) -> None:
    """A line for people; stdout stays free for the result."""
    # in one piece: print writes the end of the line apart, and Ctrl-C can come between
    sys.stderr.write(f"ponder: {text}\n")
    sys.stderr.flush()


def has_control_codes(stream: TextIO) -> bool:
    """Does this stream end at a terminal that understands more than plain text?"""
    return stream.isatty() and os.environ.get("TERM", "") not in ("", "dumb")


class LiveLine:
    """One line on stderr that is written over again and again; nothing where that is impossible."""

    def __init__(self) -> None:
        self.shown = has_control_codes(sys.stderr)
        self.last = 0.0

    def write(self, text: str) -> None:
        now = time.monotonic()
        if self.shown and now - self.last > 0.1:
            self.last = now
            width = shutil.get_terminal_size().columns - 1
            print(f"\r{text[:width]}\x1b[K", end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        if self.shown and self.last:
            self.last = 0.0
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


@contextlib.contextmanager
def compiling(game: str, purpose: str) -> Iterator[None]:
    """Say so when machine code is being made for longer than half a second."""
    from ponder.jit import compile_notice

    notice = f"compiling {game} for {purpose} (once; kept on disk)"
    with compile_notice(lambda: say(notice)), no_lost_interrupt():
        yield


@contextlib.contextmanager
def no_lost_interrupt() -> Iterator[None]:
    """Inside the block, a Ctrl-C that hits a callback of the compiler is repeated.

    Python can only ignore what is raised in a callback that C code made: the compiler would go
    on, or stumble over it later.
    """
    lost = left = False
    # Another thread repeats it: were it started when needed, the repetition could hit its starting.
    calls: queue.SimpleQueue[bool] = queue.SimpleQueue()

    def repeat() -> None:
        while calls.get():
            time.sleep(0.01)
            if not left:
                _thread.interrupt_main()

    def ignored(info: Any) -> None:
        nonlocal lost
        if isinstance(info.exc_value, KeyboardInterrupt):
            calls.put(True)
            lost = True
        else:
            before(info)

    repeater = threading.Thread(target=repeat, daemon=True)
    repeater.start()
    before, sys.unraisablehook = sys.unraisablehook, ignored
    try:
        yield
    except PonderError:
        if lost:
            raise KeyboardInterrupt from None
        raise
    finally:
        left = True
        sys.unraisablehook = before
        calls.put(False)


def search_line(live: LiveLine) -> Callable[[Progress], None]:
    """A progress callback for any search: effort, rate, what it is at, best move, value."""

    def show(progress: Progress) -> None:
        count = progress.nodes if progress.simulations is None else progress.simulations
        parts = [
            f"{progress.seconds:5.1f} s",
            f"{count or 0:,} {progress.unit}",
            f"{(count or 0) / max(progress.seconds, 1e-9):,.0f}/s",
        ]
        if progress.doing:
            parts.append(progress.doing)
        if progress.best:
            parts.append(f"best {progress.best}")
        if progress.value is not None:
            parts.append(f"value {progress.value:+.3f}")
        live.write("  ".join(parts))

    return show


def rich_console() -> Any:
    """Rich's console on stdout: colour on a terminal, plain text into a pipe or file."""
    from rich.console import Console

    wide = None if sys.stdout.isatty() else 200  # a file needs no line breaks
    console = Console(file=sys.stdout, highlight=False, markup=False, emoji=False, width=wide)
    console.on_broken_pipe = _raise_again  # type: ignore[method-assign]
    return console


def _raise_again() -> None:
    """Rich would leave the program with status 1."""
    raise  # noqa: PLE0704


def coloured_board(text: str) -> Any:
    """The board with every piece in its player's colour (a Rich text)."""
    from rich.text import Text

    board = Text(text)
    labels = text.rfind("\n")  # the last line names the columns
    for found in re.finditer(r"(?<!\S)\S(?!\S)", text[:labels]):  # pieces stand between blanks
        symbol = found[0]
        if symbol in PIECES:
            board.stylize(STYLES[PIECES[symbol]], *found.span())
        elif symbol in EMPTY:
            board.stylize("dim", *found.span())
    return board


def print_board(console: Any, position: Any) -> None:
    console.print(coloured_board(str(position)), soft_wrap=True)
