"""The way of one search through the files of the package: how often does it go from one to another?

    python benchmarks/speed/walk.py [--files] [--first] [COMMAND ...]

COMMAND is a command line of ponder without its first word, by default that of docs/design.md:

    search tictactoe --engine "mcts()" --simulations 100 --seed 1

It is run twice in this process; the second time, when modules are imported and kernels compiled,
every call of a Python function of the package is noted, but for those of `ponder/jit`. Prints the
calls whose caller stands in another file, and how often the file of a call is another one than that
of the call before. `--files` adds the calls by pairs of files, `--first` the files in the order in
which they are first come to.
"""

from __future__ import annotations

import contextlib
import io
import sys
from collections import Counter
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import ponder
from ponder.cli.program import run as command_line

HOME = Path(ponder.__file__).parent
USUAL = ["search", "tictactoe", "--engine", "mcts()", "--simulations", "100", "--seed", "1"]


class Walk:
    """Notes calls while it is set as the profiler."""

    def __init__(self) -> None:
        self.files: dict[CodeType, str | None] = {}
        self.between: Counter[tuple[str, str]] = Counter()
        self.order: list[str] = []
        self.calls = self.changes = 0

    def file_of(self, code: CodeType) -> str | None:
        """The file of the package that has this code; None of another one, and of `jit`."""
        if code not in self.files:
            path = Path(code.co_filename)
            name = str(path.relative_to(HOME)) if path.is_relative_to(HOME) else None
            left_out = name is None or name.startswith("jit")
            self.files[code] = None if left_out else name
        return self.files[code]

    def __call__(self, frame: FrameType, event: str, argument: Any) -> None:
        if event != "call" or (file := self.file_of(frame.f_code)) is None:
            return
        above = frame.f_back
        while above is not None and self.file_of(above.f_code) is None:
            above = above.f_back
        caller = None if above is None else self.file_of(above.f_code)
        self.calls += 1
        if caller is not None and caller != file:
            self.between[caller, file] += 1
        if not self.order or self.order[-1] != file:
            self.changes += bool(self.order)
            self.order.append(file)


def run(arguments: list[str]) -> None:
    """The command line, its output thrown away."""
    with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
        command_line(arguments)


def main() -> None:
    options = [word for word in sys.argv[1:] if word in ("--files", "--first")]
    arguments = [word for word in sys.argv[1:] if word not in options] or USUAL
    run(arguments)
    walk = Walk()
    sys.setprofile(walk)
    try:
        run(arguments)
    finally:
        sys.setprofile(None)
    print(f"{sum(walk.between.values())} calls between files, of {walk.calls} calls")
    print(f"{walk.changes} changes of file")
    if "--files" in options:
        for (caller, file), n in walk.between.most_common():
            print(f"{n:5}  {caller} -> {file}")
    if "--first" in options:
        print("\n".join(dict.fromkeys(walk.order)))


if __name__ == "__main__":
    main()
