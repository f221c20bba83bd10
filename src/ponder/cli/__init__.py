"""The command line: `ponder COMMAND ...`. One module a command; `program` runs them.

Nothing is imported here, so that Ctrl-C is one line from the very beginning.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # what `signal` is made of: that one imports a lot
import os
import sys
from collections.abc import Sequence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

INTERRUPTED = 130
_last_words = "interrupted"


def last_words(said: str = "") -> str:
    """What Ctrl-C has the program say where nothing else is known; `said`: from now on."""
    global _last_words
    _last_words = said or _last_words
    return _last_words


def main() -> None:
    """The entry point of the program."""
    _signal.signal(_signal.SIGINT, _leave)
    if hasattr(_signal, "pthread_sigmask"):  # it is blocked while one command becomes another
        _signal.pthread_sigmask(_signal.SIG_UNBLOCK, [_signal.SIGINT])
    from ponder.cli.program import main as begin

    begin()


def _leave(number: int, frame: Any) -> None:
    """Ctrl-C before there is somebody else to hear of it: what is imported may turn an error
    into another one, and there is nothing to lose."""
    sys.stderr.write(f"ponder: {_last_words}\n")
    sys.stderr.flush()
    os._exit(INTERRUPTED)


def run(arguments: Sequence[str]) -> int:
    """Run one command line; returns the exit status. Never raises for a user's mistake."""
    from ponder.cli.program import run as begin

    return begin(arguments)
