"""A worker of the explorer, spoken to without a server, in plain mode: nothing is compiled."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ponder.explorer.frames import LENGTH, read_frame, write_frame

PATIENCE = 300.0
"""Seconds for one answer; then the worker is ended, so that a test never stands still."""


class Talk:
    """Questions to one worker, and their answers."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._input, self._output, self._next = process.stdin, process.stdout, 0
        self._process = process
        self.state: dict[str, Any] = {}
        """The header of the last update."""

    def ask(self, word: str, **fields: Any) -> dict[str, Any]:
        """The answer; of updates that come in between the header is kept."""
        too_late = threading.Timer(PATIENCE, self._process.kill)
        too_late.start()
        try:
            return self._asked(word, fields)
        finally:
            too_late.cancel()

    def _asked(self, word: str, fields: dict[str, Any]) -> dict[str, Any]:
        self._next += 1
        message = {"id": self._next, "do": word, **fields}
        write_frame(self._input, b"J", json.dumps(message).encode())
        while (frame := read_frame(self._output)) is not None:
            if frame[0] == b"U":
                (length,) = LENGTH.unpack(frame[1][: LENGTH.size])
                self.state = json.loads(frame[1][LENGTH.size : LENGTH.size + length])
                continue
            answer: dict[str, Any] = json.loads(frame[1])
            if answer.get("re") == self._next:
                return answer
        raise AssertionError("the worker has ended")

    def until(self, condition: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Wait for an update of which it is true."""
        for _ in range(2000):
            self.ask("seen")
            if self.state and condition(self.state):
                return self.state
            time.sleep(0.01)
        raise AssertionError(f"it did not come to that: {self.state}")


@contextmanager
def worker(*files: str) -> Iterator[Talk]:
    process = subprocess.Popen(
        [sys.executable, "-m", "ponder.explorer.worker", *files],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
    )
    try:
        yield Talk(process)
    finally:
        process.kill()
        process.communicate()
