"""Threads: how many there are, who waits for work, what each has for itself.

Starting a thread takes milliseconds, waking one a tenth of one: searches of ten milliseconds
cannot wait for new threads. So helpers are kept for the life of the process.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from queue import SimpleQueue
from threading import Thread
from typing import Any, NamedTuple

import numpy as np

from ponder.core.game import SPARE
from ponder.mcts.parts import Memory, for_thread
from ponder.mcts.tree import Work

MOST_THREADS = 256
"""More wait for each other most of the time."""


def thread_count(threads: int) -> int:
    """0 means as many as this process may use."""
    if threads > 0:
        return threads
    if hasattr(os, "sched_getaffinity"):
        return min(len(os.sched_getaffinity(0)), MOST_THREADS)
    return min(os.cpu_count() or 1, MOST_THREADS)


def shares(n: int, parts: int) -> list[int]:
    """n in `parts` nearly equal whole numbers, none of which falls when n grows."""
    return [n // parts + (i < n % parts) for i in range(parts)]


LINE = 128
"""Bytes that processors fetch at once: two cache lines of 64."""


def apart(part: Any) -> Any:
    """A copy of an array that shares no cache line with anything else; of a tuple of such.

    Where two threads write to one line, each waits for the other's write to arrive.
    """
    if isinstance(part, tuple):
        parts = [apart(one) for one in part]
        return part._make(parts) if hasattr(part, "_make") else tuple(parts)
    if not isinstance(part, np.ndarray):
        return part
    behind = SPARE * part.itemsize  # as behind the lists of `core.game`
    room = np.zeros(-(-(part.nbytes + behind) // LINE) * LINE + LINE, np.uint8)
    begin = -room.ctypes.data % LINE
    made = room[begin : begin + part.nbytes].view(part.dtype).reshape(part.shape)
    made[...] = part
    return made.view(type(part))


def works_of_a_thread(work: Work, n: int) -> tuple[Work, ...]:
    """Scratch space for n simulations that a thread has under way; what parts learn is shared."""
    memory = Memory(*map(for_thread, work.memory))
    return tuple(apart(work)._replace(memory=memory) for _ in range(n))


class TaskEnd(NamedTuple):
    """What came of a task: a value, or what it raised."""

    value: Any
    error: BaseException | None


class Helper:
    """A thread that does one task after another, and is in `_idle` between them."""

    def __init__(self) -> None:
        self.tasks: SimpleQueue[tuple[Callable[[], Any], SimpleQueue[TaskEnd]]] = SimpleQueue()
        # a daemon: the process need not wait for one that has nothing to do
        Thread(target=self.work, name="ponder-helper", daemon=True).start()

    def work(self) -> None:
        while True:
            task, answers = self.tasks.get()
            try:
                answer = TaskEnd(task(), None)
            except BaseException as error:  # raised again where the answer is asked for
                answer = TaskEnd(None, error)
            del task  # it may hold a whole tree
            _idle.append(self)
            answers.put(answer)
            del answer, answers


_idle: list[Helper] = []
"""Taken from and put back in single steps, which no other thread can come between."""

if hasattr(os, "register_at_fork"):  # a child process has none of its parent's threads
    os.register_at_fork(after_in_child=_idle.clear)


def begin(task: Callable[[], Any]) -> SimpleQueue[TaskEnd]:
    """Have an idle helper do the task, a new one if there is none; where the answer will be."""
    try:
        helper = _idle.pop()
    except IndexError:
        helper = Helper()
    answers: SimpleQueue[TaskEnd] = SimpleQueue()
    helper.tasks.put((task, answers))
    return answers


def finished(answers: SimpleQueue[TaskEnd]) -> Any:
    """The value of a task that was begun, as soon as there is one; raises what the task raised."""
    answer = answers.get()
    if answer.error is not None:
        raise answer.error
    return answer.value


def all_at_once(tasks: Sequence[Callable[[], Any]]) -> list[Any]:
    """The tasks' values; the first task is done by the thread that calls, the others by helpers.

    Returns, or raises what one of them raised, when all have ended.
    """
    others = [begin(task) for task in tasks[1:]]
    try:
        first = tasks[0]()
    finally:  # the others may work on the same arrays
        answers = [one.get() for one in others]
    for answer in answers:
        if answer.error is not None:
            raise answer.error
    return [first, *(answer.value for answer in answers)]


def have_ready(helpers: int) -> None:
    """Start helpers now, unless so many are idle."""
    while len(_idle) < helpers:
        _idle.append(Helper())
