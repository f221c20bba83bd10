"""A worker of the explorer, spoken to without a server, in plain mode: nothing is compiled."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ponder.explorer.frames import read_frame, write_frame


class Talk:
    """Questions to one worker, and their answers."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._input, self._output, self._next = process.stdin, process.stdout, 0

    def ask(self, word: str, **fields: Any) -> dict[str, Any]:
        """The answer; updates that come in between are passed over."""
        self._next += 1
        message = {"id": self._next, "do": word, **fields}
        write_frame(self._input, b"J", json.dumps(message).encode())
        while (frame := read_frame(self._output)) is not None:
            answer: dict[str, Any] = json.loads(frame[1]) if frame[0] == b"J" else {}
            if answer.get("re") == self._next:
                return answer
        raise AssertionError("the worker has ended")


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
