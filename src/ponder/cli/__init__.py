"""The command line: `ponder COMMAND ...`. One module a command; `program` runs them.

Nothing is imported here, so that Ctrl-C is one line from the very beginning.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

INTERRUPTED = 130


def main() -> None:
    """The entry point of the program."""
    try:
        from ponder.cli.program import main as begin

        begin()
    except KeyboardInterrupt:  # before there is somebody else to hear of it
        sys.stderr.write("ponder: interrupted\n")
        sys.exit(INTERRUPTED)


def run(arguments: Sequence[str]) -> int:
    """Run one command line; returns the exit status. Never raises for a user's mistake."""
    from ponder.cli.program import run as begin

    return begin(arguments)
