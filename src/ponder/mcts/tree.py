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

import copy
import math
from collections import namedtuple
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from ponder.jit import inlined, kernel
from ponder.mcts.modes import MEGABYTE, Alone, table_bytes

ROOT = 0
UNEXPANDED = -1
"""In place of the first child: there are no children (yet)."""

PLAIN_FIELDS = (
    ("value", "f8"),  # sum of utilities of the player who chose the edge to this node
    ("visits", "i4"),
    ("first", "i4"),  # index of the first child; UNEXPANDED before there are any
    ("action", "i4"),  # the action of the edge to this node
    ("count", "u2"),  # number of children open to selection
    ("player", "i1"),  # who chose the edge to this node; CHANCE for the dice
    ("cut", "u1"),  # 1: the select rule has given this child up for good
)
"""24 bytes: the children of one Connect Four node fill less than three cache lines."""

EXTRA_FIELDS: dict[str, tuple[str, bool]] = {
    # name: type, one for each player?
    "squares": ("f8", False),  # sum of squared utilities of the owner
    "spread": ("f8", False),  # the greatest deviation that the children's utilities have had
    "sums": ("f8", True),  # sum of utilities
    "backed": ("f8", True),  # the backup rule's value of the node
    "low": ("f8", True),  # proven: the value is not below this ...
    "high": ("f8", True),  # ... nor above this
    "static": ("f8", True),  # the evaluation function's values, backed up by minimax
    "prior": ("f4", False),  # probability that the edge is the best one, before any visit
    "hint": ("f4", False),  # the game's `order` score of the edge
    "amaf_value": ("f8", False),  # all moves as first: sum of the owner's utilities
    "amaf_visits": ("i4", False),
    "total": ("u2", False),  # number of children, open or not yet
    "own": ("f8", False),  # the owner's utility at the node's own first evaluation
    "raw": ("f8", False),  # the same for the player who chooses there
}
"""What parts may keep with every node besides. A part names them in ``NEEDS``; a tree has only
those that its parts need, so that nobody else pays for them."""


@lru_cache(maxsize=256)
def node_type(needs: tuple[str, ...] = (), players: int = 2) -> Any:
    """The dtype of a node with the extra fields `needs`."""
    fields: list[tuple[Any, ...]] = list(PLAIN_FIELDS)
    for name, (kind, each_player) in EXTRA_FIELDS.items():  # the same order whoever asks
        if name in needs:
            fields.append((name, kind, (players,)) if each_player else (name, kind))
    # unaligned records cost a fifth of the speed
    return np.dtype((np.record, np.dtype(fields, align=True)))


NODE = node_type()

NUMBER = np.dtype(
    (np.record, np.dtype([(name, "f8") for name in ("inverse", "root", "log", "root_log")]))
)
"""1 / n, sqrt(1 / n), ln n and sqrt(ln n) of a number of visits n."""

NUMBERS = 4096
"""Visit counts whose functions are kept ready; more are computed. 128 kB stay in the cache."""

MOST_ACTIONS = (1 << 31) - 1
"""Actions are kept in 32 bits."""

MOST_CHILDREN = (1 << 16) - 1
"""A node counts its children in 16 bits."""

MOST_VISITS = (1 << 31) - (1 << 20)
"""Visits are counted in 32 bits: a search whose root has so many stops by itself."""


@lru_cache(maxsize=1)
def numbers() -> Any:
    """The table of functions of n = 0 .. NUMBERS - 1 (n = 0: never tried).

    Selection needs them for every child of every node it passes; a division and a root take
    longer than all the rest of it. The entries are exactly what the formulas give.
    """
    made: Any = np.zeros(NUMBERS, NUMBER).view(np.recarray)
    made.inverse[1:] = 1.0 / np.arange(1, NUMBERS)
    made.root = np.sqrt(made.inverse)
    made.inverse[0], made.root[0] = 1e300, 1e150  # a child without a visit is most attractive
    made.log[1:] = [math.log(n) for n in range(1, NUMBERS)]  # NumPy's log rounds otherwise
    made.root_log = np.sqrt(made.log)
    return made


class Tree(NamedTuple):
    """The arrays that kernels work on."""

    nodes: Any  # [capacity] node_type(...)
    blank: Any  # [1] the same: a node as it is made
    numbers: Any  # [NUMBERS] NUMBER: what selection needs of small visit counts
    info: Any  # [1] i8: nodes in use
    block: Any  # [2] i8: of these, which a thread among several keeps to fill: the next, the end
    depths: Any  # [2] i8: the greatest depth reached, that of the last simulation
    mode: Any  # how nodes are made and entered: `ponder.mcts.modes`
    lowest: float
    highest: float  # the game's range of utilities
    distinct: int  # actions are numbers below this


@kernel
@inlined
def half_range(tree):
    """Half the range of utilities: 1 for wins and losses of +1 and -1."""
    return 0.5 * (tree.highest - tree.lowest)


class Work(NamedTuple):
    """Scratch space of one search, or of one of its threads."""

    states: Any  # [2] the game's records: 0 the root, 1 the running simulation
    actions: Any  # [max_actions] i4
    chances: Any  # [max_actions] f8
    utilities: Any  # [players] f8: what the last evaluation gave
    path: Any  # [max_length + 2] i8: nodes from the root to the leaf
    totals: Any  # [players] f8: sum of utilities over all simulations
    squares: Any  # [max_actions] f8: sum of squared utilities of each root move, for its mover
    scores: Any  # [max_actions] f8: scores or probabilities of the children
    trace: Any  # NoMoveTrace, or MoveTrace: the moves of the running simulation
    memory: Any  # what the parts keep for the whole search: `ponder.mcts.parts.Memory`


class NoMoveTrace(NamedTuple):
    """Nobody asks which moves were played."""

    unused: int = 0

    @inlined
    def is_kept(self):
        return False

    @inlined
    def begin(self):
        pass

    @inlined
    def note(self, player, action):
        pass


class MoveTrace(NamedTuple):
    """The moves of the running simulation, chance left out, in the tree and after it."""

    actions: Any  # [max_length + 2] i4
    players: Any  # [max_length + 2] i1
    length: Any  # [1] i8
    first: Any  # [players, distinct_actions] i4: scratch for whoever reads the trace; all -1

    @inlined
    def is_kept(self):
        return True

    @inlined
    def begin(self):
        self.length[0] = 0

    @inlined
    def note(self, player, action):
        if not (0 <= player < self.first.shape[0] and 0 <= action < self.first.shape[1]):
            return  # the rules are broken: expansion refuses them
        n = self.length[0]
        self.actions[n] = action
        self.players[n] = player
        self.length[0] = n + 1


class ReadNodes(dict[int, Any]):
    """Nodes to be read: ``nodes[i].visits`` is a number of Python, several times quicker than
    from an array of records. Each node is read once, where nothing goes on meanwhile."""

    def __init__(self, nodes: Any) -> None:
        self._nodes, self._make = nodes, _fields_of(nodes.dtype)._make
        self.names = nodes.dtype.names

    def __missing__(self, node: int) -> Any:
        found = self[node] = self._make(self._nodes[node].item())
        return found

    def children(self, node: int) -> tuple[int, list[Any]]:
        """The index of the first child of a node, and all of them."""
        parent = self[node]
        first, count = parent.first, parent.count
        if first < 0 or not count:
            return 0, []
        read = self._nodes[first : first + count]
        if _has_arrays(read.dtype):  # which `tolist` would turn into lists
            return first, [self[child] for child in range(first, first + count)]
        found = list(map(self._make, read.tolist()))
        self.update(zip(range(first, first + count), found, strict=True))
        return first, found


@lru_cache(maxsize=64)
def _has_arrays(dtype: Any) -> bool:
    return any(kind.shape for kind, *_ in dtype.fields.values())


@lru_cache(maxsize=64)
def _fields_of(dtype: Any) -> Any:
    return namedtuple("Node", dtype.names, rename=True)


class TreeStore:
    """Owns the node array and grows it, up to a cap in megabytes that is honoured.

    `beside` is what every node takes elsewhere, in bytes within the same cap; `own`: the kind of
    node of which the cap is counted, where these have notes besides (`ponder.mcts.keep`): a search
    is the same with notes and without. Growing reallocates
    in place, so the old and the new array never exist side by side; nobody else may keep a view
    of the array across `grow`.
    """

    def __init__(
        self,
        megabytes: float,
        dtype: Any = NODE,
        mode: Any = None,
        utilities: tuple[float, float] = (-1.0, 1.0),
        beside: float = 0.0,
        distinct: int = MOST_ACTIONS,
        own: Any = None,
    ) -> None:
        self.dtype, self.utilities, self.distinct = dtype, utilities, distinct
        self.mode: Any = mode or Alone()
        self.own_bytes = (own or dtype).itemsize
        self.megabytes, self.node_bytes = megabytes, self.own_bytes + beside
        self.limit = int(megabytes * MEGABYTE / self.node_bytes)
        self._nodes = np.zeros(max(1, min(1 << 14, self.limit // 4)), dtype)
        self.squares: Any = None  # of the root's children, in their order: see `Work`
        self.info = np.zeros(1, np.int64)
        self.block = np.zeros(2, np.int64)
        self.depths = np.zeros(2, np.int64)
        self.blank = np.zeros(1, dtype).view(np.recarray)
        self.blank.first = UNEXPANDED
        if "low" in dtype.names:
            self.blank.low, self.blank.high = utilities
        self._nodes[ROOT] = self.blank[0]
        self._nodes[ROOT]["visits"], self._nodes[ROOT]["action"] = 1, -1
        self.info[0] = 1

    @property
    def tree(self) -> Tree:
        lowest, highest = self.utilities
        return Tree(
            nodes=self._nodes.view(np.recarray),
            blank=self.blank,
            numbers=numbers(),
            info=self.info,
            block=self.block,
            depths=self.depths,
            mode=self.mode,
            lowest=lowest,
            highest=highest,
            distinct=self.distinct,
        )

    @property
    def read(self) -> Tree:
        """`tree` for rules that are asked in plain Python: its nodes are quick to read."""
        return self.tree._replace(nodes=ReadNodes(self._nodes))

    @property
    def nodes(self) -> Any:
        """The nodes in use: a view, good until the next `grow`."""
        return self._nodes[: self.size].view(np.recarray)

    def column(self, field: str) -> Any:
        """One field of all nodes, far quicker to read than records: good until the next `grow`."""
        return self._nodes[field]

    def children(self, node: int) -> Any:
        """The children of a node, side by side: a view, good until the next `grow`."""
        first, count = int(self._nodes["first"][node]), int(self._nodes["count"][node])
        return self._nodes[max(first, 0) : max(first, 0) + count].view(np.recarray)

    def totals(self) -> Any:
        """How many children each node has, those included that are not open yet: [size] i8.

        Of children that several nodes share one of these may know fewer than another: the most.
        """
        nodes = self.nodes
        found = nodes.count.astype(np.int64)
        if "total" in self.dtype.names:
            found = np.maximum(found, nodes.total)
        inside = (nodes.first >= 0) & (nodes.first < self.size)
        most = np.zeros(self.size, np.int64)
        np.maximum.at(most, nodes.first[inside], found[inside])
        found[inside] = most[nodes.first[inside]]
        return found

    @property
    def size(self) -> int:
        return int(self.info[0])

    @property
    def deepest(self) -> int:
        return int(self.depths[0])

    @property
    def last_depth(self) -> int:
        return int(self.depths[1])

    @property
    def capacity(self) -> int:
        """Nodes that there is room for."""
        return len(self._nodes)

    @property
    def bytes_used(self) -> int:
        """Of the cap: without notes."""
        return self.size * int(self.own_bytes) + table_bytes(self.mode)

    def copy(self) -> TreeStore:
        """The same tree with arrays of its own; of the room, only what is in use."""
        made = copy.copy(self)
        made._nodes = self._nodes[: self.size].copy()
        made.info, made.block, made.depths = self.info.copy(), self.block.copy(), self.depths.copy()
        return made

    def grow(self) -> bool:
        """Twice the room, or what the cap allows; False when there is no more."""
        wanted = min(2 * len(self._nodes), self.limit)
        if wanted <= len(self._nodes):
            return False
        self._nodes.resize(wanted, refcheck=False)
        return True

    def reserve(self, nodes: int) -> None:
        """Room for so many nodes, the cap notwithstanding."""
        self._nodes.resize(max(nodes, len(self._nodes)), refcheck=False)

    def trim(self) -> None:
        """Give back the room that is not in use."""
        self._nodes.resize(self.size, refcheck=False)
