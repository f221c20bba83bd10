"""The tree of a Monte Carlo search: one array of small records, children side by side.

**The one perspective rule.** A node's statistics belong to the player who chose the edge into it:
``value`` adds up *that* player's utilities, so every parent simply prefers children with a high
mean. Nobody multiplies by -1 on the assumption that turns alternate: passes, double moves, n
players, chance and single-player games are the same code. Below a chance node nobody chose the
edge: there the statistics belong to the last player who did (at the root: the player to move,
or player 0 at a chance root).

**Invariant.** ``visits == 1 + sum of the children's visits`` for every expanded node: the first
visit made the node, each later one went on to a child. The root counts one visit for being made.
Exceptions: terminal nodes have no children, and a leaf that was reached again while the tree was
not allowed to grow (memory cap) keeps those extra visits when it is expanded later.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

ROOT = 0
UNEXPANDED = -1

NODE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("value", "f8"),  # sum of utilities of the player who chose the edge to this node
                ("visits", "i4"),
                ("first", "i4"),  # index of the first child; UNEXPANDED before there are any
                ("action", "i4"),  # the action of the edge to this node
                ("count", "u2"),  # number of children
                ("player", "i1"),  # who chose the edge to this node; CHANCE for the dice
                ("unused", "u1"),
            ],
            align=True,  # unaligned records cost a fifth of the speed
        ),
    )
)
"""24 bytes: the children of one Connect Four node fill less than three cache lines."""

NUMBER = np.dtype(
    (np.record, np.dtype([("inverse", "f8"), ("root", "f8"), ("log", "f8")], align=True))
)
"""1 / n, sqrt(1 / n) and ln n of a number of visits."""

NUMBERS = 4096
"""Visit counts whose functions are kept ready; more are computed. 96 kB: they stay in the cache."""

MEGABYTE = 1 << 20


@lru_cache(maxsize=1)
def numbers() -> Any:
    """The table of functions of n = 0 .. NUMBERS - 1 (n = 0 is never asked).

    Selection needs them for every child of every node it passes; a division and a root take
    longer than all the rest of it. The entries are exactly what the formulas give.
    """
    made = np.zeros(NUMBERS, NUMBER).view(np.recarray)
    made.inverse[1:] = 1.0 / np.arange(1, NUMBERS)
    made.root = np.sqrt(made.inverse)
    made.log[1:] = [math.log(n) for n in range(1, NUMBERS)]  # NumPy's log rounds otherwise
    return made


class Tree(NamedTuple):
    """The arrays that kernels work on."""

    nodes: Any  # [capacity] NODE
    numbers: Any  # [NUMBERS] NUMBER: what selection needs of small visit counts
    info: Any  # [2] i8: nodes in use, greatest depth reached


class Work(NamedTuple):
    """Scratch space of one search."""

    states: Any  # [2] the game's records: 0 the root, 1 the running simulation
    actions: Any  # [max_actions] i4
    chances: Any  # [max_actions] f8
    utilities: Any  # [players] f8: what the last evaluation gave
    path: Any  # [max_length + 2] i8: nodes from the root to the leaf
    totals: Any  # [players] f8: sum of utilities over all simulations
    squares: Any  # [max_actions] f8: sum of squared utilities of each root move, for its mover


class TreeStore:
    """Owns the node array and grows it, up to a cap in megabytes that is honoured.

    Growing reallocates in place, so the old and the new array never exist side by side; nobody
    else may keep a view of the array across `grow`.
    """

    def __init__(self, megabytes: float) -> None:
        self.limit = int(megabytes * MEGABYTE / NODE.itemsize)
        self._nodes = np.zeros(max(1, min(1 << 14, self.limit)), NODE)
        self.info = np.zeros(2, np.int64)
        root = self._nodes[ROOT]
        root.visits, root.first, root.action = 1, UNEXPANDED, -1
        self.info[0] = 1

    @property
    def tree(self) -> Tree:
        return Tree(self._nodes.view(np.recarray), numbers(), self.info)

    @property
    def nodes(self) -> Any:
        """The nodes in use: a view, good until the next `grow`."""
        return self._nodes[: self.size].view(np.recarray)

    def children(self, node: int) -> Any:
        """The children of a node, side by side: a view, good until the next `grow`."""
        first, count = int(self._nodes[node]["first"]), int(self._nodes[node]["count"])
        return self._nodes[max(first, 0) : max(first, 0) + count].view(np.recarray)

    @property
    def size(self) -> int:
        return int(self.info[0])

    @property
    def deepest(self) -> int:
        return int(self.info[1])

    @property
    def bytes_used(self) -> int:
        return self.size * NODE.itemsize

    def grow(self) -> bool:
        """Twice the room, or what the cap allows; False when there is no more."""
        wanted = min(2 * len(self._nodes), self.limit)
        if wanted <= len(self._nodes):
            return False
        self._nodes.resize(wanted, refcheck=False)
        return True

    def trim(self) -> None:
        """Give back the room that is not in use."""
        self._nodes.resize(self.size, refcheck=False)
