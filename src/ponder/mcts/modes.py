"""How a tree is shared: what happens when nodes are made, entered and counted.

A mode has

    room(self, n)                   free nodes with which each thread may make n nodes
    has_room(self, tree, n)         are there so many, or has this thread n in store?
    claim(self, tree, node)         may this simulation make the node's children?
    find(self, game, tree, work, leaf)   children that the position already has, -1 if none
    reserve(self, tree, n)          the index of n new nodes side by side
    publish(self, tree, node, first, count)   the node's children are ready
    enter(self, tree, node)         a simulation goes on to this node
    before(self, tree, node)        visits of a node that was entered, without this one
    ends(self, game, tree, work, depth)   does the walk end at path[depth], children or not?
    add(self, tree, node, utility)  count the visit and the owner's utility
    in_order(self)                  must untried children be tried in the order they stand?

Types, not flags: a search by one thread (`Alone`) compiles to plain additions.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ponder.core.hashing import state_key
from ponder.jit import (
    U,
    add_at,
    add_field,
    claim_field,
    copy_record_from,
    inlined,
    kernel,
    publish_field,
    take_methods,
)

BEING_MADE = -2
"""In place of the first child: another thread is making the children."""


BUSY = 4096
"""Visits of a node from which on threads add to it less often. (512 and 1,024 gained
nothing, 16,384 a little less: docs/speed.md, two threads.)"""

KEPT_NODES = 64
"""Busy nodes that a thread has something to add to; a power of two."""

KEPT = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("node", "i8"),
                ("visits", "i8"),
                ("under_way", "i8"),  # visits whose simulations are not done yet
                ("value", "f8"),  # sum of the utilities of those that are
            ]
        ),
    )
)


def nothing_kept() -> Any:
    """What a thread begins with."""
    made: Any = np.zeros(KEPT_NODES, KEPT).view(np.recarray)
    made.node = -1
    return made


@kernel
def add_kept(mode, tree, place):
    """Add what a thread has kept of a busy node, and make the place free.

    A simulation that is still under way counts as entered elsewhere: with the virtual loss that
    `Shared.add` takes back.
    """
    kept = mode.kept
    node = kept[place].node
    if node >= 0:
        loss = mode.virtual * kept[place].under_way
        add_field(tree.nodes, node, "visits", kept[place].visits)
        add_field(tree.nodes, node, "value", kept[place].value - loss)
    kept[place].node = -1
    kept[place].visits = 0
    kept[place].under_way = 0
    kept[place].value = 0.0


class Alone(NamedTuple):
    """One thread, one tree."""

    @inlined
    def room(self, n):
        return n

    @inlined
    def has_room(self, tree, n):
        return tree.info[0] + n <= tree.nodes.size

    @inlined
    def claim(self, tree, node):
        return True

    @inlined
    def find(self, game, tree, work, leaf):
        return -1

    @inlined
    def reserve(self, tree, n):
        first = tree.info[0]
        tree.info[0] = first + n
        return first

    @inlined
    def publish(self, tree, node, first, count):
        tree.nodes[node].first = first
        tree.nodes[node].count = count

    @inlined
    def enter(self, tree, node):
        pass

    @inlined
    def before(self, tree, node):
        return tree.nodes[node].visits

    @inlined
    def ends(self, game, tree, work, depth):
        return False

    @inlined
    def add(self, tree, node, utility):
        tree.nodes[node].visits += 1
        tree.nodes[node].value += utility

    @inlined
    def in_order(self):
        return False


class Shared(NamedTuple):
    """Several threads, one tree, no locks (Enzenberger & Mueller 2009), with virtual loss.

    Visits and values are added by instructions that no other thread can come between: none is
    lost. A simulation counts its visit, with a utility worse by `virtual`, when it enters a node,
    and takes the malus back when it is done, so that the threads spread (Chaslot et al. 2008).
    Each thread has a few simulations under way (`ponder.mcts.search.simulate_rounds`).
    Whoever finds a leaf without children claims it; the others meanwhile evaluate it as it is.
    Nodes are taken from the tree in blocks, by each thread for the children that it makes.
    Other statistics (squares, AMAF ...) are added without such care: when two threads meet in
    one node at the same moment, one update of them may be missing.

    Every simulation passes the same few nodes at the top of the tree, and a line of memory that
    two processors write to in turn costs more than a short simulation. What a thread counts in a
    node of `BUSY` visits and more it therefore keeps in `kept` and adds at the end of its share.
    """

    threads: int
    virtual: float
    size: int  # of a block, at most; room for the children of one node at least
    kept: Any  # [KEPT_NODES] KEPT: what this thread has not added to busy nodes yet

    @inlined
    def room(self, n):
        return self.size * self.threads  # all threads may take a block before this one does

    @inlined
    def has_room(self, tree, n):
        kept = tree.block[1] - tree.block[0]
        return n <= kept or tree.info[0] + self.room(n) <= tree.nodes.size

    @inlined
    def claim(self, tree, node):
        return claim_field(tree.nodes, node, "first", -1, BEING_MADE)

    @inlined
    def reserve(self, tree, n):
        first = tree.block[0]
        if first + n > tree.block[1]:
            for unused in range(first, tree.block[1]):
                copy_record_from(tree.nodes, unused, tree.blank, 0)
            size = max(n, min(self.size, tree.info[0] // 64))  # little of a small tree is blank
            first = add_at(tree.info, 0, size)
            tree.block[1] = first + size
        tree.block[0] = first + n
        return first

    @inlined
    def publish(self, tree, node, first, count):
        tree.nodes[node].count = count
        publish_field(tree.nodes, node, "first", first)

    @inlined
    def enter(self, tree, node):
        if tree.nodes[node].visits < BUSY:
            add_field(tree.nodes, node, "visits", 1)
            add_field(tree.nodes, node, "value", -self.virtual)
        else:
            place = node & (KEPT_NODES - 1)
            if self.kept[place].node != node:
                add_kept(self, tree, place)
                self.kept[place].node = node
            self.kept[place].visits += 1
            self.kept[place].under_way += 1

    @inlined
    def before(self, tree, node):
        place = node & (KEPT_NODES - 1)
        more = self.kept[place].visits if self.kept[place].node == node else 0
        return tree.nodes[node].visits + more - 1

    @inlined
    def add(self, tree, node, utility):
        place = node & (KEPT_NODES - 1)
        if self.kept[place].node == node and self.kept[place].under_way > 0:
            self.kept[place].under_way -= 1
            self.kept[place].value += utility
        else:
            add_field(tree.nodes, node, "value", utility + self.virtual)

    @inlined
    def in_order(self):
        return True

    @inlined
    def add_all_kept(self, tree):
        for place in range(KEPT_NODES):
            add_kept(self, tree, place)


NO_ROOM = 1 << 40
"""More free nodes than any tree has: nothing can be added."""


@kernel
@inlined
def put(keys, firsts, counts, key, first, count):
    """Write a position to its place in the table, or to the next one that is free."""
    mask = U(keys.size - 1)
    at = key & mask
    while keys[at] != U(0):
        at = (at + U(1)) & mask
    keys[at] = key
    firsts[at] = first
    counts[at] = count


class Transposing(NamedTuple):
    """One thread; positions reached by several move orders share their children.

    Every edge keeps its own visits; the children behind it, and theirs, are one block of nodes
    for all edges to the position, found by the position's key. With the backup rule
    `ponder.mcts.backup.mean.GraphMean` this is sound where shared running means are not.
    A walk that comes back to a position on its own path, or to the end of its game, ends there
    and evaluates it.
    """

    keys: Any  # [power of two] u8: 0 for a free place
    firsts: Any  # [the same] i4
    counts: Any  # [the same] u2
    words: Any  # the search's states, word by word
    own_key: bool  # does the game give keys of its own?
    last: Any  # [2] u8: the key looked for last, how many are in the table

    @inlined
    def is_full(self):
        # searching takes long where few places are free
        return self.last[1] * U(2) >= U(self.keys.size)

    @inlined
    def room(self, n):
        return NO_ROOM if self.is_full() else n

    @inlined
    def find(self, game, tree, work, leaf):
        key = game.key(work.states[1]) if self.own_key else state_key(self.words, 1)
        if key == U(0):
            key = U(1)  # 0 marks free places
        mask = U(self.keys.size - 1)
        at = key & mask
        self.last[0] = key
        while self.keys[at] != U(0):
            if self.keys[at] == key:
                first = self.firsts[at]
                tree.nodes[leaf].first = first
                tree.nodes[leaf].count = self.counts[at]
                return first
            at = (at + U(1)) & mask
        return -1

    @inlined
    def publish(self, tree, node, first, count):
        tree.nodes[node].first = first
        tree.nodes[node].count = count
        # `find` was asked for this very position and did not know it
        put(self.keys, self.firsts, self.counts, self.last[0], first, count)
        self.last[1] += U(1)

    @inlined
    def ends(self, game, tree, work, depth):
        # The same position may be the end of a game that has gone on for longer.
        if game.is_terminal(work.states[1]):
            return True
        first = tree.nodes[work.path[depth]].first
        for d in range(depth):
            if tree.nodes[work.path[d]].first == first:
                return True
        return False


take_methods(Shared, Alone)
take_methods(Transposing, Alone)


MEGABYTE = 1 << 20

PLACE_BYTES = 8 + 4 + 2
"""What a place of the table of positions takes."""

FIRST_PLACES = 1 << 12


def new_graph(states: Any, own_key: bool, most_bytes: float) -> Transposing:
    """An empty table of positions for a search whose states are `states`."""
    places = FIRST_PLACES
    while places > 2 and places * PLACE_BYTES > most_bytes:
        places //= 2
    return Transposing(
        np.zeros(places, np.uint64),
        np.zeros(places, np.int32),
        np.zeros(places, np.uint16),
        words_of(states),
        own_key,
        np.zeros(2, np.uint64),
    )


def words_of(states: Any) -> Any:
    """The same memory, word by word."""
    return states.view(np.uint64).reshape(len(states), -1)


def grow_graph(graph: Transposing) -> None:
    """Twice the places, without a second table beside the first; nobody may keep a view of it."""
    columns = graph.keys, graph.firsts, graph.counts
    before, run = len(graph.keys), 0
    while graph.keys[run]:  # up to the first free place: these may have come around from the end
        run += 1
    held = [column[:run].copy() for column in columns]
    graph.keys[:run] = 0
    for column in columns:
        column.resize(2 * before, refcheck=False)  # new places are free
    spread_out(*columns, before)
    for key, first, count in zip(*held, strict=True):
        put(*columns, key, first, count)


@kernel
def spread_out(keys, firsts, counts, before):
    """Put every position of a table that had `before` places where it belongs in the longer one.

    None may have come around from the end of the old table. Place by place: a position finds a free
    place in the new part, or no later than its own, and all that it passes on the way have been
    moved already.
    """
    for i in range(before):
        key = keys[i]
        if key != U(0):
            keys[i] = U(0)
            put(keys, firsts, counts, key, firsts[i], counts[i])


def table_bytes(mode: Any) -> int:
    """What the mode keeps beside the tree."""
    return PLACE_BYTES * len(mode.keys) if isinstance(mode, Transposing) else 0


# -------------------------------------------------- one memory cap for tree and table

TABLE_SHARE = 1 / 8
"""Of the cap, for the table to begin with: as the search goes on it shows how much it needs."""


def grow_together(store: Any) -> bool:
    """More room for the tree, its table or both; False when the cap allows no more."""
    graph: Transposing = store.mode
    size, nodes = store.size, store.capacity
    places, entries = len(graph.keys), int(graph.last[1])
    share = max(entries, 1) / size  # positions in the table for every node
    most_nodes, most_places = best_split(store, share)
    if most_nodes > nodes and not (graph.is_full() and 2 * size < nodes):
        store.limit = most_nodes
        store.grow()
    wanted = 2 * share * store.capacity  # a table is full when half of its places are taken
    while len(graph.keys) < most_places and (graph.is_full() or len(graph.keys) < wanted):
        grow_graph(graph)
    return store.capacity > nodes or len(graph.keys) > places


def best_split(store: Any, share: float) -> tuple[int, int]:
    """Nodes and places that let the tree become largest, `share` positions coming with a node.

    Neither is less than there are already.
    """
    cap, node = store.megabytes * MEGABYTE, store.dtype.itemsize
    places = len(store.mode.keys)
    best, useful = (store.capacity, places), 0.0
    while store.capacity * node + places * PLACE_BYTES <= cap:
        nodes = int((cap - places * PLACE_BYTES) / node)
        if min(nodes, places / 2 / share) > useful:
            best, useful = (nodes, places), min(nodes, places / 2 / share)
        places *= 2
    return best
