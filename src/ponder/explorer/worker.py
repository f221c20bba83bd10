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

from ponder.core.parts import is_file_name, parse_call
from ponder.core.registry import load_file
from ponder.errors import InputError, PonderError, UnnamedFile
from ponder.explorer.answers import ANSWERS
from ponder.explorer.frames import read_frame, write_frame

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
        self._output, self._allowed = output, allowed
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
            message = self._next(
                min((one.due() for one in self.sessions.values()), default=math.inf)
            )
            if message is not None:
                self._answer(message)
            else:
                for one in list(self.sessions.values()):
                    self._advance(one)
            for one in list(self.sessions.values()):
                if one.wants_to_tell():
                    write_frame(self._output, b"U", one.frame())

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
        try:
            answer = ANSWERS[message["do"]](self, message)
        except Exception as error:
            answer = {"error": sentence(error)}
        self.tell({"re": message["id"], **answer})

    def tell(self, data: dict[str, Any]) -> None:
        write_frame(self._output, b"J", json.dumps(data, allow_nan=False).encode())

    def python_files(self) -> list[Path]:
        """The Python files that the server was started with."""
        found = []
        for known in self._allowed:
            found += sorted(known.glob("*.py")) if known.is_dir() else [known]
        return found

    def with_files(self, history: dict[str, Any]) -> dict[str, Any]:
        """The history, after the Python files it names were loaded, where that is allowed.

        Others are refused when the texts are read, because reading data runs no code.
        """
        texts = [history["game"], history["engine"]]
        texts += [text for one in history.get("changes", []) for text in map(str, one.values())]
        for text in texts:
            for file in files_in(text):
                if any(file == known or known in file.parents for known in self._allowed):
                    load_file(file)
        return history


def files_in(text: str) -> list[Path]:
    """The Python files that a GAME or SPEC text names."""
    found, waiting = [], []
    try:
        waiting.append(parse_call(text))
    except InputError:
        return []
    while waiting:
        call = waiting.pop()
        if is_file_name(call.name):
            found.append(Path(call.name.rsplit(":", 1)[0]).resolve())
        waiting += [one for one in (*call.args, *call.kwargs.values()) if type(one) is type(call)]
    return [file for file in found if file.is_file()]


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
    desk = Desk(output, [Path(name).resolve() for name in sys.argv[1:]])
    threading.Thread(target=desk.listen, args=(sys.stdin.buffer,), daemon=True).start()
    desk.tell({"told": "ready", "process": os.getpid()})
    desk.work()


if __name__ == "__main__":
    main()
