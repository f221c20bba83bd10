"""Switching parts in the middle of a search: the tree continues under other rules.

What the new rules need and the old ones did not leave behind is made up for at once:

- statistics of earlier simulations have been kept (`ponder.mcts.keep`);
- what follows from positions (priors, evaluations, ends of games) is computed on one walk over the
  tree, by the parts' own ``catch_up``;
- values that a rule backs up are computed anew from the leaves to the root, by its ``renew``;
- children that were visited come to stand before those that were not, as rules that try every
  child once expect them to, and children that the old rule had not opened yet are opened.

Nodes that have been made stay: an expand rule decides about those to come.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ponder.core.compiled import guarded
from ponder.core.game import CHANCE, new_states
from ponder.jit import copy_record, copy_record_from, kernel
from ponder.mcts.assembly import node_types
from ponder.mcts.parts import (
    COMPILED_KINDS,
    Memory,
    looking,
    memory_for,
    parts_of,
    trace_for,
    with_keep,
)
from ponder.mcts.run import CompiledRun
from ponder.mcts.tree import ROOT, TreeStore


def switched(run: CompiledRun, engine: Any) -> CompiledRun:
    """The run, in place, with the parts of `engine`; it must have been made with `keep`."""
    spec, old = run.rules.spec, run.parts
    made = parts_of(engine, run.inner)
    made = with_keep(made._replace(expand=looking(made.expand)), spec, run.rules.has_dice)
    memory = kept_memory(run, engine, made)  # may refuse: nothing has been changed before
    run.store = converted(run.store, *node_types(made, spec))
    run.parts, run.decide, run.evaluate = made, engine.decide, engine.evaluate
    run.machine = None
    run.work = run.work._replace(memory=memory, trace=trace_for(made, spec))
    run.engine = engine
    run.solved = False
    run.recycles = bool(engine.recycle)
    tree, work = run.store.tree, run.work
    open_all(old.expand, made.expand, tree)
    put_tried_first(tree, work, run.store.dtype, spec.max_actions)
    longest = len(work.path)
    guarded(
        run.rules.name,
        catch_up,
        run.rules.part,
        made,
        tree,
        work,
        new_states(spec.state, min(longest, run.store.size + 2)),
        np.zeros(longest, np.int64),
    )
    return run


def kept_memory(run: CompiledRun, engine: Any, parts: Any) -> Memory:
    """The memory of parts that stay; of others a new one, filled with what was kept."""
    now, kept = run.work.memory, run.work.memory.keep
    new = memory_for(parts, run.rules.spec, run.plan)
    chosen = {}
    for kind in COMPILED_KINDS:
        part = getattr(new, kind)
        if getattr(parts, kind) == getattr(run.parts, kind) and type(part) is type(
            getattr(now, kind)
        ):
            part = getattr(now, kind)
        elif hasattr(part, "_fields"):
            for name in set(part._fields) & set(kept._fields):
                known = getattr(kept, name)
                if np.shape(getattr(part, name)) == known.shape:
                    getattr(part, name)[...] = known
        chosen[kind] = part
    return Memory(**chosen, keep=kept)


def converted(store: TreeStore, dtype: Any, own: Any) -> TreeStore:
    """The tree with nodes of another shape: common fields are taken over, new ones are blank."""
    if store.dtype == dtype and store.own_bytes == own.itemsize:
        return store
    beside = store.node_bytes - store.own_bytes
    made = TreeStore(
        store.megabytes, dtype, store.mode, store.utilities, beside, store.distinct, own
    )
    made.reserve(store.size)
    made._nodes[: store.size] = made.blank[0]
    for name in store.dtype.names:
        if name in dtype.names:
            made._nodes[name][: store.size] = store._nodes[name][: store.size]
    made.info[:], made.block[:], made.depths[:] = store.info, store.block, store.depths
    made.squares = store.squares
    return made


def open_all(old: Any, new: Any, tree: Any) -> None:
    """Children that the old expand rule kept back are open under the new one, unless it is one
    that opens them itself."""
    if "total" in tree.nodes.dtype.names and type(old) is not type(new):
        nodes = tree.nodes[: int(tree.info[0])]
        expanded = nodes["first"] >= 0
        nodes["count"][expanded] = np.maximum(nodes["count"], nodes["total"])[expanded]


def put_tried_first(tree: Any, work: Any, dtype: Any, most: int) -> None:
    """Visited children before the others, in every node; the root's squares go with them."""
    spare = np.zeros(most, dtype).view(np.recarray)
    tried_first(tree, spare, work.squares, np.zeros(most))


@kernel
def tried_first(tree, spare, squares, spare_squares):
    """See `put_tried_first`; children keep their order otherwise."""
    nodes = tree.nodes
    for node in range(tree.info[0]):
        first = nodes[node].first
        if first < 0 or nodes[first].player == CHANCE:
            continue
        count = np.int64(nodes[node].count)
        seen_untried = False
        ordered = True
        for i in range(count):
            if nodes[first + i].visits == 0:
                seen_untried = True
            elif seen_untried:
                ordered = False
        if ordered:
            continue
        at = 0
        for tried in (True, False):
            for i in range(count):
                if (nodes[first + i].visits > 0) == tried:
                    copy_record_from(spare, at, nodes, first + i)
                    if node == ROOT:
                        spare_squares[at] = squares[i]
                    at += 1
        for i in range(count):
            copy_record_from(nodes, first + i, spare, i)
            if node == ROOT:
                squares[i] = spare_squares[i]


@kernel
def catch_up(game, parts, tree, work, states, cursor):
    """Walk over all visited nodes: `catch_up` on the way down, `renew` on the way up.

    states[d] and cursor[d] are the state at depth d and the next child to go to.
    """
    nodes = tree.nodes
    copy_record_from(states, 0, work.states, 0)
    depth = 0
    work.path[0] = ROOT
    cursor[0] = 0
    catch_up_node(game, parts, tree, work, states, 0)
    while depth >= 0:
        node = work.path[depth]
        first = nodes[node].first
        if first >= 0 and cursor[depth] < nodes[node].count:
            child = first + cursor[depth]
            cursor[depth] += 1
            if nodes[child].visits > 0:
                copy_record(states, depth + 1, depth)
                game.apply_action(states[depth + 1], nodes[child].action)
                depth += 1
                work.path[depth] = child
                cursor[depth] = 0
                catch_up_node(game, parts, tree, work, states, depth)
        else:
            parts.select.renew(tree, work, node)
            parts.backup.renew(tree, work, node)
            depth -= 1


@kernel
def catch_up_node(game, parts, tree, work, states, depth):
    """The node path[depth]: what its position says, written where the parts look for it."""
    nodes = tree.nodes
    node = work.path[depth]
    copy_record_from(work.states, 1, states, depth)
    s = work.states[1]
    first = np.int64(nodes[node].first)
    count = np.int64(0)
    if first >= 0 and nodes[first].player != CHANCE:
        count += parts.expand.total(tree, node)
        for i in range(count):
            work.actions[i] = nodes[first + i].action
        parts.expand.catch_up(game, s, tree, first, count, work)
    parts.select.catch_up(game, s, tree, node, first, count, work)
    parts.backup.catch_up(game, s, tree, node, work)
