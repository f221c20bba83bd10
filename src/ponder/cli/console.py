"""What people see: lines on stderr, one live line while something runs, boards with colour."""

from __future__ import annotations

import os
import re
import shutil
import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TextIO

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
    sys.stderr.write(f"{LiveLine.wiped()}ponder: {text}\n")
    sys.stderr.flush()


def has_control_codes(stream: TextIO) -> bool:
    """Does this stream end at a terminal that understands more than plain text?"""
    return stream.isatty() and os.environ.get("TERM", "") not in ("", "dumb")


class LiveLine:
    """One line on stderr that is written over again and again; nothing where that is impossible.

    There is one such line, however many objects write to it.
    """

    text = ""
    """What it says; empty if there is none."""

    def __init__(self) -> None:
        self.shown = has_control_codes(sys.stderr)
        self.last = 0.0

    def write(self, text: str) -> None:
        now = time.monotonic()
        if self.shown and now - self.last > 0.1:
            self.last = now
            LiveLine.text = text
            self._show(text)

    def add(self, text: str) -> None:
        """Say this behind what another object has written there."""
        if self.shown:
            self.last = time.monotonic()
            self._show(f"{LiveLine.text}  {text}" if LiveLine.text else text)

    def _show(self, text: str) -> None:
        width = shutil.get_terminal_size().columns - 1
        print(f"\r{text[:width]}\x1b[K", end="", file=sys.stderr, flush=True)
        LiveLine.drawn = True

    drawn = False

    @staticmethod
    def wiped() -> str:
        """What takes the line away, if it stands there."""
        drawn, LiveLine.drawn = LiveLine.drawn, False
        return "\r\x1b[K" if drawn else ""

    def clear(self) -> None:
        LiveLine.text = ""
        self.wipe()

    def wipe(self) -> None:
        """Take the line away; what others have written there may come back."""
        if self.shown and self.last:
            self.last = 0.0
            print(self.wiped(), end="", file=sys.stderr, flush=True)


def search_line(live: LiveLine) -> Callable[[Progress], None] | None:
    """A progress callback for any search: effort, rate, what it is at, best move, value.

    None where nobody would see it.
    """
    if not live.shown:
        return None

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
