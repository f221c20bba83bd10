"""``python -m ponder.cli.compile_only ...``: compile what this command line needs, and no more.

Begun by `ponder.cli.tier` beside a search in plain mode; it ends with it.
"""

from __future__ import annotations

import signal
import sys


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who began it ends it
    from ponder import cache_times
    from ponder.core.processes import end_with_input

    end_with_input()
    from ponder.cli.program import run
    from ponder.cli.tier import Compiled, Role
    from ponder.jit import CompileWatch, watching_compiler

    Role.program = Role.compiles_only = True
    watch = CompileWatch()
    try:
        with watching_compiler(watch):
            run(sys.argv[1:])
    except Compiled:
        cache_times.note(Role.what, watch)


if __name__ == "__main__":
    main()
