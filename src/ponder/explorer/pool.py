"""Worker processes: one for each connection, one kept warm so that the next page need not wait."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from asyncio.subprocess import PIPE, Process
from pathlib import Path

from ponder.core.processes import NO_JIT, module_command
from ponder.errors import PonderError
from ponder.explorer.frames import JSON, LENGTH, PLAIN_FIRST

MOST_WORKERS = 64
"""Pages that may search at the same time."""
LONGEST_FRAME = 1 << 26


class Worker:
    """A process and its two pipes."""

    def __init__(self, process: Process) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self.process, self._input, self._output = process, process.stdin, process.stdout

    def send(self, data: bytes) -> None:
        """A message; nothing if the process has ended, which `receive` tells.

        It waits in memory until the process reads it: the connection bounds how much of it.
        """
        if not self._input.is_closing():
            self._input.write(LENGTH.pack(len(data) + 1) + JSON + data)

    async def receive(self) -> tuple[bytes, bytes] | None:
        """The next frame; None when the process has ended."""
        try:
            length = LENGTH.unpack(await self._output.readexactly(LENGTH.size))[0]
            if length > LONGEST_FRAME:
                return None
            data = await self._output.readexactly(length)
        except (asyncio.IncompleteReadError, ConnectionError):
            return None
        return data[:1], data[1:]

    def kill(self) -> None:
        # not process.kill(): it looks first whether the process has ended, and takes its status
        # away from the loop, which then knows none
        if self.process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.process.pid, signal.SIGKILL)

    async def end(self) -> int:
        """End the process, whatever it does; its status. Nobody may be receiving."""
        self.kill()
        if not self._input.is_closing():
            self._input.transport.abort()  # what is still to be written is for nobody
        # a pipe that is full is not looked at, and the loop waits for its end before it tells the
        # status
        with contextlib.suppress(ConnectionError):
            await self._output.read()
        return await self.process.wait()


class Pool:
    """Begins workers, in plain mode or compiling, and ends them all."""

    def __init__(self, files: list[Path]) -> None:
        self._files = files
        self._warm: dict[bool, Worker] = {}
        self._used: set[Worker] = set()
        self._promised = 0
        """Workers that pages are about to get."""
        self._locks = {True: asyncio.Lock(), False: asyncio.Lock()}
        self._tasks: set[asyncio.Task[None]] = set()
        self._closed = False

    async def take(self, plain: bool) -> Worker:
        """A worker for a page; another one is begun for the next."""
        if self._closed:
            raise PonderError("the explorer is ending")
        if len(self._used) + self._promised >= MOST_WORKERS:
            raise PonderError(
                f"{MOST_WORKERS} pages are searching already: close one of them, then reload"
            )
        self._promised += 1
        try:
            worker = await self._fresh(plain)
        except OSError as error:
            raise PonderError(f"cannot begin another process: {error.strerror}") from None
        finally:
            self._promised -= 1
        self._used.add(worker)
        self.warm(plain)
        return worker

    async def _fresh(self, plain: bool) -> Worker:
        """The worker that was kept warm, or another one."""
        async with self._locks[plain]:
            worker = self._warm.pop(plain, None)
            if worker is not None and worker.process.returncode is not None:
                await worker.end()
                worker = None
            return worker or await self._begin(plain)

    def warm(self, plain: bool) -> None:
        """Have a worker ready soon."""
        task = asyncio.get_running_loop().create_task(self._keep_warm(plain))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _keep_warm(self, plain: bool) -> None:
        async with self._locks[plain]:
            if plain not in self._warm and not self._closed:
                with contextlib.suppress(OSError):  # who needs one is told
                    self._warm[plain] = await self._begin(plain)

    async def _begin(self, plain: bool) -> Worker:
        environment, arguments = dict(os.environ), list(map(str, self._files))
        if plain and NO_JIT not in environment:  # else a person has chosen the mode
            environment[NO_JIT] = "1"
            arguments.insert(0, PLAIN_FIRST)
        process = await asyncio.create_subprocess_exec(
            *module_command("ponder.explorer.worker", *arguments),
            stdin=PIPE,
            stdout=PIPE,
            env=environment,
            start_new_session=True,  # Ctrl-C is the server's: it ends its workers itself
        )
        return Worker(process)

    async def give_back(self, worker: Worker) -> int:
        """End a worker that nobody needs any more; its status."""
        try:
            return await worker.end()
        finally:  # also where nobody waits for that any more: its place is free
            self._used.discard(worker)

    async def close(self) -> None:
        """End all of them."""
        self._closed = True
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for worker in self._used:  # whose page could not be waited for
            worker.kill()
        await asyncio.gather(*(worker.end() for worker in self._warm.values()))
