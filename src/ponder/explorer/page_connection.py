"""One open page: its socket, and the worker that searches for it.

A page's searches may change to another worker, which compiles, while they go on
(`ponder.explorer.changeover`): messages that come meanwhile are held for it.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import signal
import sys
import traceback
from collections import deque
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from ponder import cache_times
from ponder.errors import InputError, PonderError
from ponder.explorer.frames import ANSWER, HANDED, UPDATE, WANTED
from ponder.explorer.messages import MESSAGES, read_message, read_message_text
from ponder.explorer.pages import EITHER, PLAIN
from ponder.explorer.pool import Pool, Worker

MOST_WAITING = 1 << 24
"""Bytes of messages of one page that are not answered yet."""
COST = 1000
"""Bytes that a message takes besides its text."""
PLAIN_STEPS = 200
"""Steps of a history that plain Python runs again while a page waits for it: of chess in less than
the minute after which they would be refused (`ponder.core.effort`)."""
OWN_ID = 0
"""The number of the server's own messages, whose answers no page gets."""


class PageConnection:
    """Passes messages from the page to its worker, and back what the worker says."""

    def __init__(self, socket: WebSocket, pool: Pool, begins: str) -> None:
        self.socket, self.pool, self.begins = socket, pool, begins
        self._worker: Worker | None = None
        self._plain = False
        """Is the worker one in plain mode?"""
        self._pump: asyncio.Task[None] | None = None
        self._waiting: deque[int] = deque()
        """Sizes of the messages that the worker has not answered, oldest first."""
        self._change: asyncio.Task[None] | None = None
        self._held: list[bytes] | None = None
        """Messages for the worker that takes the searches over; None if that does not happen."""
        self._handed: asyncio.Future[Any] | None = None

    async def serve(self) -> None:
        """Answer the page until it goes; then its worker goes, too."""
        try:
            while True:
                await self._hear(await self.socket.receive_text())
        except (WebSocketDisconnect, KeyError, RuntimeError):
            pass  # the page has gone, or sent bytes
        finally:
            await self._leave()

    async def _leave(self) -> None:
        for task in (self._change, self._pump):
            if task is not None:
                task.cancel()
                await asyncio.wait([task])
        if self._worker is not None:
            await self.pool.give_back(self._worker)

    async def _hear(self, data: str) -> None:
        try:
            message = read_message(data)
            size = len(data) + COST
            if sum(self._waiting) + size > MOST_WAITING:
                raise InputError("too many messages wait for an answer: wait for some of them")
            worker = self._worker or await self._begin(message)
            if self._plain and is_long(message):
                worker = await self._compiled_worker(worker)
        except PonderError as error:
            await self._refuse(data, str(error))
        except Exception as error:  # our fault: the page keeps its searches
            traceback.print_exc(file=sys.stderr)
            fault = f"{type(error).__name__}: {error}"
            await self._refuse(data, f"an error in the explorer: {fault} (see the terminal)")
        else:
            self._waiting.append(size)
            text = json.dumps(message).encode()
            if self._held is None:
                worker.send(text)
            else:
                self._held.append(text)

    async def _refuse(self, data: str, sentence: str) -> None:
        await self.socket.send_text(json.dumps({"re": id_of(data), "error": sentence}))

    async def _begin(self, message: dict[str, Any]) -> Worker:
        """A worker for this page, which has none, or none any more."""
        if not MESSAGES[message["do"]].spawns:
            raise PonderError("there is no search yet: open one first")
        for task in (self._change, self._pump):
            if task is not None:  # it is still telling that the last worker has ended
                await asyncio.wait([task])
        self._plain = self.begins == PLAIN or (self.begins == EITHER and not is_ready(message))
        self._work_with(await self.pool.take(self._plain))
        assert self._worker is not None
        return self._worker

    def _work_with(self, worker: Worker) -> None:
        self._worker = worker
        self._waiting.clear()
        self._pump = asyncio.create_task(self._pass_on(worker))

    async def _pass_on(self, worker: Worker) -> None:
        """Tell the page what the worker says, until it ends."""
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            while (frame := await worker.receive()) is not None:
                letter, data = frame
                if letter == WANTED:
                    self._begin_change(worker, json.loads(data)["openings"])
                elif letter == HANDED:
                    self._hand(json.loads(data).get("state"))
                elif letter == UPDATE:
                    await self.socket.send_bytes(data)
                else:
                    if letter == ANSWER and self._waiting:
                        self._waiting.popleft()
                    await self.socket.send_text(data.decode())
            self._hand(None)
            status = await self.pool.give_back(worker)
            self._worker = None
            await self.socket.send_text(json.dumps({"told": "lost", "error": ending(status)}))

    # ------------------------------------------------------------ changing to a compiled worker

    def _begin_change(self, worker: Worker, openings: list[Any]) -> None:
        if self._change is None or self._change.done():
            self._change = asyncio.create_task(self._change_to_compiled(worker, openings))

    async def _compiled_worker(self, worker: Worker) -> Worker:
        """The worker that goes on with the page's searches, compiled; the same one if that is
        impossible."""
        self._begin_change(worker, [])
        assert self._change is not None
        await asyncio.wait([self._change])
        return self._worker or worker

    async def _change_to_compiled(self, worker: Worker, openings: list[Any]) -> None:
        """Have another worker compile, and when it has, go on there."""
        try:
            other = await self.pool.take(plain=False)
        except PonderError:  # too many workers: plain Python goes on
            worker.send(own_message("alone"))
            return
        try:
            if await told(other, "prepare", openings=openings) is not None:
                await self._move(worker, other)
        finally:
            if self._worker is not other:
                worker.send(own_message("alone"))
                await self.pool.give_back(other)

    async def _move(self, worker: Worker, other: Worker) -> None:
        """Move the searches from one worker to the other, where that is possible."""
        self._held, self._handed = [], asyncio.get_running_loop().create_future()
        try:
            worker.send(own_message("hand_over"))
            state = await self._handed
            if state is None or await told(other, "take_over", state=state) is None:
                return
            assert self._pump is not None
            self._pump.cancel()  # it waits for a worker that says nothing any more
            await asyncio.wait([self._pump])
            waiting = list(self._waiting)
            self._work_with(other)
            self._waiting.extend(waiting)
            self._plain = False
        finally:
            held, self._held, self._handed = self._held, None, None
            for text in held:
                (self._worker or worker).send(text)
        await self.pool.give_back(worker)

    def _hand(self, state: Any) -> None:
        if self._handed is not None and not self._handed.done():
            self._handed.set_result(state)


def own_message(word: str, **fields: Any) -> bytes:
    """A message that only the server may send (`ponder.explorer.changeover`)."""
    return json.dumps({"id": OWN_ID, "do": word, **fields}).encode()


async def told(worker: Worker, word: str, **fields: Any) -> Any:
    """The answer of a worker that nobody else listens to; None if it fails."""
    worker.send(own_message(word, **fields))
    while (frame := await worker.receive()) is not None:
        if frame[0] == ANSWER:
            answer = json.loads(frame[1])
            return None if "error" in answer else answer
    return None


def is_ready(message: dict[str, Any]) -> bool:
    """Is what the message's search needs compiled already, or too long for plain Python?"""
    history = message.get("history")
    if history is None:
        return False
    what = cache_times.kind_of_work("explore", history["game"], history["engine"])
    return is_long(message) or cache_times.is_compiled(what)


def is_long(message: dict[str, Any]) -> bool:
    """Does the message open a history that plain Python would run again for long?"""
    return bool(message.get("history", {}).get("at", 0) > PLAIN_STEPS)


def id_of(data: str) -> int | None:
    """The number of a message that was refused, where it has one."""
    try:
        number = read_message_text(data)["id"]
    except (ValueError, KeyError, TypeError):
        return None
    return number if type(number) is int and 0 <= number <= 2**53 else None


def ending(status: int) -> str:
    """Why a worker has ended."""
    if status < 0:
        with contextlib.suppress(ValueError):
            return f"The search was ended from outside ({signal.Signals(-status).name})."
    return "The search has ended unexpectedly; the terminal may say why."
