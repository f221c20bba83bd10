"""The process in which the searches of one page run: ``python -m ponder.explorer.worker``.

It reads messages from its standard input and writes answers and updates to its standard output
(`ponder.explorer.frames`). One thread does everything; another one only reads, and interrupts a
search that goes on. When the input ends (the page was closed, the server is gone) so does the
process, whatever it is doing.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import queue
import sys
import threading
import traceback
from pathlib import Path
from typing import Any, BinaryIO, Protocol

from ponder.core.gate import granting
from ponder.errors import PonderError, UnnamedFile
from ponder.explorer.answers import ANSWERS
from ponder.explorer.changeover import OWN, TO_PLAIN, Asking
from ponder.explorer.folders import confine_to_given
from ponder.explorer.frames import (
    ANSWER,
    HANDED,
    JSON,
    PLAIN_FIRST,
    UPDATE,
    WANTED,
    read_frame,
    write_frame,
)

LONGEST_NAP = 3600.0
MOST_MEMORY = 4096
"""Megabytes that the process of one page may take for trees, tables and kept copies."""


class Job(Protocol):
    """Something that goes on while the page looks: a `Live` session, or another page's own."""

    name: str
    running: bool
    seen: bool
    """Has the page painted the last update? The next one waits for it."""

    def due(self) -> float:
        """Seconds until there is something to do; infinite while it rests."""

    def advance(self, arrived: threading.Event) -> None:
        """Go on for less than 100 ms, or until `arrived` is set: a message has come."""

    def wants_to_tell(self) -> bool:
        """Is there an update to be sent now?"""

    def frame(self) -> bytes:
        """The update (`ponder.explorer.frames.update`)."""


class Desk:
    """The sessions of one page, and the Python files that may be used."""

    def __init__(self, output: BinaryIO, allowed: list[Path]) -> None:
        self.sessions: dict[str, Any] = {}
        """Each a `Job`, by its name."""
        self.arrived = threading.Event()
        self.allowed = allowed
        """Python files, and folders of such, that messages may name."""
        self.asking: Asking | None = None
        """Where a compiled worker can take the searches over."""
        self.resting = False
        """Have they been handed over? The next message takes them back."""
        self._output = output
        self._waiting: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()

    def listen(self, stream: BinaryIO) -> None:
        """Read messages until there are none any more; then the process ends."""
        while (frame := read_frame(stream)) is not None:
            message = json.loads(frame[1])
            self._waiting.put(message)
            if message.get("do") != "seen":  # nobody waits for the answer: no search stops for it
                self.arrived.set()
        os._exit(0)

    def work(self) -> None:
        """Answer messages and let sessions go on, forever."""
        while True:
            due = min((one.due() for one in self.sessions.values()), default=math.inf)
            message = self._next(math.inf if self.resting else due)
            if message is not None:
                self.resting = False
                self._answer(message)
            else:
                for one in list(self.sessions.values()):
                    self._advance(one)
            for one in list(self.sessions.values()):
                if not self.resting and one.wants_to_tell():
                    write_frame(self._output, UPDATE, one.frame())
            if self.asking is not None and (wanted := self.asking.look()):
                self.tell({"openings": wanted}, WANTED)

    def _next(self, patience: float) -> dict[str, Any] | None:
        self.arrived.clear()
        try:
            if patience <= 0.0:
                return self._waiting.get_nowait()
            return self._waiting.get(timeout=min(patience, LONGEST_NAP))
        except queue.Empty:
            return None

    def _advance(self, one: Job) -> None:
        try:
            one.advance(self.arrived)
        except Exception as error:
            one.running = False
            self.tell({"told": "failed", "session": one.name, "error": sentence(error)})

    def _answer(self, message: dict[str, Any]) -> None:
        word = message["do"]
        try:
            answer = (ANSWERS.get(word) or OWN[word])(self, message)
        except Exception as error:
            answer = {"error": sentence(error)}
        self.tell({"re": message["id"], **answer}, HANDED if word in TO_PLAIN else ANSWER)

    def tell(self, data: dict[str, Any], letter: bytes = JSON) -> None:
        write_frame(self._output, letter, json.dumps(data, allow_nan=False).encode())

    def python_files(self) -> list[Path]:
        """The Python files that the server was started with."""
        found = []
        for known in self.allowed:
            found += sorted(known.glob("*.py")) if known.is_dir() else [known]
        return found


def sentence(error: Exception) -> str:
    """What a person is told of an error; one that is not the user's goes to the terminal, too."""
    if isinstance(error, UnnamedFile):
        name = error.args[1].name
        return f"the explorer was not started with {name}: start it by ponder explore {name}"
    if isinstance(error, PonderError):
        return str(error)
    if isinstance(error, MemoryError):
        return (
            f"this needs more memory than the {MOST_MEMORY:,} megabytes that a page may take: "
            "give the engine a smaller memory, or go back and search less"
        )
    traceback.print_exc(file=sys.stderr)
    return f"an error in the explorer: {type(error).__name__}: {error} (see the terminal)"


def cap_memory(megabytes: int) -> None:
    """Let this process have no more memory than that; where the system cannot, nothing."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        _, highest = resource.getrlimit(resource.RLIMIT_DATA)
        wanted = megabytes << 20
        if highest != resource.RLIM_INFINITY:
            wanted = min(wanted, highest)
        resource.setrlimit(resource.RLIMIT_DATA, (wanted, highest))


def main() -> None:
    cap_memory(MOST_MEMORY)
    # what a game prints must not get between the frames
    output = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    names = sys.argv[1:]
    plain_first = names[:1] == [PLAIN_FIRST]
    desk = Desk(output, [Path(name).resolve() for name in names[plain_first:]])
    desk.asking = Asking(desk) if plain_first else None
    threading.Thread(target=desk.listen, args=(sys.stdin.buffer,), daemon=True).start()
    desk.tell({"told": "ready", "process": os.getpid()})
    confine_to_given(desk.allowed)
    with granting(desk.allowed):
        desk.work()


if __name__ == "__main__":
    main()
