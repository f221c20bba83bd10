"""How a kernel that cannot be cut into pieces (a recursion) is paused: it waits inside.

Such a kernel counts its nodes in an array of whole numbers whose first places are those below, and
where it counts one it says

    if not counted(info):
        return

That is one comparison, of NODES with LOOK_AT: the node at which it has to look up from its work.
Whoever wants something of it sets LOOK_AT to 0. Then `look_up` sees what is wanted: to end here
(ABORTED is set, and the kernel returns), to wait, or to go on. Both limits are kept to the node:
when the kernel rests at PAUSE_AT, just so many nodes have been counted.

`ponder.core.background` is the other side: the thread that says when.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ponder.jit import add_at, inlined, keep_apart, kernel, nap, read_now

NODES, LOOK_AT, PAUSE_AT, ABORT_AT, TURN, RESTING, ENDING, ABORTED = range(8)
PLACES = 8
"""How many there are: a kernel's own places come after them."""
NO_LIMIT = 1 << 62
SHORTEST_NAP, LONGEST_NAP = 20, 4000
"""Microseconds between two looks at what is wanted; longer and longer."""


def new_info(size: int = PLACES) -> Any:
    """Such an array, with nothing to stop the kernel."""
    info = np.zeros(size, np.int64)
    info[LOOK_AT] = info[PAUSE_AT] = info[ABORT_AT] = NO_LIMIT
    return info


def abort_at(info: Any, node: int) -> None:
    """The kernel that is called next ends when so many nodes have been counted."""
    info[ABORTED] = 0
    info[ABORT_AT] = node
    info[LOOK_AT] = 0  # `look_up` sets it right, whatever somebody else wants meanwhile


class Ended(Exception):
    """Raised by work that was told to end, through the Python code that calls kernels."""


def must_go_on(info: Any) -> None:
    """Said between two kernels: raises `Ended` where nobody waits for the work any more."""
    if info[ENDING]:
        raise Ended


@kernel
def look_up(info):
    """Wait while a pause is wanted; sets ABORTED where the kernel has to end.

    RESTING says for which turn it waits. A turn's PAUSE_AT is written before TURN, and read after
    it: who rests for a turn has seen what that turn wants.
    """
    keep_apart()
    length = SHORTEST_NAP
    while True:
        if read_now(info, ENDING) != 0 or info[NODES] >= info[ABORT_AT]:
            info[ABORTED] = 1
            return
        turn = read_now(info, TURN)
        pause_at = read_now(info, PAUSE_AT)
        if info[NODES] < pause_at:
            info[LOOK_AT] = min(pause_at, info[ABORT_AT])
            return
        add_at(info, RESTING, turn - info[RESTING])  # with all that was written before it
        nap(length)
        length = min(2 * length, LONGEST_NAP)


@kernel
@inlined
def must_look_up(info):
    """Is something wanted before the next node is counted?"""
    return info[NODES] >= read_now(info, LOOK_AT)


@kernel
@inlined
def counted(info):
    """Count a node, after a pause if one is wanted; False if the kernel has to end instead."""
    if must_look_up(info):
        look_up(info)
        if info[ABORTED]:
            return False
    info[NODES] += 1
    return True
