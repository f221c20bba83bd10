"""A page without a browser: the socket that it would open."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from browser import Explorer
from websockets.sync.client import ClientConnection, connect

SMALL = {"game": "gem(scenario=noise)", "engine": "mcts()", "seed": 1}


class Tab:
    """Questions and answers through a socket."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket, self._next = socket, 0

    def send(self, text: str) -> None:
        self.socket.send(text)

    def next(self, timeout: float = 30.0) -> dict[str, Any]:
        """The next JSON message; updates are passed over."""
        while True:
            data = self.socket.recv(timeout)
            if isinstance(data, str):
                message: dict[str, Any] = json.loads(data)
                return message

    def ask(self, word: str, **fields: Any) -> dict[str, Any]:
        self._next += 1
        self.send(json.dumps({"id": self._next, "do": word, **fields}))
        while (answer := self.next()).get("re") != self._next:
            pass
        return answer


@contextmanager
def tab(running: Explorer, page: str = "tryit", **headers: str) -> Iterator[Tab]:
    """An open socket, with the cookie and the origin of the explorer's own pages."""
    address = f"ws://127.0.0.1:{running.port}/socket?page={page}"
    given = {
        "Cookie": f"ponder_{running.port}={running.token}",
        "Origin": running.origin,
        **headers,
    }
    with connect(address, additional_headers=given, proxy=None) as socket:
        yield Tab(socket)
