"""`LabRun`: an experiment in a process of its own that a page watches and stops.

The process (`ponder.explorer.experiment`) ends when it is told to, and when the worker that began
it ends, because its input does.
"""

from __future__ import annotations

import json
import math
import subprocess
import time
from pathlib import Path
from threading import Event, Thread
from typing import Any, BinaryIO, cast

from ponder.core.processes import module_command
from ponder.errors import PonderError
from ponder.explorer.frames import read_frame, update

LOOK = 0.05
"""Seconds between two looks at what the process has said."""
EVERY = 0.25
"""Seconds between two updates."""


class LabRun:
    """A `Job` of the worker."""

    def __init__(
        self, name: str, task: dict[str, Any], expected: int | None, files: list[Path]
    ) -> None:
        self.name, self.running, self.seen = name, True, True
        self.task, self.expected = task, expected
        self._news: dict[str, Any] = {"step": "", "done": 0}
        self._began, self._sent, self._told = time.perf_counter(), 0.0, (-1, True)
        self._count, self._ended = 0, False
        self._process = subprocess.Popen(
            module_command("ponder.explorer.experiment", *map(str, files)),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(task).encode() + b"\n")
        self._process.stdin.flush()  # and it stays open, as long as this worker lives
        Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        output = cast(BinaryIO, self._process.stdout)
        while (frame := read_frame(output)) is not None:
            self._news = {**self._news, **json.loads(frame[1])}
            self._count += 1
        self._process.wait()
        self._ended = True

    def end(self) -> None:
        """Stop it, whatever it is doing; what is finished is kept. Nothing of it runs any more when
        the page is told."""
        self._process.kill()
        self._process.wait()
        self.running = False

    # ------------------------------------------------------------ as a job

    def due(self) -> float:
        return LOOK if self.running else math.inf

    def advance(self, arrived: Event) -> None:
        """Look whether the process has ended."""
        if self.running and self._ended:
            self.running = False
            if "finished" not in self._news:
                raise PonderError(
                    self._news.get("error")
                    or "The experiment was ended from outside; what was finished is kept."
                )

    def wants_to_tell(self) -> bool:
        if not self.seen or self._told == (self._count, self.running):
            return False
        return time.perf_counter() - self._sent >= EVERY or not self.running

    def frame(self) -> bytes:
        self.seen, self._sent = False, time.perf_counter()
        self._told = self._count, self.running
        return update({"told": "update", "session": self.name, **self.state()}, None)

    def state(self) -> dict[str, Any]:
        """All that a page shows of the run."""
        news = self._news
        if "report" in news and not self.running and "finished" not in news:
            news = {**news, "report": {**news["report"], "interrupted": True}}
        return {
            "running": self.running,
            "finished": False,
            "expected": self.expected,
            "seconds": time.perf_counter() - self._began,
            **news,
        }
