"""Worker processes: one for each connection, one kept warm so that the next page need not wait."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from pathlib import Path

from ponder.errors import PonderError
from ponder.explorer.frames import LENGTH

MOST_WORKERS = 64
"""Pages that may search at the same time."""
LONGEST_FRAME = 1 << 26


class Worker:
    """A process and its two pipes."""

    def __init__(self, process: Process) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self.process, self._input, self._output = process, process.stdin, process.stdout

    async def send(self, data: bytes) -> None:
        """A message; nothing if the process has ended, which `receive` tells."""
        with contextlib.suppress(ConnectionError):
            self._input.write(LENGTH.pack(len(data) + 1) + b"J" + data)
            await self._input.drain()

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

    async def end(self) -> int:
        """End the process, whatever it does; its status."""
        # not process.kill(): it looks first whether the process has ended, and takes its status
        # away from the loop, which then knows none
        if self.process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.process.pid, signal.SIGKILL)
        return await self.process.wait()


class Pool:
    """Begins workers, in plain mode or compiling, and ends them all."""

    def __init__(self, files: list[Path]) -> None:
        self._files = files
        self._warm: dict[bool, Worker] = {}
        self._all: set[Worker] = set()
        self._locks = {True: asyncio.Lock(), False: asyncio.Lock()}
        self._tasks: set[asyncio.Task[None]] = set()

    async def take(self, plain: bool) -> Worker:
        """A worker for a page; another one is begun for the next."""
        if len(self._all) - len(self._warm) >= MOST_WORKERS:
            raise PonderError(
                f"{MOST_WORKERS} pages are searching already: close one of them, then reload"
            )
        async with self._locks[plain]:
            worker = self._warm.pop(plain, None)
            if worker is not None and worker.process.returncode is not None:
                self._all.discard(worker)
                worker = None
            if worker is None:
                worker = await self._begin(plain)
        self.warm(plain)
        return worker

    def warm(self, plain: bool) -> None:
        """Have a worker ready soon."""
        task = asyncio.get_running_loop().create_task(self._keep_warm(plain))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _keep_warm(self, plain: bool) -> None:
        async with self._locks[plain]:
            if plain not in self._warm:
                self._warm[plain] = await self._begin(plain)

    async def _begin(self, plain: bool) -> Worker:
        environment = dict(os.environ)  # a server in plain mode has workers in plain mode
        if plain:
            environment["NUMBA_DISABLE_JIT"] = "1"
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "ponder.explorer.worker", *map(str, self._files)),
            stdin=PIPE,
            stdout=PIPE,
            env=environment,
            start_new_session=True,  # Ctrl-C is the server's: it ends its workers itself
        )
        worker = Worker(process)
        self._all.add(worker)
        return worker

    async def give_back(self, worker: Worker) -> int:
        """End a worker that nobody needs any more; its status."""
        self._all.discard(worker)
        return await worker.end()

    async def close(self) -> None:
        """End all of them."""
        for task in list(self._tasks):
            task.cancel()
        for worker in list(self._all):
            await self.give_back(worker)
