"""Games of a match in several processes. Each game depends on the setup and its task alone, so
the results are the same however many there are.

The processes are started afresh (spawn): they share nothing but the compiled code on disk.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import threading
import traceback
from collections.abc import Callable, Iterator, Sequence
from multiprocessing.connection import Connection, wait
from typing import Any

from ponder.arena.game import Played, Setup, Task, play_game
from ponder.arena.warming import warm_up
from ponder.core.gate import files_run, run_trusted
from ponder.core.interrupt import unheard
from ponder.core.position import Position
from ponder.core.processes import safe_path
from ponder.errors import InputError, PonderError

UNGUARDED = 78
"""The status of a process that was to play, and ran the script that began it instead."""
LOOK = 0.1
"""Seconds between two looks at whether to stop."""


def play_here(
    start: Position, setup: Setup, tasks: Sequence[Task], stopped: Callable[[], bool]
) -> Iterator[Played]:
    """Play the games one after the other in this process; ends early when interrupted."""
    for task in tasks:
        played = play_game(start, setup, task, stopped)
        if played is None:
            return
        yield played


def play_in_processes(
    setup: Setup, tasks: Sequence[Task], jobs: int, stopped: Callable[[], bool]
) -> Iterator[Played]:
    """Play the games in `jobs` processes; they come as they end. Ends early when interrupted."""
    try:
        payload = pickle.dumps(setup)
    except Exception as error:
        raise InputError(
            f"the game or a player cannot be sent to another process ({error}): use one job"
        ) from None
    context = multiprocessing.get_context("spawn")
    pool: dict[Connection, Any] = {}
    started = []
    waiting = iter(tasks)
    try:
        for task in _first(waiting, jobs):
            ours, theirs = context.Pipe()
            given = theirs, files_run(), payload
            process = context.Process(target=serve, args=given, daemon=True)
            with safe_path(), unheard():  # the asking process decides when to stop
                process.start()
            started.append(process)
            theirs.close()
            pool[ours] = process
            ours.send(task)
        while pool and not stopped():
            for connection in wait(list(pool), LOOK):
                assert isinstance(connection, Connection)
                played = _receive(connection, pool[connection])
                if played is None:
                    return
                following = next(waiting, None)
                if following is None:
                    del pool[connection]
                    connection.close()  # the process ends when nobody can ask any more
                else:
                    connection.send(following)
                yield played
    finally:
        for process in pool.values():
            process.terminate()
        for process in started:
            process.join()


def refuse_unguarded() -> None:
    """End this process if it is one that begins, by importing the script that asked for it."""
    if getattr(multiprocessing.current_process(), "_inheriting", False):
        os._exit(UNGUARDED)


def _first(tasks: Iterator[Task], count: int) -> Iterator[Task]:
    for _ in range(count):
        task = next(tasks, None)
        if task is None:
            return
        yield task


def _receive(connection: Connection, process: Any) -> Played | None:
    """What a process has to say: a game, None if it was interrupted; raises its error."""
    try:
        answer = connection.recv()
    except (EOFError, OSError):
        process.join(5)
        if process.exitcode == UNGUARDED:
            raise InputError(
                "a match with jobs=2 or more begins processes that import the script: put what it "
                'runs under if __name__ == "__main__":'
            ) from None
        raise PonderError(
            f"a process of the match died (exit status {process.exitcode}) while it played"
        ) from None
    if isinstance(answer, PonderError):
        raise answer
    if isinstance(answer, str):
        raise RuntimeError(f"a process of the match failed:\n{answer}")
    return answer  # type: ignore[no-any-return]


def _end_with_parent() -> None:
    """Whatever is played or compiled here, it ends when nobody is there to ask for it."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def serve(connection: Connection, files: list[str], payload: bytes) -> None:
    """A process: play the games that are asked for until nobody asks any more. Pickled games and
    players may come from users' files."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    try:
        run_trusted(files)
        setup: Setup = pickle.loads(payload)
        start = Position(setup.game)
        warm_up(start, setup)
        while True:
            connection.send(play_game(start, setup, connection.recv()))
    except (EOFError, BrokenPipeError, ConnectionResetError):
        return
    except PonderError as error:
        connection.send(error)
    except Exception:
        connection.send(traceback.format_exc())
