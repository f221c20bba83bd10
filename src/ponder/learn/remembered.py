"""What a network has said of a state is kept while games are played one after the other.

A search meets most states of the search before it again, and some states on two ways: in self-play
of Connect Four most evaluations have been made before.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ponder.core.game import Spec, new_states
from ponder.jit import U, inlined, kernel, wrap_multiply
from ponder.learn.network import NARROW, hidden

ROOM = 1 << 14
"""States that are kept, a power of two: some megabytes for each thread."""


class RememberedImage(NamedTuple):
    """`OneImage`, with the layers of a state computed once. The network must stay as it is until
    `forget` is called. A newer state takes the place of an older one."""

    words: Any  # [room, ...] u8: the memory of the states
    h2: Any  # [room, narrow] f4: what the layers made of them
    times: Any  # [room] i8: the time at which each was kept; others are of no use
    time: Any  # [1] i8: counts how often all was forgotten

    def forget(self) -> None:
        """The network has changed, or states mean something else."""
        self.time[0] += 1

    @inlined
    def count(self, game):
        return 1

    @inlined
    def look(self, net, game, s, scratch, player, i):
        """The layers of s, whose memory is scratch.words[0], into `scratch`."""
        at = np.int64(place(scratch.words) & U(self.times.size - 1))
        if is_kept(self, at, scratch.words):
            for k in range(NARROW):
                scratch.h2[k] = self.h2[at, k]
        else:
            hidden(net, game, s, scratch, player)
            for k in range(NARROW):
                self.h2[at, k] = scratch.h2[k]
            for k in range(scratch.words.shape[1]):
                self.words[at, k] = scratch.words[0, k]
            self.times[at] = self.time[0]

    @inlined
    def seen_action(self, game, action, player, scratch):
        return game.seen_action(action, player)


def remembered_image(spec: Spec) -> RememberedImage:
    """One that knows nothing yet."""
    words = new_states(spec.state, 1).view(np.uint64).size
    return RememberedImage(
        np.zeros((ROOM, words), np.uint64),
        np.zeros((ROOM, NARROW), np.float32),
        np.zeros(ROOM, np.int64),
        np.ones(1, np.int64),
    )


@kernel
def place(words):
    """A number by the memory of the first state."""
    x = U(0x9E3779B97F4A7C15)
    for i in range(words.shape[1]):
        x = wrap_multiply(x ^ words[0, i], U(0xBF58476D1CE4E5B9))
        x ^= x >> U(29)
    return x >> U(17)


@kernel
def is_kept(memory, at, words):
    """Is the first state the one that is kept there? States are compared whole."""
    if memory.times[at] != memory.time[0]:
        return False
    same = True
    for i in range(words.shape[1]):
        same = same and memory.words[at, i] == words[0, i]
    return same
